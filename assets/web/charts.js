// Charts: the curves of a run over the time or over another quantity, with their values at the time that is shown.
// One is seen; the names of the others choose it.
"use strict";

const DASHES = { solid: [], dash: [6, 4], dot: [2, 3], "dash-dot": [7, 3, 2, 3] };
const FINE = 9999; // steps of the height of a chart
const EDGES = { left: 62, right: 10, top: 8, bottom: 18 }; // pixels about the curves
const LETTER = 15, ENDS = "600 13px Inter, sans-serif"; // height [pixels] and font of a lane's letter at the end of its curve

// A text of a table of those that differ, by the number of its row.
const word = (table, row) => table.words[table.at[row]];

class Charts {
  constructor(place, charts, lanes, seek, changed) {
    Object.assign(this, { place, lanes });
    const names = document.createElement("div");
    place.append(names);
    this.charts = charts.map((chart, number) => {
      const box = document.createElement("figure"), name = document.createElement("button");
      const unit = document.createElement("small"), told = document.createElement("p");
      const canvas = document.createElement("canvas");
      name.textContent = chart.title;
      name.addEventListener("click", () => { this.see(number); changed(); });
      names.append(name);
      unit.textContent = chart.unit;
      told.append(unit);
      canvas.setAttribute("aria-label", chart.title);
      const values = lanes.map(() => told.appendChild(document.createElement("span")));
      box.append(told, canvas);
      place.append(box);
      const made = { ...chart, box, name, canvas, values, right: EDGES.right };
      if (!chart.over)
        canvas.addEventListener("pointerdown", (event) => {
          const wide = canvas.clientWidth - EDGES.left - made.right;
          seek(chart.span[0] + ((event.offsetX - EDGES.left) / wide) * (chart.span[1] - chart.span[0]));
        });
      return made;
    });
    this.see(0);
  }

  see(number) {
    this.seen = number;
    this.charts.forEach((chart, i) => {
      chart.box.hidden = i !== number;
      chart.name.setAttribute("aria-pressed", i === number);
    });
  }

  draw(time, theme) {
    const chart = this.charts[this.seen];
    if (!chart) return;
    const rows = this.lanes.map((lane, i) => Math.min(keyAt(lane.numbers.times, time), chart.curves[i].x.length - 1));
    chart.curves.forEach((curve, i) => {
      const { letter, inks } = this.lanes[i];
      chart.values[i].textContent = `${letter} ${word(curve.texts, rows[i])}`;
      chart.values[i].style.color = inks[theme.name][1];
    });
    this.drawOne(chart, rows, time, theme);
  }

  drawOne(chart, rows, time, theme) {
    const { canvas, span } = chart, ratio = devicePixelRatio || 1;
    const wide = canvas.clientWidth, high = canvas.clientHeight;
    Object.assign(canvas, { width: Math.round(wide * ratio), height: Math.round(high * ratio) });
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    pen.font = ENDS;
    const letters = this.lanes.map(({ letter }) => pen.measureText(letter).width + 4);
    chart.right = EDGES.right + (chart.over ? 0 : letters.reduce((a, b) => a + b));
    const w = Math.max(1, wide - EDGES.left - chart.right), h = Math.max(1, high - EDGES.top - EDGES.bottom);
    const across = (x) => EDGES.left + ((x - span[0]) / (span[1] - span[0])) * w;
    const up = (y) => EDGES.top + (1 - y / FINE) * h;
    const line = (...points) => {
      pen.beginPath();
      points.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
      pen.stroke();
    };
    pen.font = "11px Inter, sans-serif";
    pen.textBaseline = "middle";
    if (chart.band) {
      pen.fillStyle = `${theme.text_dim}24`;
      pen.fillRect(EDGES.left, up(chart.band[1]), w, up(chart.band[0]) - up(chart.band[1]));
    }
    pen.textAlign = "right";
    pen.fillStyle = theme.plot_axis;
    for (const [height, text] of chart.marks) {
      pen.strokeStyle = theme.plot_grid;
      line([EDGES.left, up(height)], [EDGES.left + w, up(height)]);
      pen.fillText(text, EDGES.left - 5, up(height));
    }
    const last = span.map((x) => Number(x.toPrecision(4)).toString());
    pen.textBaseline = "bottom";
    pen.textAlign = "left";
    pen.fillText(chart.over ? last[0] : `${last[0]} s`, EDGES.left, high);
    pen.textAlign = "right";
    pen.fillText(chart.over ? `${last[1]}  ${chart.over}` : last[1], EDGES.left + w, high);
    pen.save();
    pen.beginPath();
    pen.rect(EDGES.left, EDGES.top, w, h);
    pen.clip();
    pen.strokeStyle = theme.text_dim;
    for (const curve of chart.behind) this.follow(pen, curve, across, up);
    chart.curves.forEach((curve, i) => {
      const [tint] = this.lanes[i].inks[theme.name];
      pen.strokeStyle = tint;
      pen.lineWidth = 2.5;
      pen.setLineDash(DASHES[this.lanes[i].dash] || []);
      this.follow(pen, curve, across, up);
      pen.setLineDash([]);
      if (chart.over && curve.y[rows[i]] !== null) {
        pen.fillStyle = tint;
        pen.beginPath();
        pen.arc(across(curve.x[rows[i]]), up(curve.y[rows[i]]), 3.5, 0, 2 * Math.PI);
        pen.fill();
      }
    });
    pen.lineWidth = 1;
    pen.strokeStyle = theme.text;
    pen.setLineDash([4, 4]);
    if (!chart.over) line([across(time), EDGES.top], [across(time), EDGES.top + h]);
    pen.restore();
    if (!chart.over) this.nameEnds(pen, chart, theme, letters, across, up);
  }

  // The lanes' letters right of the ends of their curves, side by side where curves end together.
  nameEnds(pen, chart, theme, letters, across, up) {
    const ends = chart.curves.flatMap((curve, i) => {
      const last = curve.y.findLastIndex((y) => y !== null);
      return last < 0 ? [] : [{ x: across(curve.x[last]), y: up(curve.y[last]), i }];
    });
    let beside = 4, before = -Infinity, wide = 0;
    pen.font = ENDS;
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    for (const { x, y, i } of ends.sort((a, b) => a.y - b.y)) {
      beside = y - before < LETTER ? beside + wide : 4;
      [before, wide] = [y, letters[i]];
      pen.fillStyle = this.lanes[i].inks[theme.name][1];
      pen.fillText(this.lanes[i].letter, x + beside, y);
    }
  }

  // A curve, broken where it has no value and where it goes on at the other end.
  follow(pen, curve, across, up) {
    const gaps = new Set(curve.gaps);
    let before = false;
    pen.beginPath();
    curve.y.forEach((y, i) => {
      if (y !== null) before && !gaps.has(i) ? pen.lineTo(across(curve.x[i]), up(y)) : pen.moveTo(across(curve.x[i]), up(y));
      before = y !== null;
    });
    pen.stroke();
  }
}
