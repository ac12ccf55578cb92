"""``action.yml`` and the GitLab template: valid by their schemas, and their scripts run in bash as a runner runs them.

Python, pip, ``gh`` and the event are stand-ins; git, jq and prefixlint are the real ones.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
ACTION: dict[str, Any] = YAML(typ="safe").load(ROOT / "action.yml")
STEPS: dict[str, dict[str, Any]] = {step["name"]: step for step in ACTION["runs"]["steps"]}
SPEC, GITLAB = YAML(typ="safe").load_all(ROOT / "templates/prefixlint.yml")
RULES = (
    "You are the help desk of a climbing hall. Answer in the language of the question, in at most three paragraphs. "
    "Never invent a price. The hall is open from nine to eleven in the evening on weekdays, from eight to ten at "
    "weekends. Shoes can be borrowed at the counter, ropes cannot. Children under twelve climb with an adult who holds "
    "a certificate. Courses begin on the first Monday of each month and last four evenings."
)
BAD = f"It is {{{{ now() }}}}.\n{RULES}\n{{{{ question }}}}\n"
GOOD = f"{RULES}\nIt is {{{{ now() }}}}.\n{{{{ question }}}}\n"

pytestmark = pytest.mark.skipif(
    any(shutil.which(program) is None for program in ("bash", "git")), reason="bash and git are needed"
)


class Runner:
    """A work tree with two commits, and what a runner gives a step: files for output, and programs on the path."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.work = base / "work"
        self.bin = base / "bin"
        self.temporary = base / "temp dir"
        for folder in (self.work / "prompts", self.bin, self.temporary):
            folder.mkdir(parents=True)
        self.program("prefixlint", f'exec "{sys.executable}" -m prefixlint "$@"')
        self.environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith(("GIT", "CI_"))},
            "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}",
            "RUNNER_TEMP": str(self.temporary),
            **{
                name: str(base / name)
                for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_PATH", "GIT_CONFIG_GLOBAL")
            },
            **{f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
        }
        self.git("init", "-q", "-b", "main")
        self.first = self.commit("prompts/old.jinja", BAD)
        self.commit("notes.md", "nothing\n")

    def program(self, name: str, script: str) -> None:
        path = self.bin / name
        path.write_text(f"#!/usr/bin/env bash\n{script}\n", encoding="utf-8")
        path.chmod(0o755)

    def git(self, *arguments: str) -> str:
        command = ["git", *arguments]
        return subprocess.check_output(command, cwd=self.work, env=self.environment, text=True).strip()

    def commit(self, name: str, text: str) -> str:
        (self.work / name).write_text(text, encoding="utf-8")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "step")
        return self.git("rev-parse", "HEAD")

    def run(self, script: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
            cwd=self.work,
            env={**self.environment, **variables},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    def step(self, name: str, **values: str) -> subprocess.CompletedProcess[str]:
        """Runs a step of the action; ``values`` are its variables, which the action has to name all of."""
        step = STEPS[name]
        assert step["shell"] == "bash"
        assert "${{" not in step["run"], "expressions in a script let an input run commands"
        assert set(values) == set(step.get("env", {}))
        return self.run(step["run"], **values)

    def outputs(self) -> dict[str, str]:
        text = (self.base / "GITHUB_OUTPUT").read_text(encoding="utf-8")
        return dict(line.partition("=")[::2] for line in text.splitlines())

    def check(self, base: str = "", **values: str) -> subprocess.CompletedProcess[str]:
        given = {"CHECK_PATHS": ".", "CHECK_ARGUMENTS": "", "ONLY_NEW": "true", "BASE": base} | values
        return self.step("Check", **given)


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path)


def vendored(name: str) -> dict[str, Any]:
    from importlib.resources import files

    pytest.importorskip("check_jsonschema")
    text = files("check_jsonschema").joinpath("builtin_schemas", "vendor", name).read_text(encoding="utf-8")
    document = json.loads(text)
    assert isinstance(document, dict)
    return document


