"""Stands for the httpx package: keeps what a model behind HTTP is asked."""

import json as _json

from requests import sent


class AsyncClient:
    def __init__(self, **_):
        pass

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        return None

    async def post(self, url, json=None, content=None, **_):
        return sent(_json.loads(content) if json is None else json)
