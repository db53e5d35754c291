"""The reference page of policies, made from what is registered."""

from __future__ import annotations

from rubrica.assignment.contract import Policy
from rubrica.assignment.design import GROUP
from rubrica.kinds.registry import registered

_HEAD = """\
<!-- Made by scripts/reference.py from the code; do not edit. -->

# Policies: who rates what next

`raters: policy` in the study file names a policy; unless it does, one follows from what else stands
there: `lists` gives *lists*, `places` gives *places*, `per_item: all` gives *everyone* and a number
*least_covered*. A package may bring policies of its own under the entry points `rubrica.policies`.

Whatever the policy: a place is reserved before its item is shown, so an item never gets more raters
than asked for; nobody gets an item twice unless `repeats` plans it; members of a `set` do not follow
each other where that can be avoided; and every choice comes from the study's `seed` and is logged.
Calibration items come before the first, gold items (`items: gold`) and planned repeats in between.
"""


def page() -> str:
    there: dict[str, Policy] = registered(GROUP)
    return _HEAD + "".join(f"\n## {name}\n\n{policy.says}\n" for name, policy in there.items())
