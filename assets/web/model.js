// The model: what a .glb that Polhode wrote says, as typed arrays.
"use strict";

const NUMBERS = { 5126: Float32Array, 5123: Uint16Array, 5125: Uint32Array };
const WIDTHS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };

// The bytes of a text that holds them packed.
async function decoded(text) {
  const letters = atob(text.trim()), bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  const whole = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(whole).arrayBuffer();
}

class Model {
  constructor(buffer) {
    const head = new DataView(buffer), size = head.getUint32(12, true);
    this.document = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 20, size)));
    this.buffer = buffer;
    this.start = 28 + size;
    this.facts = this.document.asset.extras;
    this.unfold();
    const trueBody = (one) => ({
      mesh: this.mesh(one.mesh),
      positions: this.numbers(one.positions).data,
      rotations: this.numbers(one.rotations).data,
      degrees: this.numbers(one.degrees).data,
      seen: this.numbers(one.seen).data,
    });
    this.lanes = this.facts.lanes.map((lane) => ({
      ...lane,
      mesh: this.mesh(lane.mesh),
      times: this.numbers(lane.times).data,
      positions: this.numbers(lane.positions).data,
      rotations: this.numbers(lane.rotations).data,
      arrows: lane.arrows.map((arrow) => ({
        ink: arrow.ink,
        mesh: this.mesh(arrow.mesh),
        rotations: this.numbers(arrow.rotations).data,
        scales: this.numbers(arrow.scales).data,
        feet: arrow.feet === undefined ? null : this.numbers(arrow.feet).data,
      })),
      parts: lane.parts.map((part) => ({ ...part, mesh: this.mesh(part.mesh) })),
      spin: lane.spin && {
        meshes: lane.spin.meshes.map((one) => this.mesh(one)),
        seen: this.numbers(lane.spin.seen).data,
      },
      truth: lane.truth && trueBody(lane.truth),
      trueOthers: lane.true_others.map(trueBody),
      curves: lane.curves.map((curve) => ({ ...curve, points: this.numbers(curve.points) })),
    }));
    this.ground = this.facts.ground.map((number) => this.mesh(number));
  }

  // The tables of numbers as they were: the page holds the differences of their rows, in planes of bytes.
  unfold() {
    const done = new Set();
    for (const { bufferView, componentType, count, type } of this.document.accessors) {
      if (done.has(bufferView)) continue;
      done.add(bufferView);
      const size = NUMBERS[componentType].BYTES_PER_ELEMENT, width = WIDTHS[type], n = count * width;
      const place = this.start + this.document.bufferViews[bufferView].byteOffset;
      const planes = new Uint8Array(this.buffer.slice(place, place + size * n));
      const found = new (size === 2 ? Uint16Array : Uint32Array)(this.buffer, place, n);
      for (let i = 0; i < n; i++) {
        let step = 0;
        for (let k = 0; k < size; k++) step |= planes[k * n + i] << (8 * k);
        found[i] = step + (i < width ? 0 : found[i - width]);
      }
    }
  }

  numbers(number) {
    const accessor = this.document.accessors[number], view = this.document.bufferViews[accessor.bufferView];
    const width = WIDTHS[accessor.type], kind = accessor.componentType;
    return { data: new NUMBERS[kind](this.buffer, this.start + view.byteOffset, accessor.count * width), width, kind };
  }

  mesh(number) {
    const drawn = this.document.meshes[number].primitives[0], mesh = { faces: this.numbers(drawn.indices) };
    for (const [name, accessor] of Object.entries(drawn.attributes)) mesh[name] = this.numbers(accessor);
    const material = this.document.materials[drawn.material], texture = material.pbrMetallicRoughness.baseColorTexture;
    Object.assign(mesh, { lines: drawn.mode === 1, clear: material.alphaMode === "BLEND" });
    if (texture) {
      const image = this.document.images[this.document.textures[texture.index].source];
      const view = this.document.bufferViews[image.bufferView];
      const bytes = new Uint8Array(this.buffer, this.start + view.byteOffset, view.byteLength);
      mesh.picture = new Blob([bytes], { type: image.mimeType });
    }
    return mesh;
  }
}

// The number of the last key at or before a time.
function keyAt(times, time) {
  let low = 0, high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

// Where a lane's body is at a time and how its arrows point, and the number of the key before.
function poseAt(lane, time) {
  const i = keyAt(lane.times, time), j = Math.min(i + 1, lane.times.length - 1);
  const span = lane.times[j] - lane.times[i];
  const f = span > 0 ? Math.min(Math.max((time - lane.times[i]) / span, 0), 1) : 0;
  const three = (k, { positions } = lane) => Array.from(positions.subarray(3 * k, 3 * k + 3));
  const four = (rotations, k) => Array.from(rotations.subarray(4 * k, 4 * k + 4));
  const turned = ({ rotations }) => slerp(four(rotations, i), four(rotations, j), f);
  const arrows = lane.arrows.map((arrow) => ({
    rotation: turned(arrow),
    scale: (1 - f) * arrow.scales[3 * i] + f * arrow.scales[3 * j],
    foot: arrow.feet && mix(three(i, { positions: arrow.feet }), three(j, { positions: arrow.feet }), f),
  }));
  const seen = (one) => one && one.seen[i] && {
    position: mix(three(i, one), three(j, one), f),
    rotation: turned(one),
  };
  const truth = seen(lane.truth), trueOthers = lane.trueOthers.map(seen);
  return { key: i, truth, trueOthers, position: mix(three(i), three(j), f), rotation: turned(lane), arrows };
}
