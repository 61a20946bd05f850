// The viewer: one clock, linked cameras, a viewport a lane or one for all.
"use strict";

const ANGLE = Math.PI / 6; // of view across the shorter side
const LEAST = 0.025; // radius of a rock on the picture, in halves of a viewport; below it is drawn larger
const APART = 2.7, ARROW = 1.55; // in a close-up, in radii: from rock to rock, and the length of an arrow
const SPACED = 84; // pixels, at least, between two heights on contour lines
const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const $ = (id) => document.getElementById(id);
const about = JSON.parse($("about").textContent);

class Viewer {
  constructor(buffer) {
    this.model = new Model(buffer);
    const facts = (this.facts = this.model.facts);
    this.drawing = new Drawing($("canvas"));
    Object.assign(this, { time: 0, speed: facts.speed, theme: facts.theme, moved: true, headed: 0 });
    this.overlay = facts.overlay || this.model.lanes.length === 1;
    this.following = facts.follow;
    this.playing = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    const asked = location.hash.match(/t=([\d.]+)/); // page.html#t=2.5 stands still there
    if (asked) Object.assign(this, { playing: false, time: Math.min(parseFloat(asked[1]), facts.end) });
    this.numbered = false;
    this.worded = facts.said.length > 0; // else words are seen with all numbers only
    const seek = (time) => { this.setPlaying(false); this.seek(time); };
    this.charts = new Charts($("charts"), facts.charts, this.model.lanes, seek, () => (this.moved = true));
    this.setCharts(facts.charts.length > 0 && innerHeight >= 560 && innerWidth >= 640);
    this.fit();
    this.setTheme(facts.theme);
    this.listen();
  }

