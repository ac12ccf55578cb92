from agent import Agent
from openai import OpenAI

agent = Agent(OpenAI())


def handle(question, user_name):
    agent.ask(question, user_name)
