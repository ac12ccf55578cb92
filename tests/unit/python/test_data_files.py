"""Records of data files and data sets vary, whatever their fields are called; configuration from a file does not."""

from __future__ import annotations

import pytest
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Value, walk
from python_support import templates_of

HEAD = '''
import csv, glob, json, os
import pandas as pd
from datasets import load_dataset
from multiprocessing import Pool
from openai import OpenAI
from pathlib import Path
client = OpenAI()
RULES = """You answer for the public library of a small town. Books are lent for four weeks and films for one. A reader
may keep thirty things at a time. What is late costs ten cents a day. Never tell one what another has borrowed."""
def send(zip):
    return client.chat.completions.create(model="gpt-4o", messages=[
        {"role": "system", "content": f"{zip}\\n{RULES}"}, {"role": "user", "content": "Go on."}])
'''


def lifetimes(program: str) -> set[Lifetime]:
    """Lifetimes of the value in front of the rules, in the templates that a caller fills."""
    return {
        segment.lifetime
        for template in templates_of(HEAD + program)
        for block in template.blocks
        for segment in walk(block.segments)
        if isinstance(segment, Value)
    }


VARYING = {
    "rows of a table": 'def ask():\n    for _, row in pd.read_csv("d.csv").iterrows():\n        send(row["tone"])\n',
    "rows as tuples": 'def ask():\n    for row in pd.read_csv("d.csv").itertuples():\n        send(row.category)\n',
    "records of a table": (
        'def ask():\n    for r in pd.read_csv("d.csv").to_dict("records"):\n        send(r["zap"])\n'
    ),
    "rows of a csv file": (
        'def ask():\n    with open("a.csv") as f:\n        for row in csv.DictReader(f):\n'
        '            send(row["style"])\n'
    ),
    "a data set": 'def ask():\n    for item in load_dataset("x")["test"]:\n        send(item["label"])\n',
    "a data set by place": (
        'def ask():\n    ds = load_dataset("x")\n    for i in range(len(ds)):\n        send(ds[i]["label"])\n'
    ),
    "lines of json": (
        'def ask():\n    with open("x.jsonl") as f:\n        for line in f:\n'
        '            send(json.loads(line)["tone"])\n'
    ),
    "a file for each task": (
        "def solve(domain, example_id):\n"
        '    config_file = os.path.join("tasks", f"{domain}/{example_id}.json")\n'
        "    with open(config_file) as f:\n        example = json.load(f)\n"
        '    return send(example["instruction"])\n'
        "def ask(tasks):\n    for number in tasks:\n        solve('web', number)\n"
    ),
    "files of a folder": (
        'def ask():\n    for path in glob.glob("tasks/*.json"):\n'
        '        send(json.loads(Path(path).read_text())["category"])\n'
    ),
    "a pool": (
        'def solve(example):\n    return send(example["zap"])\n'
        'def ask():\n    ds = load_dataset("x")\n    with Pool(4) as pool:\n        pool.map(solve, ds)\n'
    ),
}


@pytest.mark.parametrize("program", VARYING.values(), ids=VARYING)
def test_records_vary(program: str) -> None:
    assert Lifetime.REQUEST in lifetimes(program)


STEADY = {
    "configuration": 'def ask(path):\n    config = json.loads(Path(path).read_text())\n    send(config["persona"])\n',
    "a prompt in a record": (
        'def ask():\n    with open("agents.jsonl") as f:\n        for line in f:\n'
        '            send(json.loads(line)["system_prompt"])\n'
    ),
    "tools in a loop": (
        "def ask(tools):\n    text = ''\n    for tool in tools:\n        text += f'{tool.name}: {tool.description}'\n"
        "    send(text)\n"
    ),
}


@pytest.mark.parametrize("program", STEADY.values(), ids=STEADY)
def test_configuration_stays(program: str) -> None:
    assert not any(lifetime.varies for lifetime in lifetimes(program))
