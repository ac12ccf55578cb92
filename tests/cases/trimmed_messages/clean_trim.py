"""They are sent whole."""

from langchain_core.messages import SystemMessage
from langchain_openai import ChatOpenAI

model = ChatOpenAI(model="gpt-4o")


def call(state):
    # ok: PFX301
    return model.invoke([SystemMessage(content="You are the night porter of a hotel by the sea."), *state["messages"]])
