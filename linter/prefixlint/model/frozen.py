"""Frozen dataclasses that are quick to make: an analysis makes a million of them.

For type checkers this is ``dataclasses.dataclass`` itself, and ``frozen=True`` holds: to assign a field is an error.
While a program runs, nothing stands in the way of an assignment. A dataclass that is frozen then too has to set its own
fields by ``object.__setattr__``, which takes four times as long.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, frozen: bool, eq: bool = True, **options: Any) -> Callable[[type], type]:
        """``dataclasses.dataclass`` with these options; the class is hashed by its fields as a frozen one is."""

        def made(cls: type) -> type:
            by_fields = frozen and eq and "__hash__" not in cls.__dict__
            return dataclasses.dataclass(eq=eq, unsafe_hash=by_fields, **options)(cls)

        return made
