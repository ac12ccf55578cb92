"""The language server: what ``check`` and ``report`` say, shown in an editor while a prompt is being written.

Only ``app`` and the modules that speak the protocol import pygls and lsprotocol, which are an optional extra.
"""
