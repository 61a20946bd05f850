// Vectors [x, y, z], quaternions [x, y, z, w] and column-major matrices (16), as WebGL wants them.
"use strict";

const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const minus = (a, b) => add(a, b, -1);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const norm = (a) => Math.hypot(...a);
const unit = (a) => a.map((x) => x / (norm(a) || 1));
const mix = (a, b, f) => a.map((x, i) => x + f * (b[i] - x));

function times(a, b) {
  const c = new Float32Array(16);
  for (let i = 0; i < 4; i++)
    for (let j = 0; j < 4; j++)
      for (let k = 0; k < 4; k++) c[4 * j + i] += a[4 * k + i] * b[4 * j + k];
  return c;
}

// The matrix that scales, turns by a quaternion and moves.
function placed(q, p, scale = 1) {
  const [x, y, z, w] = q, s = scale;
  return new Float32Array([
    s * (1 - 2 * (y * y + z * z)), s * 2 * (x * y + z * w), s * 2 * (x * z - y * w), 0,
    s * 2 * (x * y - z * w), s * (1 - 2 * (x * x + z * z)), s * 2 * (y * z + x * w), 0,
    s * 2 * (x * z + y * w), s * 2 * (y * z - x * w), s * (1 - 2 * (x * x + y * y)), 0,
    p[0], p[1], p[2], 1,
  ]);
}

// What a camera at an eye sees that looks at a focus, z up.
function looking(eye, focus) {
  const back = unit(minus(eye, focus)), right = unit(cross([0, 0, 1], back)), up = cross(back, right);
  return new Float32Array([
    right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
    -dot(right, eye), -dot(up, eye), -dot(back, eye), 1,
  ]);
}

// Perspective with an angle of view [rad] across the shorter side.
function perspective(angle, aspect, near, far) {
  const f = 1 / Math.tan(angle / 2), m = new Float32Array(16);
  m[0] = aspect > 1 ? f / aspect : f;
  m[5] = aspect > 1 ? f : f * aspect;
  m[10] = (far + near) / (near - far);
  m[11] = -1;
  m[14] = (2 * far * near) / (near - far);
  return m;
}

// Parallel lines of sight into a square, a half height up and down and ten times as far.
function parallel(half) {
  const m = new Float32Array(16);
  m[0] = m[5] = 1 / half;
  m[10] = -0.1 / half;
  m[15] = 1;
  return m;
}

// The place [x, y] on a picture, 0 to 1 from its lower left, of a point behind a view and a lens; null: not on it.
function pictured(view, lens, [x, y, z]) {
  const m = times(lens, view), [u, v, w] = [0, 1, 3].map((i) => m[i] * x + m[4 + i] * y + m[8 + i] * z + m[12 + i]);
  return w > 0 && Math.abs(u) < w && Math.abs(v) < w ? [(1 + u / w) / 2, (1 + v / w) / 2] : null;
}

// Between two unit quaternions, which are near each other.
function slerp(a, b, f) {
  const c = Math.min(1, Math.abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]));
  const angle = Math.acos(c), s = Math.sin(angle);
  const u = s < 1e-4 ? 1 - f : Math.sin((1 - f) * angle) / s, v = s < 1e-4 ? f : Math.sin(f * angle) / s;
  const q = a.map((x, i) => u * x + v * b[i]), n = Math.hypot(...q);
  return q.map((x) => x / n);
}

// A vector turned by a unit quaternion.
function rotated([x, y, z, w], v) {
  const a = cross([x, y, z], v);
  return add(add(v, a, 2 * w), cross([x, y, z], a), 2);
}

const between = (a, b) => Math.atan2(norm(cross(a, b)), dot(a, b)); // angle [rad] of two vectors

// The point at a share of the shortest way around the origin between two vectors of one length.
function around(a, b, angle, share) {
  let across = add(b, a, -Math.cos(angle));
  if (norm(across) < 1e-6 * norm(a)) across = cross(a, Math.abs(a[0]) < Math.abs(a[2]) ? [1, 0, 0] : [0, 0, 1]);
  const c = Math.cos(share * angle), s = (Math.sin(share * angle) * norm(a)) / norm(across);
  return a.map((x, i) => c * x + s * across[i]);
}
