"""What a framework gives to functions: parameters with neutral names vary, injected things and configuration do not."""

from __future__ import annotations

import pytest
from prefixlint.frontends.python import analyse
from prefixlint.knowledge import libraries
from prefixlint.knowledge.libraries import Handler
from prefixlint.model.lifetimes import Lifetime, SourceKind
from prefixlint.model.segments import Value, walk
from prefixlint.model.sources import SourceFile

HEAD = '''
from openai import OpenAI
client = OpenAI()
RULES = """You answer for the public library of a small town. Books are lent for four weeks and films for one. A reader
may keep thirty things at a time. What is late costs ten cents a day. Never tell one what another has borrowed."""
def send(zip):
    return client.chat.completions.create(model="gpt-4o", messages=[
        {"role": "system", "content": f"{zip}\\n{RULES}"}, {"role": "user", "content": "Go on."}])
'''
REQUEST = (Lifetime.REQUEST, SourceKind.USER_INPUT)
USER = (Lifetime.USER, SourceKind.SESSION)
SESSION = (Lifetime.SESSION, SourceKind.SESSION)
PROCESS = (Lifetime.PROCESS, SourceKind.ENVIRONMENT)


def sent(program: str, **more: str) -> list[tuple[Lifetime, SourceKind]]:
    """Lifetime and kind of the value in front of the rules, in each template."""
    files = [SourceFile("app.py", HEAD + program), *(SourceFile(f"{name}.py", text) for name, text in more.items())]
    by_path = {file.path: file for file in files}
    found = analyse(files, by_path.get)
    assert not any(extraction.problems or extraction.faults for extraction in found.values())
    fronts = []
    for extraction in found.values():
        for template in extraction.templates:
            values = [s for block in template.blocks for s in walk(block.segments) if isinstance(s, Value)]
            fronts.extend((v.lifetime, v.origin.kind) for v in values[:1])
    return fronts


PROGRAMS = {
    "fastapi path and body": (
        """
from fastapi import FastAPI
from pydantic import BaseModel
app = FastAPI()
class Wish(BaseModel):
    zap: str
@app.post("/ask")
async def ask(zop: Wish):
    return send(zop.zap)
""",
        REQUEST,
    ),
    "fastapi body called like configuration": (
        """
from fastapi import FastAPI
from schemas import Options
app = FastAPI()
@app.post("/ask")
async def ask(options: Options):
    return send(options.zap)
""",
        REQUEST,
    ),
    "an id in a path": (
        """
from fastapi import APIRouter
router = APIRouter()
@router.get("/peers/{peer_id}")
def ask(peer_id: str):
    return send(peer_id)
""",
        USER,
    ),
    "a route of an application made elsewhere": (
        """
from core import app
@app.route("/ask/<zap>")
def ask(zap):
    return send(zap)
""",
        REQUEST,
    ),
    "flask request": (
        """
from flask import Flask, request
app = Flask(__name__)
@app.post("/ask")
def ask():
    return send(request.json["zap"])
""",
        REQUEST,
    ),
    "flask request arguments": (
        """
import flask
def ask():
    return send(flask.request.args.get("zap"))
""",
        REQUEST,
    ),
    "django view": (
        """
from django.http import JsonResponse
def ask(request):
    return JsonResponse({"a": send(request.POST["zap"])})
""",
        REQUEST,
    ),
    "starlette body": (
        """
from starlette.requests import Request
from starlette.routing import Route
async def ask(zop: Request):
    data = await zop.json()
    return send(data["zap"])
routes = []
app.add_route("/ask", ask)
""",
        REQUEST,
    ),
    "celery task": (
        """
from celery import shared_task
@shared_task
def ask(zap):
    return send(zap)
""",
        REQUEST,
    ),
    "lambda event": (
        """
import json
def lambda_handler(event, context):
    return send(json.loads(event["body"])["zap"])
""",
        REQUEST,
    ),
    "chainlit message": (
        """
import chainlit as cl
@cl.on_message
async def main(zap: cl.Message):
    return send(zap.content)
""",
        REQUEST,
    ),
    "discord command": (
        """
import discord
@bot.command()
async def ask(zop, *, zap):
    return send(zap)
""",
        REQUEST,
    ),
    "telegram handler": (
        """
from telegram.ext import MessageHandler, filters
async def ask(zop, zup):
    return send(zop.message.text)
application.add_handler(MessageHandler(filters.TEXT, ask))
""",
        REQUEST,
    ),
    "slack listener": (
        """
from slack_bolt import App
app = App()
@app.event("app_mention")
def ask(zop, say):
    return send(zop["text"])
""",
        REQUEST,
    ),
    "gradio interface": (
        """
import gradio as gr
def ask(zap):
    return send(zap)
gr.Interface(fn=ask, inputs="text", outputs="text")
""",
        REQUEST,
    ),
    "gradio button": (
        """
import gradio as gr
def ask(zap):
    return send(zap)
with gr.Blocks() as demo:
    button = gr.Button()
    button.click(ask, inputs=[box], outputs=[out])
""",
        REQUEST,
    ),
    "streamlit input": (
        """
import streamlit as st
zap = st.text_input("Zap")
if zap:
    send(zap)
""",
        REQUEST,
    ),
    "streamlit choice": (
        """
import streamlit as st
zap = st.sidebar.selectbox("Zap", ["a", "b"])
send(zap)
""",
        SESSION,
    ),
    "click command": (
        """
import click
@click.command()
@click.option("--zap")
def main(zap):
    send(zap)
""",
        PROCESS,
    ),
    "tool of an agent": (
        """
from agents import function_tool
@function_tool
def ask(zap: str) -> str:
    return send(zap)
""",
        REQUEST,
    ),
    "tool of a server": (
        """
from mcp.server.fastmcp import FastMCP
server = FastMCP("library")
@server.tool()
async def ask(zap: str) -> str:
    return send(zap)
""",
        REQUEST,
    ),
    "tool made of a function": (
        """
from langchain_core.tools import StructuredTool
def ask(zap: str) -> str:
    return send(zap)
asking = StructuredTool.from_function(ask)
""",
        REQUEST,
    ),
    "tool in a list": (
        """
from smolagents import CodeAgent
def ask(zap: str) -> str:
    return send(zap)
agent = CodeAgent(tools=[ask], model=MODEL)
""",
        REQUEST,
    ),
    "tool that names whom it is about": (
        """
from agno.tools import tool
@tool
def ask(shop_name: str) -> str:
    return send(shop_name)
""",
        USER,
    ),
    "argparse": (
        """
import argparse
def main():
    args = argparse.ArgumentParser().parse_args()
    send(args.zap)
""",
        PROCESS,
    ),
}


