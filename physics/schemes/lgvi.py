"""LGVI: the Lie group variational integrator of Lee, Leok & McClamroch (2007), for a body under torque.

Half a kick, a step of the discrete Moser-Veselov equation, half a kick. Without torque it is moser-veselov.
"""

from __future__ import annotations

from physics.schemes import moser_veselov
from physics.schemes.kicks import between_kicks

step = between_kicks(moser_veselov.step)
