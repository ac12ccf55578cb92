"""The Jinja file does not say what `clock` is; the call that renders it does."""

from datetime import datetime

from jinja2 import Environment, FileSystemLoader
from openai import OpenAI

client = OpenAI()
environment = Environment(loader=FileSystemLoader("prompts"))


def pilot(report):
    system = environment.get_template("fault_pilot.j2").render(clock=datetime.now().isoformat())
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": report}],
    )
