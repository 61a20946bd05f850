"""Nodes and weights of the Gauss-Legendre quadrature over a step (Gustafsson 2010, section 3.1).

Nodes c = 1/2 -+ NODE and weights b on [0, 1]; they lie symmetrically, so half of them is enough. Of two pairs,
"inner" is the one nearer to the middle.
"""

from __future__ import annotations

import math

import numpy as np

NODE_4 = math.sqrt(3.0) / 6.0

NODE_6 = math.sqrt(15.0) / 10.0
WEIGHT_6, WEIGHT_6_MIDDLE = 5.0 / 18.0, 4.0 / 9.0
SHARES_6, WEIGHTS_6 = (0.5 - NODE_6, 0.5, 0.5 + NODE_6), (WEIGHT_6, WEIGHT_6_MIDDLE, WEIGHT_6)

INNER_8 = math.sqrt((3.0 - 2.0 * math.sqrt(6.0 / 5.0)) / 28.0)
OUTER_8 = math.sqrt((3.0 + 2.0 * math.sqrt(6.0 / 5.0)) / 28.0)
WEIGHT_8_INNER, WEIGHT_8_OUTER = (18.0 + math.sqrt(30.0)) / 72.0, (18.0 - math.sqrt(30.0)) / 72.0

# the same from the middle of the step, in a row for each number of nodes
_NOTHING = (0.0, 0.0)
OFFSETS = np.array(
    [
        (0.0, 0.0, *_NOTHING),
        (-NODE_4, NODE_4, *_NOTHING),
        (-NODE_6, 0.0, NODE_6, 0.0),
        (-OUTER_8, -INNER_8, INNER_8, OUTER_8),
    ]
)
WEIGHTS = np.array(
    [
        (1.0, 0.0, *_NOTHING),
        (0.5, 0.5, *_NOTHING),
        (WEIGHT_6, WEIGHT_6_MIDDLE, WEIGHT_6, 0.0),
        (WEIGHT_8_OUTER, WEIGHT_8_INNER, WEIGHT_8_INNER, WEIGHT_8_OUTER),
    ]
)
