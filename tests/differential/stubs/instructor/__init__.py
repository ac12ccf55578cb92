"""Stands for instructor: the client that it wraps, as it is."""


def from_openai(client, **_):
    return client
