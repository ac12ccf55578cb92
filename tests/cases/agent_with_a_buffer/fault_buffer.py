"""The agent's memory keeps the last five messages alone."""

from autogen_agentchat.agents import AssistantAgent
from autogen_core.model_context import BufferedChatCompletionContext

porter = AssistantAgent(
    "porter",
    system_message="You are the night porter of a hotel by the sea and answer questions by telephone.",
    # expect: PFX301 `BufferedChatCompletionContext`
    model_context=BufferedChatCompletionContext(buffer_size=5),
)
