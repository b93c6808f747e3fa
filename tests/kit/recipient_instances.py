"""Small worlds with several recipients, as instances of the package."""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st
from oracle_recipients import PlainRecipient, recipients_of
from oracle_worlds import codes_of, instance_of
from oracles import World
from worlds import worlds

from gamedeid.data.profiles import PopulationCells
from gamedeid.game.instance import Instance
from gamedeid.game.recipients import Recipients, RecipientType
from gamedeid.population.choose import Layout, OwnPeople
from gamedeid.scenario.recipients import Recipient


@st.composite
def with_recipients(draw: st.DrawFn) -> tuple[World, list[PlainRecipient]]:
    """Draw a world with one to three recipients."""
    world = draw(worlds())
    return world, draw(recipients_of(world))


def instance_with(
    world: World,
    recipients: list[PlainRecipient],
    sections: dict[str, Recipient] | None = None,
    layout: Layout = "dense",
) -> Instance:
    """Return the instance with recipients, by their sections; some have their own population."""
    sections = sections or {f"r{place}": one.section for place, one in enumerate(recipients)}
    instance = instance_of(world, layout)
    own = {}
    for place, one in enumerate(recipients):
        if one.people is not None:
            codes = codes_of(world, [values for values, _ in one.people])
            people = np.array([times for _, times in one.people], np.int64)
            cells = PopulationCells.of(codes, people, list(instance.hierarchies.values()))
            levels = np.zeros(instance.lattice.attributes, np.int64)
            own[f"r{place}"] = OwnPeople(cells=cells, levels=levels, unmatched=one.unmatched)  # type: ignore[arg-type]
    return Instance.of(replace(instance.data, own=own).uncounted(), instance.payoffs, sections)


def alone(instance: Instance, recipient: Recipient | None = None) -> Instance:
    """Return the instance with the paper's adversary as the only recipient, by the code for several recipients."""
    one = RecipientType(name="only", recipient=recipient or Recipient(), chance=1.0, learned=False)
    nodes = np.arange(instance.lattice.size)[None, :]
    nodes.setflags(write=False)
    levels = np.zeros((1, instance.lattice.attributes), np.int64)
    return replace(instance, recipients=Recipients(types=(one,), nodes=nodes, levels=levels))
