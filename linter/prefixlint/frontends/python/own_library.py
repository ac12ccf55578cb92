"""Whether the project is a library that the tables know, and who in it uses the library as others do.

In such a repository examples and cookbooks import the library from beside them. What its classes and functions do with
a prompt the tables tell better than its source. A package that only bears the name of a library is not meant: the
project has to say that it is the library (``name`` in ``pyproject.toml``).
"""

from __future__ import annotations

import posixpath
import tomllib
from typing import TYPE_CHECKING

from prefixlint.knowledge.distributions import is_distributed_as
from prefixlint.knowledge.libraries import libraries

if TYPE_CHECKING:
    from prefixlint.frontends.python.modules import ModuleInfo
    from prefixlint.frontends.python.project import Project
    from prefixlint.frontends.python.values import Import


def is_used_from_outside(item: Import, module: ModuleInfo, project: Project) -> bool:
    """Whether what is imported from ``module``, one of the project, is something that the tables know of a library, and
    the importer is no part of that library."""
    top, below = item.dotted.partition(".")[0], item.dotted.replace(".", "/")
    folder = module.path.removesuffix(".py").removesuffix("/__init__").removesuffix(below).rstrip("/")
    return (
        libraries().at_path(f"{item.dotted}.{item.name}") is not None
        and not item.importer.path.startswith(posixpath.join(folder, top, ""))
        and _is_distributed_from(folder, top, project)
    )


def _is_distributed_from(folder: str, package: str, project: Project) -> bool:
    """Whether the package that lies in ``folder`` is what the project there, or above a ``src`` folder, distributes."""
    root = posixpath.dirname(folder) if posixpath.basename(folder) == "src" else folder
    file = project.file(posixpath.join(root, "pyproject.toml"))
    if file is None:
        return False
    try:
        data = tomllib.loads(file.text)
    except tomllib.TOMLDecodeError:
        return False
    tables = (data.get("project"), data.get("tool", {}).get("poetry") if isinstance(data.get("tool"), dict) else None)
    names = (table.get("name") for table in tables if isinstance(table, dict))
    return any(is_distributed_as(package, name) for name in names if isinstance(name, str))
