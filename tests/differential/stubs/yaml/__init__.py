"""Stands for PyYAML, by way of ruamel.yaml."""

from ruamel.yaml import YAML


def safe_load(stream):
    return YAML(typ="safe").load(stream)
