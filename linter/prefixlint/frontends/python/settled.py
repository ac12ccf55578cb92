"""What questions about all functions of a run ask of each of them, found before the syntax tree of its module goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.frontends.python.handlers import registrations
from prefixlint.frontends.python.interest import constants, is_interesting_body, settle_interest
from prefixlint.frontends.python.pictures import takes_pictures
from prefixlint.frontends.python.turns import lists_cut
from prefixlint.frontends.python.unsent import counts_tokens

if TYPE_CHECKING:
    from prefixlint.frontends.python.modules import ModuleInfo


def settle(module: ModuleInfo) -> None:
    """Finds it for a module. Nobody has asked for it: it is no question of anything that is being found."""
    with module.trace.apart():
        constants(module)
        registrations(module)
        is_interesting_body(module)
        _ = module.star_imports
        for info in module.functions:
            settle_interest(info)
            _ = info.parameters, info.decorators, info.method_decorators, info.size
            _ = info.given_messages, info.is_abstract, info.additions, info.lines
            if info.shortens and not info.cuts_conversation:
                lists_cut(info)
            counts_tokens(info)
            takes_pictures(info)
        for owner in module.classes.values():
            _ = owner.bases, owner.base_names, owner.is_abstract, owner.attribute_names, owner.annotated
            _ = owner.added_to, owner.set_later, owner.switches
        _ = module.enclosing, module.names_set_by_functions, module.names_set_from_outside, module.names_added_to