@pytest.mark.parametrize(("program", "expected"), PROGRAMS.values(), ids=PROGRAMS)
def test_what_a_handler_is_given(program: str, expected: tuple[Lifetime, SourceKind]) -> None:
    assert sent(program)[0] == expected


STEADY = {
    "no handler": ("def ask(zap):\n    return send(zap)\n", Lifetime.UNKNOWN),
    "decorators of something else": (
        "from functools import lru_cache\nregistry = {}\n@registry.get('zap')\ndef ask(zap):\n    return send(zap)\n",
        Lifetime.UNKNOWN,
    ),
    "a dependency": (
        'from fastapi import FastAPI, Depends\napp = FastAPI()\n@app.get("/ask")\n'
        "def ask(zap=Depends(make)):\n    return send(zap)\n",
        Lifetime.UNKNOWN,
    ),
    "an annotated dependency": (
        "from typing import Annotated\nfrom fastapi import FastAPI, Depends\napp = FastAPI()\n"
        '@app.get("/ask")\ndef ask(zap: Annotated[str, Depends(make)]):\n    return send(zap)\n',
        Lifetime.UNKNOWN,
    ),
    "what an agent gives its tools": (
        """
from pydantic_ai import Agent, RunContext
agent = Agent("openai:gpt-4o")
@agent.tool
def ask(ctx: RunContext[Shop]):
    return send(ctx.deps.zap)
""",
        Lifetime.UNKNOWN,
    ),
    "a tool of another trade": (
        """
from workshop import tool
@tool
def ask(zap):
    return send(zap)
""",
        Lifetime.UNKNOWN,
    ),
    "a name that says configuration": (
        'from fastapi import FastAPI\napp = FastAPI()\n@app.get("/ask")\n'
        "def ask(system_prompt: str):\n    return send(system_prompt)\n",
        Lifetime.DEPLOYMENT,
    ),
    "configuration of the application": (
        'from flask import current_app\ndef ask():\n    return send(current_app.config["zap"])\n',
        Lifetime.DEPLOYMENT,
    ),
}


@pytest.mark.parametrize(("program", "expected"), STEADY.values(), ids=STEADY)
def test_what_is_no_input(program: str, expected: Lifetime) -> None:
    assert sent(program)[0][0] is expected


def test_a_handler_in_another_file_reaches_the_prompt() -> None:
    route = "from fastapi import APIRouter\nfrom app import send\nrouter = APIRouter()\n"
    route += '@router.post("/ask/{zap}")\ndef ask(zap: str):\n    return send(zap)\n'
    assert sent("", routes=route) == [REQUEST]


def test_a_callback_registered_in_another_file() -> None:
    page = "import gradio as gr\nfrom app import ask\ngr.ChatInterface(ask).launch()\n"
    assert sent("def ask(zap):\n    return send(zap)\n", page=page) == [REQUEST]
    assert sent("def ask(zap):\n    return send(zap)\n")[0][0] is Lifetime.UNKNOWN


def test_handlers_of_the_project() -> None:
    program = "from desk import desk\n@desk.on_ticket\ndef ask(zap):\n    return send(zap)\n"
    assert sent(program)[0][0] is Lifetime.UNKNOWN
    with libraries.added({}, {"on_ticket": Handler(SourceKind.USER_INPUT, Lifetime.TURN)}):
        assert sent(program) == [(Lifetime.TURN, SourceKind.USER_INPUT)]


@pytest.mark.parametrize(
    ("taken", "read", "expected"),
    [
        ("run: RunContextWrapper[Shop], agent", "run.context.state.zap or 'none'", SESSION),
        ("run: RunContextWrapper[Shop], agent", "run.context.claim_id", SESSION),
        ("run: RunContext[Shop]", "run.deps.zap", SESSION),
        # What a field's name says holds; and what is no state of a run is no state of one.
        ("run: RunContextWrapper[Shop], agent", "run.context.question", REQUEST),
        ("run: RunContextWrapper[Shop], agent", "run.zap", (Lifetime.UNKNOWN, SourceKind.PARAMETER)),
        ("run: Bag, agent", "run.deps.zap", (Lifetime.UNKNOWN, SourceKind.PARAMETER)),
        # A context without a type may be what was retrieved.
        ("context, agent", "context.zap", (Lifetime.REQUEST, SourceKind.RETRIEVAL)),
    ],
)
def test_what_instructions_are_written_with(taken: str, read: str, expected: tuple[Lifetime, SourceKind]) -> None:
    program = f"""
from agents import Agent, RunContextWrapper
def write({taken}) -> str:
    found = {read}
    return f"{{found}}\\n{{RULES}}"
shop = Agent(name="Shop", instructions=write)
"""
    assert sent(program)[-1] == expected