def test_the_files_follow_the_schemas_of_github_gitlab_and_pre_commit() -> None:
    Draft7Validator(vendored("github-actions.json")).validate(ACTION)
    filled = re.sub(r"\$\[\[ inputs\.(\w+) \]\]", lambda found: f"some-{found[1]}", json.dumps(GITLAB))
    Draft7Validator(vendored("gitlab-ci.json")).validate(json.loads(filled))
    pytest.importorskip("pre_commit")
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml")]
    assert subprocess.run(command, check=False).returncode == 0


def test_inputs_and_outputs_that_are_named_exist() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    assert set(re.findall(r"inputs\.([a-z-]+)", text)) == set(ACTION["inputs"])
    written = set(re.findall(r'echo "(\w+)=', STEPS["Check"]["run"]))
    assert set(re.findall(r"steps\.check\.outputs\.(\w+)", text)) == written
    assert set(re.findall(r"inputs\.(\w+)", json.dumps(GITLAB))) == set(SPEC["spec"]["inputs"])


def test_check_reports_and_goes_on(runner: Runner) -> None:
    done = runner.check()
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("::error file=prompts/old.jinja,line=1,col=7,")
    outputs = runner.outputs()
    assert outputs["status"] == "1"
    assert json.loads(Path(outputs["sarif"]).read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert "PFX101" in Path(outputs["markdown"]).read_text(encoding="utf-8")
    assert runner.step("Job summary", MARKDOWN=outputs["markdown"]).returncode == 0
    assert (runner.base / "GITHUB_STEP_SUMMARY").read_text() == Path(outputs["markdown"]).read_text()
    assert runner.step("Result", STATUS="1").returncode == 1
    assert runner.step("Result", STATUS="0").returncode == 0


def test_in_a_pull_request_only_what_is_new_fails(runner: Runner) -> None:
    assert runner.check(runner.first).stdout == ""
    assert runner.outputs()["status"] == "0"
    runner.commit("prompts/new.jinja", BAD)
    assert "prompts/new.jinja" in runner.check(runner.first).stdout
    assert "prompts/old.jinja" in runner.check(runner.first, ONLY_NEW="false").stdout


def test_the_base_is_fetched_where_the_clone_is_shallow(runner: Runner) -> None:
    runner.git("clone", "-q", "--depth=1", runner.work.as_uri(), str(runner.base / "shallow"))
    runner.git("config", "uploadpack.allowAnySHA1InWant", "true")
    runner.work = runner.base / "shallow"
    done = runner.check(runner.first)
    assert (done.returncode, done.stdout, runner.outputs()["status"]) == (0, "", "0")


def test_paths_and_arguments_are_words_and_no_commands(runner: Runner) -> None:
    done = runner.check(CHECK_PATHS="prompts notes.md", CHECK_ARGUMENTS="--fail-on error --ignore PFX101")
    assert (done.returncode, runner.outputs()["status"]) == (0, "0")
    done = runner.check(CHECK_PATHS="prompts; touch ran $(touch ran)")
    assert done.returncode == 2
    assert not (runner.work / "ran").exists()


def test_wrong_use_ends_the_job_at_once(runner: Runner) -> None:
    done = runner.check(CHECK_ARGUMENTS="--ignore PFX777")
    assert done.returncode == 2
    assert "PFX777" in done.stderr


def test_install_puts_prefixlint_on_the_path(runner: Runner) -> None:
    runner.program(
        "python",
        f'echo "$@" >> "{runner.base}/calls"; [ "$2" != venv ] || {{ mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; }}',
    )
    done = runner.step("Install prefixlint", PYTHON="python", SOURCE="/action source")
    assert done.returncode == 0, done.stderr
    venv = f"{runner.temporary}/prefixlint"
    assert (runner.base / "calls").read_text().splitlines() == [
        f"-m venv {venv}",
        "-m pip install --quiet --disable-pip-version-check /action source",
    ]
    assert (runner.base / "GITHUB_PATH").read_text() == f"{venv}/bin\n"


GH = """\
echo "$@" >> "{base}/calls"
if [ "$2" = --paginate ]; then cat "{base}/comments" || exit 1; exit 0; fi
while [ $# -gt 0 ]; do [ "$1" != --input ] || cat "$2" > "{base}/sent"; shift; done
exit "${{GH_STATUS:-0}}"
"""


@pytest.fixture
def commented(runner: Runner) -> Runner:
    if shutil.which("jq") is None:
        pytest.skip("jq is needed")
    runner.program("gh", GH.format(base=runner.base))
    (runner.base / "comments").write_text("")
    return runner


def comment(runner: Runner, status: str, markdown: str) -> subprocess.CompletedProcess[str]:
    (runner.base / "found.md").write_text(markdown, encoding="utf-8")
    name = "Comment on the pull request"
    values = {"STATUS": status, "GH_TOKEN": "t", "REPOSITORY": "o/r", "NUMBER": "7"}
    done = runner.step(name, MARKDOWN=str(runner.base / "found.md"), **values)
    assert done.returncode == 0, done.stderr
    return done


def calls(runner: Runner) -> list[str]:
    return (runner.base / "calls").read_text().splitlines()


def test_a_comment_is_written_once_and_then_renewed(commented: Runner) -> None:
    text = '### prefixlint\n\n| `"quoted"` | 1 |\n'
    comment(commented, "1", text)
    assert " ".join(calls(commented)[-1].split()[:4]) == "api --method POST repos/o/r/issues/7/comments"
    sent = json.loads((commented.base / "sent").read_text(encoding="utf-8"))
    assert sent == {"body": f"<!-- prefixlint -->\n{text}"}
    (commented.base / "comments").write_text("41\n42\n")
    comment(commented, "0", "### prefixlint\n\nNo faults found.\n")
    assert " ".join(calls(commented)[-1].split()[:4]) == "api --method PATCH repos/o/r/issues/comments/41"


def test_no_comment_where_there_is_nothing_to_say(commented: Runner) -> None:
    comment(commented, "0", "### prefixlint\n\nNo prompt changed.\n")
    assert len(calls(commented)) == 1


def test_a_token_that_may_not_write_fails_nothing(commented: Runner) -> None:
    commented.environment["GH_STATUS"] = "1"
    assert comment(commented, "1", "| x |\n").stdout.startswith("::warning title=prefixlint::the comment cannot be")
    (commented.base / "comments").unlink()
    assert comment(commented, "1", "| x |\n").stdout.startswith("::warning title=prefixlint::the comments of")


def gitlab(runner: Runner, **variables: str) -> subprocess.CompletedProcess[str]:
    job = GITLAB["prefixlint"]
    given = {key.removeprefix("PREFIXLINT_").lower(): key for key in job["variables"]}
    assert {name: job["variables"][key] for name, key in given.items()} == {
        name: f"$[[ inputs.{name} ]]" for name in SPEC["spec"]["inputs"] if name not in ("stage", "image")
    }
    venv = runner.base / "venv"
    (venv / "bin").mkdir(parents=True, exist_ok=True)
    shutil.copy(runner.bin / "prefixlint", venv / "bin/prefixlint")
    script = "\n".join(job["script"]).replace("/tmp/prefixlint", str(venv))
    values = {"PREFIXLINT_PATHS": ".", "PREFIXLINT_ARGUMENTS": "", "PREFIXLINT_ONLY_NEW": "true"}
    return runner.run(script, **values | variables)


def test_gitlab_on_a_branch(runner: Runner) -> None:
    done = gitlab(runner)
    assert done.returncode == 1
    assert "PFX101" in done.stdout
    reports = GITLAB["prefixlint"]["artifacts"]["reports"]
    (found,) = json.loads((runner.work / reports["codequality"]).read_text(encoding="utf-8"))
    assert found["location"]["path"] == "prompts/old.jinja"
    assert "<testcase" in (runner.work / reports["junit"]).read_text(encoding="utf-8")


def test_gitlab_in_a_merge_request(runner: Runner) -> None:
    done = gitlab(runner, CI_MERGE_REQUEST_DIFF_BASE_SHA=runner.first)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 older than" in done.stdout
    # The report has the old finding all the same: GitLab compares it with the target branch's.
    assert len(json.loads((runner.work / "gl-code-quality-report.json").read_text(encoding="utf-8"))) == 1
    runner.commit("prompts/new.jinja", BAD)
    assert gitlab(runner, CI_MERGE_REQUEST_DIFF_BASE_SHA=runner.first).returncode == 1
    assert gitlab(runner, PREFIXLINT_ARGUMENTS="--ignore PFX101").returncode == 0
