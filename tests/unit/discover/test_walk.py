from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest
from prefixlint.discover import git
from prefixlint.discover.read import Contents, read_bytes, read_source
from prefixlint.discover.walk import Rules, find
from prefixlint.model.sources import SourceFile
from prefixlint.model.templates import Problem

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("a.py", "src/b.py", "src/build/c.py", ".venv/d.py", "node_modules/e.py", "src/f.txt", "zoo/g.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n")
    return tmp_path


def paths(
    *arguments: str, root: Path, exclude: tuple[str, ...] | None = None, include: tuple[str, ...] = ()
) -> list[str]:
    rules = Rules(str(root), include=include) if exclude is None else Rules(str(root), exclude, include)
    found, errors = find(arguments, rules, lambda path: path.endswith(".py"))
    assert not errors
    return [file.path for file in found]


def init(folder: Path) -> None:
    subprocess.run(["git", "init", "-q", str(folder)], check=True)


def test_own_walk_leaves_out_default_folders(tree: Path) -> None:
    assert paths(".", root=tree) == ["a.py", "src/b.py", "zoo/g.py"]


def test_tests_are_left_out_unless_named(tree: Path) -> None:
    for name in ("tests/h.py", "src/test/i.py", "src/test_j.py", "src/k_test.py", "src/contest.py", "conftest.py"):
        (tree / name).parent.mkdir(exist_ok=True)
        (tree / name).write_text("")
    assert paths(".", root=tree) == ["a.py", "src/b.py", "src/contest.py", "zoo/g.py"]
    assert paths("tests", "src/test_j.py", root=tree) == ["src/test_j.py", "tests/h.py"]


def test_paths_are_shown_as_named(tree: Path) -> None:
    assert paths("src", root=tree) == ["src/b.py"]
    assert paths("./src/", root=tree) == ["src/b.py"]
    assert paths(str(tree / "src"), root=tree) == [f"{tree.as_posix()}/src/b.py"]


def test_a_file_found_twice_is_taken_once(tree: Path) -> None:
    assert paths("src", "src/b.py", ".", root=tree) == ["a.py", "src/b.py", "zoo/g.py"]


def test_explicit_file_is_taken_though_excluded(tree: Path) -> None:
    assert paths(".venv/d.py", root=tree) == [".venv/d.py"]


