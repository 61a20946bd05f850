"""The classical Runge-Kutta scheme of order 4 (Kutta 1901), as a scheme of your own: copy it, change what you like."""

from physics import moment, product

NAME, TITLE, ORDER, TORQUES = "own-rk4", "My Runge-Kutta 4", 4, 4


def rates(J, field, q, w):  # dq/dt = q o (0, w) / 2 and J dw/dt = m - w x J w, as seven numbers
    m = moment(field, q, w)
    x = (m[0] - (J[2] - J[1]) * w[1] * w[2]) / J[0]
    y = (m[1] - (J[0] - J[2]) * w[2] * w[0]) / J[1]
    z = (m[2] - (J[1] - J[0]) * w[0] * w[1]) / J[2]
    return (*product(q, (0.0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2])), x, y, z)


def ahead(t, q, w, k):  # attitude and angular velocity after t seconds at the rates k
    q = (q[0] + t * k[0], q[1] + t * k[1], q[2] + t * k[2], q[3] + t * k[3])
    return q, (w[0] + t * k[4], w[1] + t * k[5], w[2] + t * k[6])


def step(J, field, h, q, w):
    a = rates(J, field, q, w)
    b = rates(J, field, *ahead(0.5 * h, q, w, a))
    c = rates(J, field, *ahead(0.5 * h, q, w, b))
    d = rates(J, field, *ahead(h, q, w, c))
    q, w = ahead(h / 6.0, q, w, [a[i] + 2.0 * (b[i] + c[i]) + d[i] for i in range(7)])
    return q, w, 0.0  # no equation is solved, so that nothing is left of one
