"""The hooks under the real ``pre-commit``: a commit with a volatile-first prompt is refused, the mended one passes.

The hook repository is a copy of this project. Its environment is made once, by pip from the package index, as any
user's is; the libraries that prefixlint depends on are lent to it by the environment of the tests, because installing
them takes minutes. Where there is no package index the tests are skipped.
"""

from __future__ import annotations

import os
import shutil
import site
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.importorskip("pre_commit")
if shutil.which("git") is None:
    pytest.skip("git is not installed", allow_module_level=True)

ROOT = Path(__file__).parents[2]
RULES = (
    "You are the help desk of a climbing hall. Answer in the language of the question, in at most three paragraphs. "
    "Never invent a price. The hall is open from nine to eleven in the evening on weekdays, from eight to ten at "
    "weekends. Shoes can be borrowed at the counter, ropes cannot. Children under twelve climb with an adult who holds "
    "a certificate. Courses begin on the first Monday of each month and last four evenings."
)
BAD = f"It is {{{{ now() }}}}.\n{RULES}\n{{{{ question }}}}\n"
GOOD = f"{RULES}\nIt is {{{{ now() }}}}.\n{{{{ question }}}}\n"


@dataclass(frozen=True)
class Repository:
    """A git work tree with the hooks installed, and the environment that git and pre-commit run in."""

    folder: Path
    environment: dict[str, str]

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text, encoding="utf-8")

    def call(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, encoding="utf-8", check=False
        )

    def commit(self) -> tuple[bool, str]:
        """Stages everything and commits: did it pass, and what did the hooks say?"""
        self.call("git", "add", "-A")
        done = self.call("git", "commit", "-m", "step")
        return done.returncode == 0, done.stdout + done.stderr

    def lock(self) -> None:
        done = self.call(sys.executable, "-m", "prefixlint", "lock")
        assert done.returncode == 0, done.stderr

    def init(self) -> None:
        done = self.call(sys.executable, "-m", "prefixlint", "init", "--yes")
        assert done.returncode == 0, done.stderr

    def hooks(self, source: Path, *names: str) -> None:
        """Configures the hooks of the repository ``source`` and nothing else."""
        revision = self.call("git", "-C", str(source), "rev-parse", "HEAD").stdout.strip()
        entries = "".join(f"      - id: {name}\n" for name in names)
        self.write(
            ".pre-commit-config.yaml",
            f"repos:\n  - repo: {source.as_posix()}\n    rev: {revision}\n    hooks:\n{entries}",
        )


def lent_libraries(folder: Path) -> Path:
    """A folder with links to all that is installed here but prefixlint itself."""
    folder.mkdir()
    for place in dict.fromkeys([*site.getsitepackages(), *sys.path]):
        if Path(place).name not in ("site-packages", "dist-packages"):
            continue
        for entry in Path(place).iterdir():
            link = folder / entry.name
            if not link.exists() and not entry.name.lower().startswith(("prefixlint", "__editable__", "_prefixlint")):
                link.symlink_to(entry)
    return folder


@pytest.fixture(scope="session")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """The hook repository, and the environment variables for its use; one for all workers of a run."""
    filelock = pytest.importorskip("filelock")
    base = tmp_path_factory.getbasetemp()
    base = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "pre-commit"
    base.mkdir(exist_ok=True)
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "PRE_COMMIT"))}
    environment |= {
        "HOME": str(base),
        "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache")),
        "PRE_COMMIT_HOME": str(base / "home"),
        "PYTHONPATH": str(base / "libraries"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }
    with filelock.FileLock(base / "lock"):
        if not (base / "libraries").exists():
            hook_repository(Repository(base / "hooks", environment))
            lent_libraries(base / "libraries")
    return base / "hooks", environment