def test_a_named_file_is_left_out_where_the_rules_say_so(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules(str(tree), exclude=("build", "zoo/*.py"), include=("src/**", "zoo"), named_too=True)
    monkeypatch.chdir(tree / "src")
    found, errors = find(
        ["b.py", "build/c.py", "../zoo/g.py", "../a.py", str(tree / "src/b.py")], rules, lambda path: True
    )
    assert ([file.path for file in found], errors) == (["b.py"], ())


def test_folder_named_on_the_command_line_is_taken_though_excluded_by_name(tree: Path) -> None:
    assert paths("src/build", root=tree) == ["src/build/c.py"]


def test_exclude_and_include(tree: Path) -> None:
    assert paths(".", root=tree, exclude=("zoo",)) == [
        ".venv/d.py",
        "a.py",
        "node_modules/e.py",
        "src/b.py",
        "src/build/c.py",
    ]
    assert paths(".", root=tree, include=("src/**",)) == ["src/b.py"]
    assert paths("src", root=tree, exclude=("src/build",)) == ["src/b.py"]


def test_missing_path_is_an_error_and_the_rest_goes_on(tree: Path) -> None:
    found, errors = find(["nowhere", "", "a.py"], Rules(str(tree)), lambda _: True)
    assert [file.path for file in found] == ["a.py"]
    assert [str(error) for error in errors] == ["no such file or folder: nowhere", "empty path"]


def test_links_are_not_followed_on_the_walk(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.py").write_text("x = 1\n")
    (tree / "src" / "loop").symlink_to(tree, target_is_directory=True)
    (tree / "src" / "out").symlink_to(outside, target_is_directory=True)
    (tree / "src" / "file.py").symlink_to(outside / "secret.py")
    assert paths(".", root=tree) == ["a.py", "src/b.py", "zoo/g.py"]
    init(tree)
    assert paths(".", root=tree) == ["a.py", "src/b.py", "zoo/g.py"]
    assert paths("src/file.py", root=tree) == ["src/file.py"]


def test_git_ignored_files_are_out(tree: Path) -> None:
    (tree / ".gitignore").write_text("zoo/\n*_pb2.py\n")
    (tree / "src" / "x_pb2.py").write_text("")
    assert "zoo/g.py" in paths(".", root=tree)
    init(tree)
    assert paths(".", root=tree) == ["a.py", "src/b.py"]
    assert paths("src", root=tree) == ["src/b.py"]
    # A folder that git ignores as a whole was asked for by name.
    assert paths("zoo", root=tree) == ["zoo/g.py"]


def test_deleted_but_tracked_file_is_passed_over(tree: Path) -> None:
    init(tree)
    subprocess.run(["git", "add", "a.py"], check=True)
    (tree / "a.py").unlink()
    assert paths(".", root=tree) == ["src/b.py", "zoo/g.py"]


def test_nested_repository_is_entered(tree: Path) -> None:
    init(tree)
    init(tree / "src")
    (tree / "src" / ".gitignore").write_text("h.py\n")
    (tree / "src" / "h.py").write_text("")
    subprocess.run(["git", "-C", "src", "add", "b.py"], check=True)
    assert paths(".", root=tree) == ["a.py", "src/b.py", "zoo/g.py"]


def test_names_with_spaces_newlines_and_accents(tree: Path) -> None:
    init(tree)
    for name in ("ä b.py", "new\nline.py", '"q".py'):
        (tree / name).write_text("")
    assert {"ä b.py", "new\nline.py", '"q".py'} <= set(paths(".", root=tree))


def test_repository_settings_run_no_program(tree: Path) -> None:
    init(tree)
    trap, sprung = tree / "trap.sh", tree / "sprung"
    trap.write_text(f"#!/bin/sh\ntouch '{sprung}'\n")
    trap.chmod(0o755)
    subprocess.run(["git", "config", "core.fsmonitor", str(trap)], check=True)
    assert "a.py" in paths(".", root=tree)
    assert not sprung.exists()


def test_without_git_the_walk_is_our_own(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    init(tree)
    (tree / ".gitignore").write_text("zoo/\n")
    monkeypatch.setenv("PATH", "")
    assert git.listed(str(tree)) is None
    assert paths(".", root=tree) == ["a.py", "src/b.py", "zoo/g.py"]


def test_git_variables_of_a_hook_do_not_mislead(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    init(tree)
    monkeypatch.setenv("GIT_DIR", "/nonexistent")
    monkeypatch.setenv("GIT_INDEX_FILE", "/nonexistent/index")
    assert paths(".", root=tree) == ["a.py", "src/b.py", "zoo/g.py"]


def test_read_is_bounded_and_says_the_size(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"0123456789")
    assert read_bytes(str(path), 10) == Contents(b"0123456789", 10)
    assert read_bytes(str(path), 4) == Contents(b"0123", 10)
    problem = read_source(str(path), 4)
    assert isinstance(problem, Problem)
    assert problem.message == (
        "file has 10 bytes, more than max-file-size (4); raise max-file-size in the configuration, or exclude the file"
    )
    source = read_source(str(path), 10)
    assert isinstance(source, SourceFile)
    assert source.text == "0123456789"


@pytest.mark.parametrize("size", [0, 1, 9, 10, 11, 4096])
def test_every_size_around_the_limit(tmp_path: Path, size: int) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"x" * size)
    assert read_bytes(str(path), 10) == Contents(b"x" * min(size, 10), size)


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="needs /proc")
def test_a_file_without_a_size_of_its_own_is_read_up_to_the_limit() -> None:
    contents = read_bytes("/proc/self/status", 50)
    assert isinstance(contents, Contents)
    assert len(contents.data) == 50
    assert contents.size > 50


def test_what_is_no_regular_file_is_not_opened(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.py"
    os.mkfifo(pipe)
    assert read_bytes(str(pipe), 10) == "not a regular file"
    assert read_bytes(str(tmp_path / "gone.py"), 10) == "file vanished while reading"


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_unreadable_file(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("")
    path.chmod(0)
    assert "Permission denied" in str(read_bytes(str(path), 10))
