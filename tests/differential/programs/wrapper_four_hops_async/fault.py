import asyncio

from openai import AsyncOpenAI

client = AsyncOpenAI()
RULES = """You keep the gardens of a castle in order. Roses are cut in March above the third bud, lavender after it has
flowered, and the hedges twice a year. Young trees get twenty litres of water a week in summer. Wasps are left
alone. The pond is cleaned by hand because of the newts. Tools are oiled on Fridays. Leaves stay under the
shrubs until spring. Name each plant by its Latin name once and by its common name after that. Ask where a
plant stands before you judge its leaves, and never advise poison."""


async def raw(messages):
    return await client.chat.completions.create(model="gpt-4o", messages=messages)


async def chat(system, question):
    return await raw([{"role": "system", "content": system}, {"role": "user", "content": question}])


async def garden(head, question):
    return await chat(f"{head}\n{RULES}", question)


def start(head, question):
    asyncio.run(garden(head, question))


def handle(question, user_name):
    # fault
    start("Owner: " + user_name, question)
