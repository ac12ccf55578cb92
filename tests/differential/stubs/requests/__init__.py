"""Stands for the requests package: keeps what a model behind HTTP is asked."""

import json as _json
from types import SimpleNamespace

from requests_recorder import record


def sent(body):
    """Records a request's body: messages with an optional system prompt, or a plain prompt."""
    record(
        tools=body.get("tools"),
        system=body.get("system"),
        messages=body.get("messages", ()),
        prompt=body.get("prompt", body.get("inputs")),
    )
    return SimpleNamespace(status_code=200, json=lambda: {"content": "Certainly."}, raise_for_status=lambda: None)


def post(url, data=None, json=None, **_):
    return sent(_json.loads(data) if json is None else json)


class Session:
    def __init__(self):
        self.headers = {}

    def post(self, url, **arguments):
        return post(url, **arguments)
