"""One row of the table of systems: what a kind of scenario is, how its model is built and how it moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from physics.core.rotation import Array
from physics.core.trajectory import Block, Trajectory
from physics.scenario.scenario import Scenario
from physics.schemes.scheme import Scheme
from physics.systems.world import World

S = TypeVar("S", bound=Scenario)
W = TypeVar("W", bound=World)
Derived = tuple[str, Callable[[Trajectory], Array]]


@dataclass(frozen=True)
class System(Generic[S, W]):
    """The facts of a kind of scenario.

    Attributes
    ----------
    kind : as in scenario files
    scenario : its class, with the tables and the checks that it adds
    build : a scenario's world, before what every world gets (the digests of its files)
    stream : blocks of at most so many stored states of a world under a scheme; the first holds the initial state alone
    rotation_alone : whether nothing but a rotation is integrated, by ``Scheme.march``
    torque_free : whether nothing turns the body: then its exact motion is known, see physics.simulation.exact_motion
    smooth : whether the motion depends smoothly on its start, so that an order of convergence can be seen
    torque : whether a torque acts on the body in all of its motion, so that its spin changes
    passive : whether nothing takes energy from the motion, so that a loss is the scheme's
    contacts : whether the body touches something: the column ``contact`` is stored
    ensembles : whether many bodies can be released, see physics.ensembles
    derived : columns that files of its trajectories have besides: name -> unit, and values (n,) of a trajectory
    """

    kind: str
    scenario: type[S]
    build: Callable[[S], W]
    stream: Callable[[W, Scheme, int], Iterator[Block]]
    rotation_alone: bool = False
    torque_free: bool = False
    smooth: bool = True
    torque: bool = False
    passive: bool = False
    contacts: bool = False
    ensembles: bool = False
    derived: Mapping[str, Derived] = field(default_factory=dict)
