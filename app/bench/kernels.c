/* The same algorithms as physics/schemes/{explicit,implicit,exact}.py in plain C, to measure the compiled kernels against.
   Each function takes n steps from the state (q, w) and leaves the last state there. */
#include <math.h>

typedef struct { double x, y, z; } vec;
typedef struct { double s, x, y, z; } quat;

static vec cross(vec a, vec b) {
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static quat product(quat p, quat q) {
    return (quat){p.s * q.s - p.x * q.x - p.y * q.y - p.z * q.z, p.s * q.x + p.x * q.s + p.y * q.z - p.z * q.y,
                  p.s * q.y - p.x * q.z + p.y * q.s + p.z * q.x, p.s * q.z + p.x * q.y - p.y * q.x + p.z * q.s};
}
static double square(quat q) { return q.s * q.s + q.x * q.x + q.y * q.y + q.z * q.z; }
static quat scaled(quat q, double f) { return (quat){q.s * f, q.x * f, q.y * f, q.z * f}; }
static quat renormalised(quat q) { return scaled(q, 1.5 - 0.5 * square(q)); }
static vec rotate(quat q, vec v) {
    vec e = {q.x, q.y, q.z}, c = cross(e, v), d = cross(e, c);
    return (vec){v.x + 2 * (q.s * c.x + d.x), v.y + 2 * (q.s * c.y + d.y), v.z + 2 * (q.s * c.z + d.z)};
}
static quat exp_half(vec t) {
    double x = 0.25 * dot(t, t), c, s;
    if (x < 0.05) {
        c = 1 - x / 2 * (1 - x / 12 * (1 - x / 30 * (1 - x / 56 * (1 - x / 90))));
        s = 0.5 * (1 - x / 6 * (1 - x / 20 * (1 - x / 42 * (1 - x / 72 * (1 - x / 110)))));
    } else {
        double half = sqrt(x);
        c = cos(half);
        s = 0.5 * sin(half) / half;
    }
    return (quat){c, s * t.x, s * t.y, s * t.z};
}
static quat arc(vec b, vec c) {
    double length = sqrt(dot(b, b) * dot(c, c));
    if (length == 0) return (quat){1, 0, 0, 0};
    double real = length + dot(b, c);
    vec k = cross(b, c);
    double s = 1 / sqrt(real * real + dot(k, k));
    return (quat){real * s, k.x * s, k.y * s, k.z * s};
}

void explicit_steps(const double *J, double h, long n, double *state) {
    quat q = {state[0], state[1], state[2], state[3]};
    vec w = {state[4], state[5], state[6]};
    double tr = J[0] + J[1] + J[2];
    for (long i = 0; i < n; i++) {
        vec g = {0.5 * h * (tr - J[0]) * w.x, 0.5 * h * (tr - J[1]) * w.y, 0.5 * h * (tr - J[2]) * w.z};
        vec gw = cross(g, w), b = {2 * gw.x, 2 * gw.y, 2 * gw.z}, Jg = {J[0] * g.x, J[1] * g.y, J[2] * g.z};
        double det = J[0] * J[1] * J[2] + dot(g, Jg), gb = dot(g, b);
        vec c = cross(Jg, b);
        vec next = {w.x - (J[1] * J[2] * b.x + g.x * gb - c.x) / det, w.y - (J[2] * J[0] * b.y + g.y * gb - c.y) / det,
                    w.z - (J[0] * J[1] * b.z + g.z * gb - c.z) / det};
        quat half = product(q, (quat){1, 0.25 * h * w.x, 0.25 * h * w.y, 0.25 * h * w.z});
        double s = 0.25 * h / sqrt(square(half));
        quat full = product(half, (quat){1, s * next.x, s * next.y, s * next.z});
        q = scaled(full, 1 / sqrt(square(full)));
        w = next;
    }
    state[0] = q.s, state[1] = q.x, state[2] = q.y, state[3] = q.z, state[4] = w.x, state[5] = w.y, state[6] = w.z;
}

void implicit_steps(const double *J, double h, long n, double *state) {
    quat q = {state[0], state[1], state[2], state[3]};
    vec w = {state[4], state[5], state[6]};
    for (long i = 0; i < n; i++) {
        double a1 = 0.5 * h * (J[2] - J[1]) / J[0], a2 = 0.5 * h * (J[0] - J[2]) / J[1], a3 = 0.5 * h * (J[1] - J[0]) / J[2];
        double x0 = w.x - a1 * w.y * w.z, y0 = w.y - a2 * w.z * w.x, z0 = w.z - a3 * w.x * w.y, scale = dot(w, w);
        double x = w.x - a1 * y0 * z0, y = w.y - a2 * z0 * x0, z = w.z - a3 * x0 * y0;
        for (int k = 0; k < 50; k++) {
            double r1 = x - w.x + a1 * y * z, r2 = y - w.y + a2 * z * x, r3 = z - w.z + a3 * x * y;
            double c12 = a1 * z, c13 = a1 * y, c21 = a2 * z, c23 = a2 * x, c31 = a3 * y, c32 = a3 * x;
            double inverse = 1 / (1 - c12 * c21 - c13 * c31 - c23 * c32 + c12 * c23 * c31 + c13 * c21 * c32);
            double d1 = ((1 - c23 * c32) * r1 + (c13 * c32 - c12) * r2 + (c12 * c23 - c13) * r3) * inverse;
            double d2 = ((c23 * c31 - c21) * r1 + (1 - c13 * c31) * r2 + (c13 * c21 - c23) * r3) * inverse;
            double d3 = ((c21 * c32 - c31) * r1 + (c12 * c31 - c32) * r2 + (1 - c12 * c21) * r3) * inverse;
            x -= d1, y -= d2, z -= d3;
            if (d1 * d1 + d2 * d2 + d3 * d3 <= 1e-16 * scale) break;
        }
        vec next = {2 * x - w.x, 2 * y - w.y, 2 * z - w.z};
        quat e = exp_half((vec){h * x, h * y, h * z});
        vec b = {J[0] * next.x, J[1] * next.y, J[2] * next.z};
        vec c = rotate((quat){e.s, -e.x, -e.y, -e.z}, (vec){J[0] * w.x, J[1] * w.y, J[2] * w.z});
        vec k = cross(b, c);
        double real = dot(b, b) + dot(b, c);
        quat turned = product(q, product(e, real > 1e-3 * dot(b, b) ? (quat){real, k.x, k.y, k.z} : arc(b, c)));
        q = scaled(turned, 1 / sqrt(square(turned)));
        w = next;
    }
    state[0] = q.s, state[1] = q.x, state[2] = q.y, state[3] = q.z, state[4] = w.x, state[5] = w.y, state[6] = w.z;
}

/* WIDTH bodies at once, component by component: their steps are independent, and are compiled to vectors. */
enum { WIDTH = 16 };

void explicit_many(const double *J, double h, long n, long blocks, double *states) {
    double tr = J[0] + J[1] + J[2];
    for (long b = 0; b < blocks; b++) {
        double *s = states + 7 * WIDTH * b;
        for (long k = 0; k < n; k++)
            for (int i = 0; i < WIDTH; i++) {
                quat q = {s[i], s[WIDTH + i], s[2 * WIDTH + i], s[3 * WIDTH + i]};
                vec w = {s[4 * WIDTH + i], s[5 * WIDTH + i], s[6 * WIDTH + i]};
                vec g = {0.5 * h * (tr - J[0]) * w.x, 0.5 * h * (tr - J[1]) * w.y, 0.5 * h * (tr - J[2]) * w.z};
                vec gw = cross(g, w), d = {2 * gw.x, 2 * gw.y, 2 * gw.z}, Jg = {J[0] * g.x, J[1] * g.y, J[2] * g.z};
                double det = 1 / (J[0] * J[1] * J[2] + dot(g, Jg)), gd = dot(g, d);
                vec c = cross(Jg, d);
                vec next = {w.x - (J[1] * J[2] * d.x + g.x * gd - c.x) * det, w.y - (J[2] * J[0] * d.y + g.y * gd - c.y) * det,
                            w.z - (J[0] * J[1] * d.z + g.z * gd - c.z) * det};
                quat half = product(q, (quat){1, 0.25 * h * w.x, 0.25 * h * w.y, 0.25 * h * w.z});
                double f = 0.25 * h / sqrt(square(half));
                quat full = product(half, (quat){1, f * next.x, f * next.y, f * next.z});
                q = scaled(full, 1 / sqrt(square(full)));
                s[i] = q.s, s[WIDTH + i] = q.x, s[2 * WIDTH + i] = q.y, s[3 * WIDTH + i] = q.z;
                s[4 * WIDTH + i] = next.x, s[5 * WIDTH + i] = next.y, s[6 * WIDTH + i] = next.z;
            }
    }
}

/* Three steps of Newton's method and a series of the exponential, whatever the step: no test and no way out. */
void implicit_many(const double *J, double h, long n, long blocks, double *states) {
    double a1 = 0.5 * h * (J[2] - J[1]) / J[0], a2 = 0.5 * h * (J[0] - J[2]) / J[1], a3 = 0.5 * h * (J[1] - J[0]) / J[2];
    for (long b = 0; b < blocks; b++) {
        double *s = states + 7 * WIDTH * b;
        for (long k = 0; k < n; k++)
            for (int i = 0; i < WIDTH; i++) {
                quat q = {s[i], s[WIDTH + i], s[2 * WIDTH + i], s[3 * WIDTH + i]};
                vec w = {s[4 * WIDTH + i], s[5 * WIDTH + i], s[6 * WIDTH + i]};
                double x = w.x - a1 * w.y * w.z, y = w.y - a2 * w.z * w.x, z = w.z - a3 * w.x * w.y;
                for (int m = 0; m < 3; m++) {
                    double r1 = x - w.x + a1 * y * z, r2 = y - w.y + a2 * z * x, r3 = z - w.z + a3 * x * y;
                    double c12 = a1 * z, c13 = a1 * y, c21 = a2 * z, c23 = a2 * x, c31 = a3 * y, c32 = a3 * x;
                    double inverse = 1 / (1 - c12 * c21 - c13 * c31 - c23 * c32 + c12 * c23 * c31 + c13 * c21 * c32);
                    x -= ((1 - c23 * c32) * r1 + (c13 * c32 - c12) * r2 + (c12 * c23 - c13) * r3) * inverse;
                    y -= ((c23 * c31 - c21) * r1 + (1 - c13 * c31) * r2 + (c13 * c21 - c23) * r3) * inverse;
                    z -= ((c21 * c32 - c31) * r1 + (c12 * c31 - c32) * r2 + (1 - c12 * c21) * r3) * inverse;
                }
                vec next = {2 * x - w.x, 2 * y - w.y, 2 * z - w.z};
                double u = 0.25 * h * h * (x * x + y * y + z * z);
                double c = 1 - u / 2 * (1 - u / 12 * (1 - u / 30 * (1 - u / 56 * (1 - u / 90))));
                double f = h * 0.5 * (1 - u / 6 * (1 - u / 20 * (1 - u / 42 * (1 - u / 72 * (1 - u / 110)))));
                quat e = {c, f * x, f * y, f * z};
                vec p = {J[0] * next.x, J[1] * next.y, J[2] * next.z};
                vec r = rotate((quat){e.s, -e.x, -e.y, -e.z}, (vec){J[0] * w.x, J[1] * w.y, J[2] * w.z}), t = cross(p, r);
                quat turned = product(q, product(e, (quat){dot(p, p) + dot(p, r), t.x, t.y, t.z}));
                q = scaled(turned, 1 / sqrt(square(turned)));
                s[i] = q.s, s[WIDTH + i] = q.x, s[2 * WIDTH + i] = q.y, s[3 * WIDTH + i] = q.z;
                s[4 * WIDTH + i] = next.x, s[5 * WIDTH + i] = next.y, s[6 * WIDTH + i] = next.z;
            }
    }
}

/* places in the vector of constants, as in physics/schemes/euler.py and exact.py */
enum { KIND, RATE, TAU0, PERIOD, KAPPA, BETA, NOME, SIGMA, SPIN, SLOPE, LAST };
enum { AMPLITUDE = 11, MOMENT = 14, AXIS = 17, FLIP = 20, OMEGA = 23, SERIES = 26, RHO = 38, FRONT = 39, BACK = 43 };

typedef struct { double cn, sn, dn, re, im; } jacobi;

static jacobi small_modulus(const double *s, double tau) {
    double z = 0.5 * M_PI * tau / s[PERIOD], n1 = s[NOME], n2 = n1 * n1, n4 = n2 * n2, n6 = n2 * n4;
    double c1 = cos(z), s1 = sin(z), c2 = 1 - 2 * s1 * s1, s2 = 2 * s1 * c1, c4 = 2 * c2 * c2 - 1, s4 = 2 * s2 * c2;
    double c6 = 2 * c2 * c4 - c2, s3 = s1 * (2 * c2 + 1), c3 = c1 * (2 * c2 - 1), s5 = 2 * c2 * s3 - s1, c5 = 2 * c2 * c3 - c1;
    double odd = n1 * c2 + n4 * n4 * n1 * c6, even = n4 * c4, below = 1 / (1 - 2 * odd + 2 * even);
    double re = 1 - s[SERIES] * c2 + s[SERIES + 1] * c4, im = s[SERIES + 2] * s2 + s[SERIES + 3] * s4;
    return (jacobi){(c1 + n2 * c3 + n6 * c5) * below, (s1 - n2 * s3 + n6 * s5) * below, (1 + 2 * odd + 2 * even) * below,
                    c1 * re - s1 * im, c1 * im + s1 * re};
}

static jacobi large_modulus(const double *s, double tau) {
    double turns = 0;
    if (s[PERIOD] < INFINITY) {
        turns = floor(0.5 * tau / s[PERIOD] + 0.5);
        tau -= 2 * s[PERIOD] * turns;
    }
    double flip = fmod(turns, 2) == 0 ? 1 : -1, beta = fmin(fmax(s[BETA] * tau, -40), 40), up = exp(beta), down = 1 / up;
    double p1 = up * up, m1 = down * down, n1 = s[NOME], n2 = n1 * n1, n4 = n2 * n2, n6 = n2 * n4, n12 = n6 * n6;
    double p2 = p1 * p1, m2 = m1 * m1, p3 = p2 * p1, m3 = m2 * m1, p4 = p2 * p2, m4 = m2 * m2;
    double p5 = p4 * p1, m5 = m4 * m1, p6 = p4 * p2, m6 = m4 * m2, p7 = p6 * p1, m7 = m6 * m1;
    double below = 2 / (p1 + m1 + n2 * (p3 + m3) + n6 * (p5 + m5) + n12 * (p7 + m7));
    double sn = 0.5 * (p1 - m1 - n2 * (p3 - m3) + n6 * (p5 - m5) - n12 * (p7 - m7)) * below;
    double odd = n1 * (p2 + m2) + n4 * n4 * n1 * (p6 + m6), even = n4 * (p4 + m4), re = 0, im = 0;
    for (int n = 0; n < 6; n++) {
        re += s[SERIES + n] * (up + down);
        im += s[SERIES + 6 + n] * (up - down);
        up *= p1, down *= m1;
    }
    double c = cos(s[KAPPA] * tau) * flip, d = sin(s[KAPPA] * tau) * flip;
    return (jacobi){(1 - odd + even) * below * flip, sn * flip, (1 + odd + even) * below, c * re - d * im, c * im + d * re};
}

void exact_steps(const double *s, double h, long n, double *state) {
    for (long i = 1; i <= n; i++) {
        double t = h * i, tau = s[RATE] * t + s[TAU0];
        jacobi f = s[KIND] == 1 ? small_modulus(s, tau) : large_modulus(s, tau);
        double u1 = s[AMPLITUDE] * f.cn, u2 = s[AMPLITUDE + 1] * f.sn, u3 = s[AMPLITUDE + 2] * f.dn;
        double c = cos(0.5 * s[RHO] * t), d = sin(0.5 * s[RHO] * t), im = -s[SIGMA] * f.im;
        double x = c * f.re - d * im, y = c * im + d * f.re, up = 1 + u3;
        double norm = 1 / sqrt((x * x + y * y) * (u1 * u1 + u2 * u2 + up * up));
        x *= norm, y *= norm;
        quat turn = {x * up, x * u2 + y * u1, y * u2 - x * u1, y * up};
        quat q = renormalised(product((quat){s[FRONT], s[FRONT + 1], s[FRONT + 2], s[FRONT + 3]},
                                      product(turn, (quat){s[BACK], s[BACK + 1], s[BACK + 2], s[BACK + 3]})));
        double w[3] = {s[FLIP] * s[SPIN] / s[MOMENT] * u1, s[FLIP + 1] * s[SPIN] / s[MOMENT + 1] * u2,
                       s[FLIP + 2] * s[SPIN] / s[MOMENT + 2] * u3};
        state[0] = q.s, state[1] = q.x, state[2] = q.y, state[3] = q.z;
        for (int j = 0; j < 3; j++) state[4 + (int)s[AXIS + j]] = w[j];
    }
}
