"""The messages are trimmed anew on each turn to what the limit leaves."""

from langchain_core.messages import SystemMessage, trim_messages
from langchain_openai import ChatOpenAI

model = ChatOpenAI(model="gpt-4o")


def call(state):
    # expect: PFX301 `trim_messages`
    kept = trim_messages(state["messages"], max_tokens=20, strategy="last", token_counter=len)
    return model.invoke([SystemMessage(content="You are the night porter of a hotel by the sea."), *kept])
