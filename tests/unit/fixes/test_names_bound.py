"""A value that does something besides standing in the text stays where it is."""

from __future__ import annotations

import pytest
from prefixlint.config import Config
from prefixlint.run import run
from prefixlint.run.fixing import mend

RULES = "".join(f"The bell of house {n} is rung at {n} and never before the bread is out. " for n in range(1, 13))
PROGRAM = """from datetime import datetime
from openai import OpenAI

client = OpenAI()
RULES = {rules!r}


def ask(question):
    system = f"It is {field}.\\n{{RULES}}\\nBe kind."
    return client.chat.completions.create(
        model="gpt-4o", messages=[{{"role": "system", "content": system}}, {{"role": "user", "content": question}}]
    )
"""


@pytest.mark.parametrize(
    ("field", "mended"),
    [("{datetime.now()}", True), ("{(n := datetime.now())}", False), ("{datetime.now() = }", False)],
)
def test_what_binds_a_name_or_prints_itself_is_not_moved(
    field: str, mended: bool, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path_factory.mktemp("bound")
    monkeypatch.chdir(folder)
    (folder / "ask.py").write_text(PROGRAM.format(rules=RULES, field=field))

    def again(overlay: object) -> object:
        return run(["ask.py"], Config(root=str(folder)), unsaved=tuple(overlay.values()))  # type: ignore[attr-defined]

    result = run(["ask.py"], Config(root=str(folder)))
    assert [finding.code for finding in result.findings] == ["PFX101"]
    assert bool(mend(result, again, unsafe=True, among=result.findings).made) is mended  # type: ignore[arg-type]
