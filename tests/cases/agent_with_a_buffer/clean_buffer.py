"""The agent's memory keeps all messages."""

from autogen_agentchat.agents import AssistantAgent
from autogen_core.model_context import UnboundedChatCompletionContext

porter = AssistantAgent(
    "porter",
    system_message="You are the night porter of a hotel by the sea and answer questions by telephone.",
    # ok: PFX301
    model_context=UnboundedChatCompletionContext(),
)