def hook_repository(there: Repository) -> None:
    """A repository with what pre-commit needs of this project."""
    there.folder.mkdir()
    for name in ("linter", "rules", "pyproject.toml", "README.md", "LICENSE", "NOTICE", ".pre-commit-hooks.yaml"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, there.folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            shutil.copy(source, there.folder / name)
    there.call("git", "init", "-q", "-b", "main")
    assert there.commit()[0]


@pytest.fixture
def repository(tmp_path: Path, hooks: tuple[Path, dict[str, str]]) -> Repository:
    """A work tree with one good prompt in it and the hook installed."""
    source, environment = hooks
    there = Repository(tmp_path, environment)
    there.call("git", "init", "-q", "-b", "main")
    there.hooks(source, "prefixlint")
    there.write("prompts/ask.jinja", GOOD)
    assert there.commit()[0]
    done = there.call(sys.executable, "-m", "pre_commit", "install", "--install-hooks")
    if "No matching distribution found for hatchling" in done.stdout + done.stderr:
        pytest.skip("no package index to install the hooks from")
    assert done.returncode == 0, done.stdout + done.stderr
    return there


def test_a_bad_prompt_is_refused_and_the_mended_one_passes(repository: Repository) -> None:
    repository.write("prompts/tell.jinja", BAD)
    passed, said = repository.commit()
    assert not passed
    assert "prompts/tell.jinja:1:7" in said
    assert "PFX101" in said
    assert repository.call("git", "log", "--format=%s").stdout.count("step") == 1
    repository.write("prompts/tell.jinja", GOOD)
    passed, said = repository.commit()
    assert passed, said


def test_only_changed_files_matter(repository: Repository) -> None:
    """Neither a bad prompt that was there before, nor one in a file that is left out though git names it."""
    repository.write("prompts/tell.jinja", BAD)
    repository.call("git", "add", "-A")
    assert repository.call("git", "commit", "--no-verify", "-m", "as it was").returncode == 0
    repository.write("prompts/ask.jinja", GOOD + "Be kind.\n")
    repository.write("tests/prompts/other.jinja", BAD)
    passed, said = repository.commit()
    assert passed, said
    everything = repository.call(sys.executable, "-m", "pre_commit", "run", "prefixlint", "--all-files")
    assert everything.returncode == 1
    assert "tell.jinja" in everything.stdout
    assert "other.jinja" not in everything.stdout


def test_the_fix_hook_mends_what_it_safely_can(repository: Repository, hooks: tuple[Path, dict[str, str]]) -> None:
    """A listing in a prompt is sorted in the file, the commit is stopped for a look, and the next one passes."""
    repository.hooks(hooks[0], "prefixlint-fix")
    source = (
        "import os\nfrom openai import OpenAI\n\n\ndef ask(question):\n"
        f"    text = ' '.join(os.listdir('routes')) + {RULES!r}\n"
        "    return OpenAI().chat.completions.create(\n"
        "        model='gpt-4o',\n"
        "        messages=[{'role': 'system', 'content': text}, {'role': 'user', 'content': question}],\n"
        "    )\n"
    )
    repository.write("app/bot.py", source)
    passed, said = repository.commit()
    assert not passed
    assert "files were modified by this hook" in said
    mended = source.replace("os.listdir('routes')", "sorted(os.listdir('routes'))")
    assert (repository.folder / "app/bot.py").read_text(encoding="utf-8") == mended
    passed, said = repository.commit()
    assert passed, said


def test_a_prefix_that_changed_is_refused_until_it_is_locked(
    repository: Repository, hooks: tuple[Path, dict[str, str]]
) -> None:
    repository.hooks(hooks[0], "prefixlint-lock")
    repository.lock()
    repository.write("prompts/ask.jinja", GOOD.replace("Shoes can", "{{ question }} Shoes can"))
    passed, said = repository.commit()
    assert not passed
    assert "`question` stands first now" in said
    repository.lock()
    passed, said = repository.commit()
    assert passed, said


def test_what_init_writes_refuses_a_bad_prompt(tmp_path: Path, hooks: tuple[Path, dict[str, str]]) -> None:
    """The hook that runs the installed prefixlint, from an empty folder on."""
    there = Repository(tmp_path / "new", dict(hooks[1]))
    program = tmp_path / "bin" / "prefixlint"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m prefixlint "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    there.environment.pop("PYTHONPATH")
    if "PYTHONPATH" in os.environ:
        there.environment["PYTHONPATH"] = os.environ["PYTHONPATH"]
    there.environment["PATH"] = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    there.write("prompts/tell.jinja", BAD)
    there.call("git", "init", "-q", "-b", "main")
    there.init()
    assert there.call(sys.executable, "-m", "pre_commit", "install").returncode == 0
    passed, said = there.commit()
    assert not passed
    assert "PFX101" in said
    there.write("prompts/tell.jinja", GOOD)
    passed, said = there.commit()
    assert passed, said