  async load() {
    await Promise.all([400, 600].map((weight) => document.fonts.load(`${weight} 16px Inter`))); // widths are measured
    this.ground = await Promise.all(this.model.ground.map((mesh) => this.drawing.mesh(mesh)));
    this.drawing.ball = await this.drawing.mesh(ball());
    for (const lane of this.model.lanes) {
      lane.made = await this.drawing.mesh(lane.mesh);
      for (const arrow of lane.arrows) arrow.made = await this.drawing.mesh(arrow.mesh);
      for (const one of [lane.truth, ...lane.trueOthers]) if (one) one.made = await this.drawing.mesh(one.mesh);
      lane.ink = ink(lane.colour);
      if (lane.spin) lane.spin.made = await Promise.all(lane.spin.meshes.map((mesh) => this.drawing.mesh(mesh)));
      for (const part of lane.parts) part.made = await this.drawing.mesh(part.mesh);
      for (const curve of lane.curves) curve.buffer = this.drawing.data(curve.points.data);
    }
    let before = performance.now();
    const step = (now) => {
      if (this.playing) this.seek(this.time + (this.speed * Math.min(now - before, 250)) / 1000);
      before = now;
      if (this.moved) this.draw();
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
    document.body.dataset.ready = "yes"; // for whoever tests the page
  }

  // ---- what the user steers

  seek(time) {
    const end = this.facts.end;
    if (this.playing && time >= end) this.setPlaying(false);
    this.time = Math.min(Math.max(time, 0), end);
    this.moved = true;
  }

  setPlaying(on) {
    if (on && this.time >= this.facts.end) this.time = 0;
    this.playing = on;
    this.moved = true;
  }

  setTheme(name) {
    this.theme = name;
    for (const [key, colour] of Object.entries(about.themes[name]))
      document.documentElement.style.setProperty(`--${key}`, colour);
    document.documentElement.style.colorScheme = name;
    $("signs").replaceChildren(...this.facts.signs[name].map(([text, colour]) => {
      const sign = document.createElement("span");
      sign.textContent = text;
      sign.style.color = colour;
      return sign;
    }));
    this.moved = true;
  }

  setCharts(on) {
    this.charted = on;
    this.below = on ? 232 : 52; // pixels of what is below the view
    document.documentElement.style.setProperty("--below", `${this.below}px`);
    $("charts").hidden = !on;
    $("plots").hidden = this.facts.charts.length === 0;
    this.moved = true;
  }

  fit() {
    if (this.following) this.look(...this.facts.near);
    else this.look(this.facts.eye, this.facts.focus);
  }

  look(eye, focus) {
    const arm = minus(eye, focus);
    Object.assign(this, { focus: [...focus], distance: norm(arm), moved: true });
    this.azimuth = Math.atan2(arm[1], arm[0]);
    this.elevation = Math.asin(arm[2] / norm(arm));
  }

  follow(on) {
    this.following = on;
    this.fit();
  }

  listen() {
    const click = (id, call) => $(id).addEventListener("click", call);
    const flip = { play: () => this.setPlaying(!this.playing), follow: () => this.follow(!this.following) };
    flip.overlay = () => { this.overlay = !this.overlay; this.moved = true; };
    flip.plots = () => this.setCharts(!this.charted);
    flip.numbers = () => { this.numbered = !this.numbered; this.told = null; this.moved = true; };
    flip.theme = () => this.setTheme(this.theme === "dark" ? "light" : "dark");
    flip.fit = () => this.fit();
    for (const [id, call] of Object.entries(flip)) click(id, call);
    $("overlay").hidden = this.model.lanes.length === 1;
    for (const speed of SPEEDS) $("speed").add(new Option(`${speed}×`, speed, false, speed === this.speed));
    if (!SPEEDS.includes(this.speed)) $("speed").add(new Option(`${this.speed}×`, this.speed, true, true), 0);
    $("speed").addEventListener("change", () => (this.speed = Number($("speed").value)));
    $("scrub").max = this.facts.end;
    $("scrub").addEventListener("input", () => { this.setPlaying(false); this.seek(Number($("scrub").value)); });
    addEventListener("resize", () => Object.assign(this, { headed: 0, moved: true }));
    addEventListener("keydown", (event) => {
      const keys = { " ": flip.play, o: flip.overlay, f: flip.follow, d: flip.theme, p: flip.plots, q: flip.numbers, 0: flip.fit };
      keys.ArrowRight = () => this.seek(this.time + 0.1 * this.speed);
      keys.ArrowLeft = () => this.seek(this.time - 0.1 * this.speed);
      const { tagName } = event.target, key = event.key.toLowerCase(), call = keys[event.key] || keys[key];
      const own = { BUTTON: key === " ", SELECT: true, INPUT: key.startsWith("arrow") }[tagName];
      if (own || event.ctrlKey || event.altKey || event.metaKey || !call) return;
      event.preventDefault();
      call();
    });
    this.listenToPointers($("canvas"));
  }

  listenToPointers(canvas) {
    const held = new Map();
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      held.set(event.pointerId, event);
    });
    for (const name of ["pointerup", "pointercancel"])
      canvas.addEventListener(name, (event) => held.delete(event.pointerId));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("pointermove", (event) => {
      const last = held.get(event.pointerId);
      if (!last) return;
      const dx = event.clientX - last.clientX, dy = event.clientY - last.clientY;
      const other = [...held.values()].find((one) => one.pointerId !== event.pointerId);
      if (other) {
        const apart = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
        this.zoom(apart(last) / Math.max(apart(event), 1));
      } else if (event.shiftKey || event.buttons & 6) this.pan(dx, dy);
      else this.turn(dx, dy);
      held.set(event.pointerId, event);
    });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(0.0012 * event.deltaY));
    }, { passive: false });
  }

  turn(dx, dy) {
    this.azimuth -= 0.008 * dx;
    this.elevation = Math.min(Math.max(this.elevation + 0.008 * dy, -1.55), 1.55);
    this.moved = true;
  }

  pan(dx, dy) {
    const back = this.arm(), right = unit(cross([0, 0, 1], back)), up = cross(unit(back), right);
    const size = (2 * this.distance * Math.tan(ANGLE / 2)) / Math.min($("canvas").clientHeight, $("canvas").clientWidth);
    this.focus = add(add(this.focus, right, -dx * size), up, dy * size);
    this.moved = true;
  }

  zoom(factor) {
    const least = 2 * this.facts.radius;
    this.distance = Math.min(Math.max(this.distance * factor, least), 1e5 * least);
    this.moved = true;
  }

  arm() {
    const e = this.elevation, d = this.distance;
    return [d * Math.cos(this.azimuth) * Math.cos(e), d * Math.sin(this.azimuth) * Math.cos(e), d * Math.sin(e)];
  }

  // ---- drawing

  draw() {
    this.moved = false;
    const canvas = $("canvas"), ratio = Math.min(devicePixelRatio || 1, 2);
    const wide = Math.round(canvas.clientWidth * ratio), high = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
    this.drawing.begin(wide, high);
    const lanes = this.model.lanes, views = this.overlay ? [lanes] : lanes.map((lane) => [lane]);
    const columns = this.columns(views.length, wide, high), rows = Math.ceil(views.length / columns);
    const w = wide / columns, h = high / rows;
    this.labels = [];
    views.forEach((some, i) => {
      const place = [(i % columns) * w, (rows - 1 - Math.floor(i / columns)) * h, w, h];
      this.drawView(some, place.map(Math.round), ratio);
    });
    $("heights").replaceChildren(...this.labels);
    this.tell(views, columns, w / ratio, h / ratio);
  }

  columns(n, wide, high) {
    const shorter = (c) => Math.min(wide / c, high / Math.ceil(n / c));
    return [...Array(n).keys()].map((k) => k + 1).reduce((best, c) => (shorter(c) > shorter(best) ? c : best), 1);
  }

  drawView(lanes, part, ratio) {
    const poses = lanes.map((lane) => poseAt(lane, this.time));
    const focus = this.following ? add(this.focus, poses[0].position) : this.focus;
    const eye = add(focus, this.arm()), reach = this.facts.kind === "rockfall" ? 3000 : 30 * this.facts.radius;
    const lens = perspective(ANGLE, part[2] / part[3], 0.02 * this.distance, this.distance + reach);
    const view = looking(eye, focus);
    this.drawing.view(part, view, lens, this.facts.lights);
    const below = (clear) => this.ground.filter((mesh) => mesh.clear === clear)
      .forEach((mesh) => this.drawing.drawMesh(mesh, placed([0, 0, 0, 1], [0, 0, 0])));
    below(false);
    lanes.forEach((lane, i) => this.drawBody(lane, poses[i], eye, i));
    below(true);
    lanes.forEach((lane, i) => this.drawParts(lane, poses[i]));
    if (this.facts.floor !== null) this.drawShadow(poses[0]);
    lanes.forEach((lane, i) => this.drawCurves(lane, poses[i], ratio));
    this.drawing.forget();
    lanes.forEach((lane, i) => this.drawTruths(lane, poses[i], eye));
    lanes.forEach((lane, i) => this.drawArcs(lane, poses[i], eye, ratio));
    if (!this.following) {
      const square = this.facts.nearRocks ? this.nearSquare(part, ratio) : null;
      this.nameHeights(part, ratio, view, lens, eye, square);
      if (square) this.drawNear(lanes, poses, square);
    }
  }

  // Heights beside the contour lines that a viewport sees, each once, clear of one another and of a square.
  nameHeights(part, ratio, view, lens, eye, square) {
    const kept = [], high = $("canvas").height, [x, y, side] = square || [0, 0, 0];
    for (const [text, place] of this.facts.heights) {
      const seen = pictured(view, lens, place);
      if (!seen) continue;
      const u = part[0] + seen[0] * part[2], v = part[1] + seen[1] * part[3], at = [u / ratio, (high - v) / ratio];
      if (u > x && v > y && u < x + side && v < y + side) continue;
      const near = (other) => other[2] === text || Math.hypot(at[0] - other[0], at[1] - other[1]) < SPACED;
      if (kept.some(near) || this.hidden(eye, place)) continue;
      kept.push([...at, text]);
      const label = document.createElement("span");
      label.textContent = text;
      Object.assign(label.style, { left: `${at[0]}px`, top: `${at[1]}px` });
      this.labels.push(label);
    }
  }

  // Whether the ground hides a place from an eye.
  hidden(eye, place) {
    const [rows, columns] = this.facts.grid, { data } = this.model.ground[0].POSITION, last = data.length - 3;
    const grid = ([x, y]) => {
      const i = Math.round(((y - data[1]) / (data[last + 1] - data[1])) * (rows - 1));
      const k = Math.round(((x - data[0]) / (data[last] - data[0])) * (columns - 1));
      return i < 0 || k < 0 || i >= rows || k >= columns ? -Infinity : data[3 * (i * columns + k) + 2];
    };
    const slack = 0.002 * norm(minus(eye, place));
    return [...Array(48).keys()].some((k) => {
      const point = mix(place, eye, 0.02 + 0.02 * k);
      return point[2] + slack < grid(point);
    });
  }

  // The part of a viewport that shows the rocks from near, below the heading; null where captions leave no room.
  nearSquare(part, ratio) {
    const side = Math.max(0.27 * Math.min(part[2], part[3]), 130 * ratio);
    const nav = document.querySelector("nav").getBoundingClientRect(), right = 20 + side / ratio;
    const deep = part[0] === 0 && nav.left < right ? nav.bottom : this.headed;
    const top = Math.min(part[1] + part[3] - 12 * ratio, $("canvas").height - (deep + 8) * ratio);
    const square = [part[0] + 12 * ratio, top - side, side, side].map(Math.round);
    return square[1] < part[1] + 0.3 * part[3] ? null : square;
  }

  // The rocks from near, side by side, each with its axis of rotation in one length.
  drawNear(lanes, poses, square) {
    const half = 1.45 + 0.5 * APART * (lanes.length - 1);
    const away = this.arm().map((x) => (x / this.distance) * half), right = unit(cross([0, 0, 1], away));
    this.drawing.square(square, ink(about.themes[this.theme].overlay));
    this.drawing.view(square, looking(away, [0, 0, 0]), parallel(half), this.facts.lights);
    lanes.forEach((lane, i) => {
      const middle = add([0, 0, 0], right, (i - (lanes.length - 1) / 2) * APART);
      this.drawing.drawMesh(lane.made, placed(poses[i].rotation, middle, 1 / this.facts.radius), 1, null, lane.shine);
      const number = lane.arrows.findIndex((arrow) => arrow.ink === "omega"), omega = lane.arrows[number];
      const turn = poses[i].arrows[number];
      if (!omega || turn.scale <= 1e-6) return;
      const tip = Math.max(...omega.mesh.POSITION.data);
      const arrow = placed(turn.rotation, middle, ARROW / tip);
      this.drawing.drawMesh(omega.made, arrow, 1, ink(about.themes[this.theme].omega));
    });
  }

  drawBody(lane, pose, eye, number) {
    const { attached, kind } = this.facts, rock = kind === "rockfall", [place, scale] = this.shown(pose, eye);
    if (rock && !number) this.larger = scale;
    const opacity = number && !rock ? 0.55 : 1, foot = attached ? [0, 0, 0] : place;
    this.drawing.drawMesh(lane.made, placed(pose.rotation, place, scale), opacity, null, lane.shine);
    lane.arrows.forEach((arrow, i) => {
      const seen = placed(pose.arrows[i].rotation, pose.arrows[i].foot || foot, scale * pose.arrows[i].scale);
      const tint = arrow.ink ? ink(about.themes[this.theme][arrow.ink]) : null;
      this.drawing.nearest(!!arrow.feet && !!tint); // forces are seen through the body
      this.drawing.drawMesh(arrow.made, seen, opacity, tint);
      this.drawing.nearest(false);
    });
    const seen = lane.spin ? lane.spin.seen[pose.key] : -1, [x, y] = place;
    if (seen >= 0) this.drawing.drawMesh(lane.spin.made[seen], placed([0, 0, 0, 1], [x, y, 0]), opacity, lane.ink);
  }

  // Where a body is drawn, and how much larger than it is: a rock is larger from far.
  shown(pose, eye) {
    const { kind, radius } = this.facts, far = norm(minus(eye, pose.position));
    const scale = kind === "rockfall" ? Math.max(1, (LEAST * Math.tan(ANGLE / 2) * far) / radius) : 1;
    return [add(pose.position, [0, 0, (scale - 1) * 0.6 * radius]), scale];
  }

  // The true bodies of a lane that is off, before all else: other bodies of a mechanism are its last arrows.
  drawTruths(lane, pose, eye) {
    const [place, scale] = this.shown(pose, eye), others = lane.trueOthers.length;
    const solids = [lane.made, ...lane.arrows.slice(lane.arrows.length - others).map((arrow) => arrow.made)];
    [pose.truth, ...pose.trueOthers].forEach((truth, i) => {
      if (!truth) return;
      const at = placed(truth.rotation, add(truth.position, minus(place, pose.position)), scale);
      const lines = [lane.truth, ...lane.trueOthers][i].made;
      this.drawing.drawGhost(solids[i], lines, at, ink(about.themes[this.theme].ink), about.clear);
    });
  }

  // Arcs from points of a lane's bodies to where they would be, with marked ends, and hands as of a clock.
  drawArcs(lane, pose, eye, ratio) {
    const [place, scale] = this.shown(pose, eye), { least, near, dot, widths } = about.arcs, none = [0, 0, 0];
    const theme = about.themes[this.theme], inks = [lane.ink, ink(theme.ink)], dark = ink(theme.overlay);
    const others = pose.arrows.slice(pose.arrows.length - lane.trueOthers.length);
    const foot = this.facts.attached ? none : place;
    const bodies = [...others.map((one) => ({ rotation: one.rotation, place: one.foot })), { rotation: pose.rotation, place: foot }];
    const trues = [...pose.trueOthers, pose.truth], wide = widths.map((width) => width * ratio);
    for (const { body, hub, arm, hand, about: axis } of lane.tips) {
      if (!trues[body]) continue;
      const turns = [bodies[body].rotation, trues[body].rotation], both = (v) => turns.map((turn) => rotated(turn, v));
      const [a, b] = both(arm).map((end) => add(none, end, scale)), angle = between(a, b);
      if (angle < least || (axis && between(...both(axis)) > near)) continue;
      const hubs = both(hub).map((at) => add(bodies[body].place, at, scale));
      const points = [...Array(49).keys()].map((k) => add(mix(...hubs, k / 48), around(a, b, angle, k / 48)));
      const ends = [points[0], points[48]];
      this.drawing.drawLine(points, [inks[1], dark], wide, [1, 0.6]);
      ends.forEach((end, i) => {
        if (hand) this.drawing.drawLine([hubs[i], end], [inks[i], dark], wide, [1, 0.6]);
        this.drawing.drawDot(end, inks[i], dot * ratio, norm(minus(eye, end)));
      });
    }
  }

  // What goes with a body: Poinsot's plane, polhode and ellipsoid.
  drawParts(lane, pose) {
    for (const part of lane.parts) {
      const tint = part.ink ? ink(about.themes[this.theme][part.ink]) : null;
      const place = placed(part.turning ? pose.rotation : [0, 0, 0, 1], pose.position);
      this.drawing.drawMesh(part.made, place, part.opacity, tint);
    }
  }

  // A soft shadow on the floor, as long and wide as the body is just now; that of a ring has its hole.
  drawShadow(pose) {
    const { spread, floor, bored } = this.facts, turn = placed(pose.rotation, [0, 0, 0]);
    const way = (k) => [turn[k], turn[4 + k], turn[8 + k]], wide = (a, b) => dot(spread.map((row) => dot(row, b)), a);
    const a = Math.max(wide(way(0), way(0)), 1e-12), b = wide(way(0), way(1)), c = wide(way(1), way(1));
    const root = Math.sqrt(a), centre = [pose.position[0], pose.position[1], floor];
    const aside = 2.3 * Math.sqrt(Math.max(c - (b * b) / a, 0));
    const darkness = Number(about.themes[this.theme].shadow);
    this.drawing.drawShadow(centre, [2.3 * root, (2.3 * b) / root], [0, aside], darkness, bored);
  }

  drawCurves(lane, pose, ratio) {
    const nearer = this.facts.kind === "rockfall" ? 0.0015 : 0;
    lane.curves.forEach((curve, i) => {
      const turned = curve.turning ? pose.rotation : [0, 0, 0, 1];
      const model = placed(turned, curve.around ? pose.position : [0, 0, 0]), all = curve.memory === null, last = lane.times.length - 1;
      const first = all ? 0 : keyAt(lane.times, Math.max(this.time - curve.memory, 0));
      const other = i && !lane.parts.length;
      const look = { ink: lane.ink, model, nearer, fade: !all, opacity: other ? 0.6 : 1, width: (other ? 1.8 : 3.6) * ratio };
      if (all) this.drawing.drawCurve(curve.buffer, 0, last, { ...look, width: 1.8 * ratio, opacity: 0.5 });
      this.drawing.drawCurve(curve.buffer, first, pose.key, look);
    });
  }

  // Clock, the state of the buttons, and the numbers of captions.
  tell(views, columns, w, h) {
    this.say();
    $("scrub").value = this.time;
    $("play").textContent = this.playing ? "❚❚" : "▶";
    $("overlay").setAttribute("aria-pressed", this.overlay);
    $("follow").setAttribute("aria-pressed", this.following);
    $("plots").setAttribute("aria-pressed", this.charted);
    $("numbers").setAttribute("aria-pressed", this.numbered);
    $("signs").hidden = $("larger").hidden = !this.numbered;
    this.place(views, columns, w, h);
    for (const lane of this.model.lanes) {
      const row = keyAt(lane.numbers.times, this.time);
      lane.told.forEach((value, i) => {
        const [, wrong, said] = /^(!?)(.*)$/.exec(word(lane.numbers.texts[i], row));
        value.textContent = said;
        value.className = wrong ? "wrong" : "";
      });
      lane.judged.textContent = word(lane.numbers.verdicts, row);
      const [, mark, number] = /^(\S+) ?(.*)$/.exec(word(lane.numbers.standing, row));
      lane.stands.textContent = number;
      lane.stands.dataset.mark = mark;
      lane.glow.hidden = mark !== "✗" || views.length === 1 || !(this.worded || this.numbered);
    }
    if (this.charted) this.charts.draw(this.time, about.themes[this.theme]);
    if (this.facts.kind === "rockfall") this.tellSize();
    const headed = $("said").parentNode.getBoundingClientRect().bottom; // the deepest one: buttons must not jump
    if (headed > this.headed) Object.assign(this, { headed, moved: true });
    const nav = document.querySelector("nav");
    nav.style.top = `${this.headed + 4}px`;
    $("scale").style.top = `${nav.getBoundingClientRect().bottom + 12}px`;
  }

  // The sentence that belongs to the time, with schemes in their colours, and the clock.
  say() {
    const { said, title } = this.facts, lanes = this.model.lanes;
    const text = said.filter(([time], i) => !i || time <= this.time + 1e-9).map(([, words]) => words).at(-1) || "";
    const clock = `t = ${this.time.toFixed(this.facts.decimals)} s`;
    if ($("clock").dataset.text !== clock + text) {
      const name = document.createElement("small");
      name.textContent = text === title || innerWidth < 860 || !this.worded ? "" : title;
      $("clock").replaceChildren(name, clock);
      $("clock").dataset.text = clock + text;
    }
    if ($("said").textContent === text) return;
    const names = [...new Set(lanes.map((lane) => lane.name))].sort((a, b) => b.length - a.length);
    const plain = names.map((one) => one.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
    const letter = "[\\p{L}\\p{N}_]", whole = new RegExp(`(?<!${letter})(${plain})(?!${letter})`, "u");
    $("said").replaceChildren(...text.split(whole).map((piece) => {
      const lane = lanes.find((one) => one.name === piece), span = document.createElement("span");
      span.textContent = piece;
      if (lane) span.style.color = lane.colour;
      return span;
    }));
  }

  // How long something on the ground is, about where the camera looks, and how much larger a rock is drawn.
  tellSize() {
    const numbers = { size: Number((2 * this.facts.radius).toPrecision(2)), scale: this.larger.toFixed(0) };
    const larger = about.words.larger.replace(/{(\w+)[^}]*}/g, (_, name) => numbers[name]);
    $("larger").textContent = this.larger >= 1.5 ? larger : "";
    const canvas = $("canvas"), pixels = Math.min(canvas.clientHeight, canvas.clientWidth);
    const metres = (2 * this.distance * Math.tan(ANGLE / 2) * 120) / pixels; // in 120 pixels
    const power = 10 ** Math.floor(Math.log10(metres)), round = [5, 2, 1].find((k) => k * power <= metres) * power;
    $("scale").hidden = false;
    $("scale").textContent = round >= 1000 ? `${round / 1000} km` : `${Number(round.toPrecision(1))} m`;
    $("scale").style.width = `${(120 * round) / metres}px`;
  }

  // Captions, built anew where viewports have changed.
  place(views, columns, w, h) {
    const key = JSON.stringify([views.length, columns, w, h, this.below]);
    if (key === this.told) return;
    this.told = key;
    const rows = Math.ceil(views.length / columns);
    $("captions").replaceChildren(...views.map((lanes, i) => {
      const card = document.createElement("div");
      card.className = "caption";
      const bottom = this.below + (rows - 1 - Math.floor(i / columns)) * h;
      const place = { left: `${(i % columns) * w}px`, width: `${w}px`, bottom: `${bottom}px` };
      const size = Math.max(14, Math.min(innerHeight / 28, innerWidth / 31, w / 15));
      Object.assign(card.style, place, { fontSize: `${size}px`, paddingBottom: "6px" });
      card.append(...lanes.map((lane) => caption(lane, this.numbered)));
      card.hidden = !(this.worded || this.numbered);
      lanes.forEach((lane) => Object.assign(lane.glow.style, place, { height: `${h}px` }));
      return card;
    }), ...views.flat().map((lane) => lane.glow));
    this.fitLines(w);
  }

  // Marks are below names where a line is too long; letters are as small as the longest line needs then.
  fitLines(w) {
    const lines = [...document.querySelectorAll(".caption .line")], cards = [...document.querySelectorAll(".caption")];
    const wide = (line) => { // of what is in it: the line itself is as wide as its viewport
      const range = document.createRange();
      range.selectNodeContents(line);
      return range.getBoundingClientRect().width;
    };
    const wider = () => Math.max(1, ...lines.map((line) => wide(line) / (w - 8)));
    for (const lane of this.model.lanes) {
      const texts = lane.numbers.standing.words.map((text) => text.replace(/^\S+ ?/, ""));
      lane.stands.textContent = texts.reduce((a, b) => (b.length > a.length ? b : a));
      lane.stands.dataset.mark = "✗";
    }
    if (wider() > 1) for (const line of lines) line.classList.add("below");
    const size = parseFloat(cards[0].style.fontSize) / wider();
    for (const card of cards) card.style.fontSize = `${size}px`;
  }
}

