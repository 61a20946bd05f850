/* The integrals over the part of a closed mesh below z = 0, as physics/hydrostatics/immersion.py has them. */

typedef struct { double x, y, z; } point;

static inline point cut(point low, point high)
{
    double s = low.z / (low.z - high.z);
    point p = {low.x + s * (high.x - low.x), low.y + s * (high.y - low.y), 0.0};
    return p;
}

static inline void add(double *t, point a, point b, point c)
{
    double w = ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) / 24.0;
    double x = a.x + b.x + c.x, y = a.y + b.y + c.y, z = a.z + b.z + c.z;
    t[0] += 4.0 * w * z;
    t[1] += w * (a.x * a.z + b.x * b.z + c.x * c.z + x * z);
    t[2] += w * (a.y * a.z + b.y * b.z + c.y * c.z + y * z);
    t[3] += 0.5 * w * (a.z * a.z + b.z * b.z + c.z * c.z + z * z);
    t[4] -= 12.0 * w;
    t[5] -= 4.0 * w * x;
    t[6] -= 4.0 * w * y;
    t[7] -= w * (a.x * a.x + b.x * b.x + c.x * c.x + x * x);
    t[8] -= w * (a.x * a.y + b.x * b.y + c.x * c.y + x * y);
    t[9] -= w * (a.y * a.y + b.y * b.y + c.y * c.y + y * y);
}

/* points: room for n points; sums: of the ten integrals */
void immersed(const double *vertices, long n, const long long *triangles, long m, const double *rotation,
              double height, point *points, double *sums)
{
    double t[10] = {0};
    for (long i = 0; i < n; i++) {
        const double *v = vertices + 3 * i, *r = rotation;
        points[i].x = r[0] * v[0] + r[1] * v[1] + r[2] * v[2];
        points[i].y = r[3] * v[0] + r[4] * v[1] + r[5] * v[2];
        points[i].z = r[6] * v[0] + r[7] * v[1] + r[8] * v[2] + height;
    }
    for (long i = 0; i < m; i++) {
        point a = points[triangles[3 * i]], b = points[triangles[3 * i + 1]], c = points[triangles[3 * i + 2]];
        int under = (a.z < 0.0) + (b.z < 0.0) + (c.z < 0.0);
        if (under == 3) {
            add(t, a, b, c);
        } else if (under > 0) {
            while ((a.z < 0.0) != (under == 1)) {
                point swap = a;
                a = b, b = c, c = swap;
            }
            if (under == 1) {
                add(t, a, cut(a, b), cut(a, c));
            } else {
                point ab = cut(b, a), ac = cut(c, a);
                add(t, ab, b, c);
                add(t, ab, c, ac);
            }
        }
    }
    for (int k = 0; k < 10; k++)
        sums[k] = t[k];
}
