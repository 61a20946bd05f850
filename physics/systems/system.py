"""One row of the table of systems: what a kind of scenario is, how its model is built and how it moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from physics.core.trajectory import Block
from physics.scenario.scenario import Scenario
from physics.schemes.scheme import Scheme
from physics.systems.world import World

S = TypeVar("S", bound=Scenario)
W = TypeVar("W", bound=World)


@dataclass(frozen=True)
class System(Generic[S, W]):
    """The facts of a kind of scenario.

    Attributes
    ----------
    kind : as in scenario files
    scenario : its class, with the tables and the checks that it adds
    build : a scenario's world, before what every world gets (the digests of its files)
    stream : blocks of at most so many stored states of a world under a scheme; the first holds the initial state alone
    torque_free : whether nothing turns the body: then its exact motion is known, see physics.simulation.exact_motion
    smooth : whether the motion depends smoothly on its start, so that an order of convergence can be seen
    torque : whether a torque acts on the body in all of its motion, so that its spin changes
    passive : whether nothing takes energy from the motion, so that a loss is the scheme's
    falling : whether nothing gives energy to the motion, and every scheme must know: its total energy never rises
    contacts : whether the body touches something: the column ``contact`` is stored
    ensembles : whether many bodies can be released, see physics.ensembles
    """

    kind: str
    scenario: type[S]
    build: Callable[[S], W]
    stream: Callable[[W, Scheme, int], Iterator[Block]]
    torque_free: bool = False
    smooth: bool = True
    torque: bool = False
    passive: bool = False
    falling: bool = False
    contacts: bool = False
    ensembles: bool = False