// A colour "#rrggbb" as three numbers of 0 to 1.
function ink(colour) {
  return [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16) / 255);
}

function caption(lane, numbered) {
  const all = document.createElement("div"), line = document.createElement("div"), badge = document.createElement("span");
  const more = document.createElement("div"), source = document.createElement("small");
  const verdict = document.createElement("p");
  line.className = "line";
  more.className = "more";
  more.hidden = !numbered;
  lane.glow = lane.glow || document.createElement("div");
  lane.glow.className = "glow";
  lane.stands = document.createElement("span");
  badge.className = "badge";
  badge.textContent = lane.letter;
  const light = lane.ink[0] * 0.3 + lane.ink[1] * 0.59 + lane.ink[2] * 0.11;
  Object.assign(badge.style, { background: lane.colour, color: light > 0.45 ? "#10151d" : "#ffffff" });
  source.textContent = lane.source;
  const told = document.createElement("div");
  told.className = "numbers";
  lane.told = lane.numbers.texts.map(() => document.createElement("span"));
  told.append(...lane.told);
  lane.judged = verdict;
  const name = document.createElement("span");
  name.className = "name";
  name.textContent = `${lane.name} `;
  line.append(badge, name, lane.stands);
  more.append(told, verdict, source);
  all.append(line, more);
  return all;
}

function tell(error) {
  $("fault").textContent = error.message;
  $("fault").hidden = false;
}

async function begin() {
  window.viewer = new Viewer(await decoded($("model").textContent));
  await window.viewer.load();
}

begin().catch(tell);
