import pytest
from prefixlint.discover.globs import matches, valid


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("build", "build/a.py", True),
        ("build", "src/build/a.py", True),
        ("build", "src/building/a.py", False),
        ("build", "rebuild/a.py", False),
        ("*.py", "src/a.py", True),
        ("*.py", "src/a.pyi", False),
        ("tests/*", "tests/a.py", True),
        ("tests/*", "src/tests/a.py", False),
        ("/tests", "tests/a.py", True),
        ("/tests", "src/tests/a.py", False),
        ("src/**/old", "src/old/a.py", True),
        ("src/**/old", "src/x/y/old/a.py", True),
        ("src/**/old", "lib/old/a.py", False),
        ("**/old", "x/old/a.py", True),
        ("docs/**", "docs/a/b.md", True),
        ("docs/", "docs/b.md", True),
        ("./docs/x", "docs/x/y", True),
        ("a?.py", "ab.py", True),
        ("a?.py", "a/.py", False),
        ("[ab].py", "b.py", True),
        ("[!ab].py", "b.py", False),
        ("[!ab].py", "c.py", True),
        ("a.py", "axpy", False),
        ("a[.py", "a[.py", True),
        ("*.egg-info", "x.egg-info/top.txt", True),
    ],
)
def test_glob(pattern: str, path: str, expected: bool) -> None:
    assert matches(path, (pattern,)) is expected


def test_no_pattern_matches_nothing() -> None:
    assert not matches("a.py", ())
    assert not matches("a.py", ("", "/", "./"))


def test_any_of_several() -> None:
    assert matches("b/x.py", ("a", "b", "c"))


def test_validity() -> None:
    assert valid("a*[bc]?/**")
    assert not valid("[z-a]")
