"""``prefixlint lock`` on real templates: Jinja files, whose front end needs no more than the file."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from prefixlint.cli.main import main
from prefixlint.tokens import get_tokenizer
from tokenizers import Tokenizer
from tokenizers.models import WordLevel

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., "Done"]

RULES = "Answer in the language of the question, in at most three short paragraphs, and never invent a price."
HEAD = (
    "# prefixlint lock, version 1\n"
    "# The stable prefix of each prompt. A line for each: file, template, then for each target its name, the tokens,\n"
    "# a hash of what stands in them and the tokenizer; last the values that can change, in order.\n"
)


@dataclass(frozen=True)
class Done:
    status: int
    out: str
    err: str


@pytest.fixture
def prompts(tmp_path: Path) -> Path:
    folder = tmp_path / "prompts"
    folder.mkdir()
    return folder


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs ``prefixlint lock`` in the folder, in this process."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Done:
        with pytest.raises(SystemExit) as ended:
            main(["lock", *arguments])
        assert isinstance(ended.value.code, int)
        return Done(ended.value.code, *capsys.readouterr())

    return run


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)


def lines(folder: Path) -> list[list[str]]:
    text = (folder / "prefixlint.lock").read_text()
    assert text.startswith(HEAD)
    return [line.split("\t") for line in text.removeprefix(HEAD).splitlines()]


def test_a_line_for_each_template(run: Run, tmp_path: Path, prompts: Path) -> None:
    write(prompts, "b.jinja", f"{RULES}\n\n{{{{ question }}}}\n")
    write(prompts, "a.jinja", f"{RULES}\n\nFor {{{{ user_name }}}}: {{{{ question }}}} {{{{ user_name }}}}\n")
    done = run("--target", "vllm", "--target", "openai:gpt-4o")
    assert (done.status, done.out, done.err) == (0, "Wrote the prefixes of 2 prompts to prefixlint.lock\n", "")
    first, second = lines(tmp_path)
    assert [first[0], first[1], first[3]] == ["prompts/a.jinja", "a", "user_name; question"]
    assert [second[0], second[1], second[3]] == ["prompts/b.jinja", "b", "question"]
    vllm, openai = (part.split() for part in second[2].split(", "))
    tokens = len(get_tokenizer("o200k_base").encode(f"{RULES}\n\n"))
    assert vllm == ["vllm", str(tokens), vllm[2], "o200k_base"]
    assert openai == ["openai:gpt-4o", str(tokens), vllm[2], "o200k_base"]
    assert len(vllm[2]) == 12
    text = (tmp_path / "prefixlint.lock").read_bytes()
    run("--target", "vllm", "--target", "openai:gpt-4o")
    assert (tmp_path / "prefixlint.lock").read_bytes() == text


def test_nothing_changed(run: Run, prompts: Path) -> None:
    write(prompts, "a.jinja", f"{RULES}\n\n{{{{ question }}}}\n")
    run()
    # Lines in front of the prompt, text behind the value, and a comment change nothing in the prefix.
    write(prompts, "a.jinja", f"{{# one\ntwo #}}{RULES}\n\n{{{{ question }}}}\nMind the rules.")
    done = run("--check")
    assert (done.status, done.out) == (0, "1 prompt checked against prefixlint.lock: no prefix shrank or changed\n")


def test_a_value_in_front_fails_with_old_and_new(run: Run, tmp_path: Path, prompts: Path) -> None:
    write(prompts, "a.jinja", f"{RULES}\n\n{{{{ question }}}}\n")
    run("--target", "vllm")
    old = int(lines(tmp_path)[0][2].split()[1])
    write(prompts, "a.jinja", f"{{# note #}}\n{{{{ now() }}}}\n{RULES}\n\n{{{{ question }}}}\n")
    done = run("--target", "vllm", "--check")
    assert done.status == 1
    message, closing = done.out.splitlines()
    assert message.startswith(f"prompts/a.jinja:1: a: {old} -> ")
    assert message.endswith(" tokens for vllm: `now()` added at line 2")
    assert int(message.split(" -> ")[1].split()[0]) < old
    assert closing == "1 change against prefixlint.lock; prefixlint lock records the prompts as they are"
    recorded = run("--target", "vllm")
    assert (recorded.status, recorded.out.splitlines()[0]) == (0, message)
    assert run("--target", "vllm", "--check").status == 0


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("RULES\n{{ context }} {{ question }}", "{{ question }}\nRULES\n{{ context }}", "`question` stands first now"),
        (
            "RULES\n{{ context }} {{ question }}",
            "{{ question }}\nRULES\n{{ context }}",
            ", at line 1; it was `context`",
        ),
        ("RULES\n{{ question }}", "RULES Be kind.\n{{ question }}", "text in front of `question` (line 2) is longer"),
        ("RULES\nRULES\n{{ text }}", "RULES\n{{ text }}", "text in front of `text` (line 2) is shorter"),
        ("RULES Be kind.\n{{ text }}", "RULES Be calm.\n{{ text }}", "text in front of `text` (line 2) changed"),
    ],
)
def test_reasons(run: Run, prompts: Path, before: str, after: str, reason: str) -> None:
    write(prompts, "a.jinja", before.replace("RULES", RULES))
    run("--target", "vllm")
    write(prompts, "a.jinja", after.replace("RULES", RULES))
    done = run("--target", "vllm", "--check")
    assert done.status == 1
    assert reason in done.out.splitlines()[0]


def test_new_and_gone_templates_are_told_and_do_not_fail(run: Run, prompts: Path) -> None:
    write(prompts, "a.jinja", f"{RULES}\n{{{{ question }}}}")
    write(prompts, "b.jinja", f"{RULES} {RULES}\n{{{{ question }}}}")
    run()
    (prompts / "b.jinja").unlink()
    write(prompts, "c.jinja", f"Be kind. {RULES}\n{{{{ text }}}}")
    done = run("--check")
    assert done.status == 0
    new, gone, closing = done.out.splitlines()
    assert new.startswith("prompts/c.jinja:1: c: not in the lock: ")
    assert gone == "prompts/b.jinja: b: in the lock, but not there any more"
    assert closing == "2 prompts checked against prefixlint.lock: no prefix shrank or changed"
    assert run("--check", "prompts/a.jinja").out.splitlines() == [
        "1 prompt checked against prefixlint.lock: no prefix shrank or changed"
    ]


def test_a_moved_file_is_followed(run: Run, tmp_path: Path, prompts: Path) -> None:
    write(prompts, "a.jinja", f"{RULES}\n{{{{ question }}}}")
    run()
    (tmp_path / "texts" / "prompts").mkdir(parents=True)
    (prompts / "a.jinja").rename(tmp_path / "texts" / "prompts" / "renamed.jinja")
    done = run("--check")
    assert (done.status, len(done.out.splitlines())) == (0, 1)


def test_locked_again_for_some_files_keeps_the_others(run: Run, tmp_path: Path, prompts: Path) -> None:
    for name in ("a", "b", "c"):
        write(prompts, f"{name}.jinja", f"{RULES}\n{{{{ question }}}}")
    run()
    before = lines(tmp_path)
    (prompts / "c.jinja").unlink()
    write(prompts, "a.jinja", f"Be kind. {RULES}\n{{{{ question }}}}")
    run("prompts/a.jinja")
    first, second = lines(tmp_path)
    assert second == before[1]
    assert (first[0], first[2] != before[0][2]) == ("prompts/a.jinja", True)


def test_another_tokenizer_is_no_change(run: Run, tmp_path: Path, prompts: Path) -> None:
    write(prompts, "a.jinja", f"{RULES}\n{{{{ question }}}}")
    run("--target", "vllm")
    text = (tmp_path / "prefixlint.lock").read_text()
    tokens = lines(tmp_path)[0][2].split()[1]
    (tmp_path / "prefixlint.lock").write_text(text.replace(f"vllm {tokens} ", "vllm 999 ").replace("o200k", "other"))
    done = run("--target", "vllm", "--check")
    assert done.status == 0
    assert f"999 -> {tokens} tokens for vllm: counted anew (other_base -> o200k_base)" in done.out
    # The same text and tokenizer, and less of it kept: that is a change.
    (tmp_path / "prefixlint.lock").write_text(text.replace(f"vllm {tokens} ", "vllm 999 "))
    assert run("--target", "vllm", "--check").status == 1


def test_another_target_is_told(run: Run, prompts: Path) -> None:
    write(prompts, "a.jinja", f"{RULES}\n{{{{ question }}}}")
    run("--target", "vllm")
    done = run("--target", "llama-server", "--check")
    assert done.status == 0
    assert "llama-server is not in the lock" in done.out


def test_a_file_that_cannot_be_analysed_does_not_pass(run: Run, tmp_path: Path) -> None:
    source = (
        "from openai import OpenAI\n\n\ndef ask(question):\n    return OpenAI().chat.completions.create(\n"
        f'        model="gpt-4o", messages=[{{"role": "user", "content": f"{RULES} {{question}}"}}]\n    )\n'
    )
    write(tmp_path, "a.py", source)
    run()
    assert run("--check").status == 0
    write(tmp_path, "a.py", f"{source}def def\n")
    done = run("--check")
    assert done.status == 1
    assert "a.py: could not be analysed (see prefixlint check)" in done.out


def test_place_of_the_lock(run: Run, tmp_path: Path, prompts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(prompts, "a.jinja", f"{RULES}\n{{{{ question }}}}")
    write(tmp_path, "prefixlint.toml", "")
    monkeypatch.chdir(prompts)
    run("../prompts/a.jinja")
    assert [line[0] for line in lines(tmp_path)] == ["prompts/a.jinja"]
    assert run("--check", "../prompts").out.startswith("1 prompt checked against ../prefixlint.lock")
    run("--lock-file", "own.lock", "../prompts")
    assert "\na.jinja\ta\t" in (prompts / "own.lock").read_text()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "no lock prefixlint.lock; prefixlint lock writes it"),
        ("{}\n", "prefixlint.lock: not a prefixlint lock; prefixlint lock makes one"),
        (f"{HEAD}=======\n", "prefixlint.lock:4: merge conflict; keep the lines of both sides, or run prefixlint lock"),
        (
            f"{HEAD}a\tb\tvllm many 0 x\t\n",
            "prefixlint.lock:4: expected target, tokens, hash, tokenizer, found 'vllm many 0 x'; run prefixlint lock",
        ),
    ],
)
def test_lock_that_cannot_be_used(run: Run, tmp_path: Path, content: str | None, message: str) -> None:
    if content is not None:
        write(tmp_path, "prefixlint.lock", content)
    done = run("--check")
    assert done.status == 2
    assert message in done.err
    if content == "{}\n":
        assert (run().status, (tmp_path / "prefixlint.lock").read_text()) == (2, content)


def test_standard_input_cannot_be_locked(run: Run) -> None:
    assert run("-").status == 2


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def test_branches_merge(run: Run, tmp_path: Path, prompts: Path) -> None:
    for name in ("a", "m", "z"):
        write(prompts, f"{name}.jinja", f"{RULES}\n{{{{ question }}}}")
    run()
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "start")
    for branch, name in (("left", "a.jinja"), ("right", "z.jinja")):
        git(tmp_path, "checkout", "-q", "-b", branch, "main")
        write(prompts, name, f"Be kind. {RULES}\n{{{{ question }}}}")
        run()
        git(tmp_path, "commit", "-qam", branch)
    git(tmp_path, "merge", "-q", "left")
    assert run("--check").status == 0


def test_a_tokenizer_is_named_as_in_the_configuration(run: Run, prompts: Path) -> None:
    models = prompts.parent / "models"
    models.mkdir()
    Tokenizer(WordLevel({"a": 0, "?": 1}, unk_token="?")).save(str(models / "tokenizer.json"))
    (prompts.parent / "prefixlint.toml").write_text('target = ["vllm"]\n[targets.vllm]\ntokenizer = "models"\n')
    write(prompts, "a.jinja", f"{RULES}\n{{{{ question }}}}")
    run()
    assert [line[2].split(" ")[-1] for line in lines(prompts.parent)] == ["models"]
    assert run("--check").status == 0
