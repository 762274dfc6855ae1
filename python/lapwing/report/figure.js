// One figure on the page: its picture, the buttons of its curves, pointer and keys.
const WIDTH = 760, HEIGHT = 400;

class Drawing {
  constructor(element, data) {
    Object.assign(this, { element, data, points: [], current: -1 });
    this.names = data.kind === "timeline" ? kinds(data) : (data.marks || data.series).map((s) => s.name);
    this.shown = new Set(this.names.keys());
    this.picture = element.querySelector(".picture");
    this.readout = element.querySelector(".readout");
    this.clip = `clip-${data.name}`;
    this.measure();
    this.tools();
    this.draw();
    this.listen();
  }

  get flat() { return ["bars", "timeline"].includes(this.data.kind); }

  // The scales of the whole figure.
  measure() {
    const { data } = this, kind = data.kind;
    const labels = kind === "bars" ? data.labels : kind === "timeline" ? data.rows : [];
    const longest = labels.reduce((most, label) => Math.max(most, label.length), 0);
    this.left = this.flat ? Math.min(300, 24 + 6.4 * longest) : 84;
    if (this.flat) {
      const rows = kind === "bars" ? data.labels.length * barRow(this) : data.rows.length * ROW;
      this.height = rows + 64;
      const values = kind === "bars" ? barValues(data, this.shown)
        : data.intervals.flatMap((interval) => [interval.start, interval.end]);
      this.x = new Scale(kind === "bars" ? data.value : data.x, values, this.left, WIDTH - 24);
      this.y = { from: 10, to: 10 + rows };
      return;
    }
    this.height = HEIGHT;
    const [xs, ys] = kind === "map" ? mapValues(data) : linesValues(data, this.shown);
    this.x = new Scale(data.x, xs, this.left, WIDTH - 20);
    this.y = new Scale(data.y, ys, HEIGHT - 54, 12);
    if (kind === "map") [this.x, this.y].forEach((scale, side) => {
      scale.own = [...new Set(data.cells.map((cell) => cell[side]))].sort((a, b) => a - b);
      scale.tight = true;
      scale.reset();
    });
  }

  tools() {
    const bar = this.element.querySelector(".tools");
    const button = (text, label, act, pressed) => {
      const made = document.createElement("button");
      made.type = "button";
      made.textContent = text;
      if (label) made.setAttribute("aria-label", label);
      if (pressed !== undefined) made.setAttribute("aria-pressed", pressed);
      made.addEventListener("click", () => { act(made); this.draw(); });
      bar.append(made);
      return made;
    };
    button("+", "zoom in", () => this.zoom(0.6));
    button("−", "zoom out", () => this.zoom(1 / 0.6));
    button("whole", "show the whole figure", () => this.whole());
    if (this.data.kind === "lines") {
      for (const side of ["x", "y"]) {
        button(`log ${side}`, `logarithmic ${this.data[side].title}`, (made) => {
          this[side].log = !this[side].log;
          this[side].reset();
          made.setAttribute("aria-pressed", this[side].log);
        }, this[side].log);
      }
    }
    this.legend();
  }

  // A button for each curve hides it; a double click shows it alone.
  legend() {
    const list = this.element.querySelector(".legend");
    if (this.names.length < 2 && this.data.kind !== "map") return;
    const buttons = this.names.map((name, n) => {
      const made = document.createElement("button");
      made.type = "button";
      made.append(this.key(n), name);
      made.setAttribute("aria-pressed", "true");
      const told = () => buttons.forEach((b, i) => b.setAttribute("aria-pressed", this.shown.has(i)));
      made.addEventListener("click", () => {
        if (!this.shown.delete(n)) this.shown.add(n);
        told();
        this.redraw();
      });
      made.addEventListener("dblclick", () => {
        this.shown = new Set([n]);
        told();
        this.redraw();
      });
      list.append(made);
      return made;
    });
    if (this.data.kind === "map") this.shades(list);
  }

  key(n) {
    const key = make("svg", { width: 30, height: 14, viewBox: "0 0 30 14", "aria-hidden": "true" });
    const series = (this.data.series || this.data.marks || [])[n];
    if (this.flat) bar(key, n, 1, 1, 28, 12);
    else {
      if (series.joined) {
        key.append(make("path", { d: "M0,7H30", class: "line", stroke: colour(n),
          "stroke-dasharray": DASHES[n % DASHES.length] }));
      }
      if (series.marked) key.append(mark(n, 15, 7, 4, this.data.kind === "map"));
    }
    return key;
  }

  shades(list) {
    const { steps, value } = this.data;
    const said = document.createElement("span");
    said.className = "shades";
    const one = steps.length < 2 ? `${show(this.data.cells[0][2], value.unit)} everywhere` : "";
    said.append(`${value.title}: ${one}`);
    if (!one) steps.forEach((step, n) => {
      const field = document.createElement("span");
      field.className = "shade";
      field.style.background = `var(--m${n})`;
      const end = n + 1 < steps.length ? show(steps[n + 1], value.unit) : "more";
      said.append(field, n + 1 < steps.length ? `to ${end}` : end);
    });
    list.append(said);
  }

  whole() {
    this.x.reset();
    if (!this.flat) this.y.reset();
  }
  zoom(factor, at) {
    const point = at || this.points[this.current];
    this.x.zoom(factor, point ? this.x.back(point.x) : undefined);
    if (!this.flat) this.y.zoom(factor, point ? this.y.back(point.y) : undefined);
  }
  // Draw again after curves were hidden or shown.
  redraw() {
    const logs = [this.x.log, this.y.log];
    if (this.shown.size) this.measure();
    if (!this.flat) for (const [n, scale] of [this.x, this.y].entries()) {
      if (scale.log !== logs[n]) { scale.log = logs[n]; scale.reset(); }
    }
    this.draw();
  }

  draw() {
    const { data, picture } = this;
    this.points = [];
    this.current = -1;
    picture.setAttribute("viewBox", `0 0 ${WIDTH} ${this.height}`);
    picture.replaceChildren();
    const bottom = this.flat ? this.y.to : this.y.from, top = this.flat ? this.y.from : this.y.to;
    const clip = make("clipPath", { id: this.clip });
    clip.append(make("rect", { x: this.left, y: top, width: this.x.to - this.left, height: bottom - top }));
    const inside = make("g", { "clip-path": `url(#${this.clip})` });
    picture.append(clip);
    this.along(bottom, top);
    if (this.flat) this.names_of_rows();
    else this.up();
    picture.append(inside);
    ({ lines: drawLines, map: drawMap, bars: drawBars, timeline: drawTimeline })[data.kind](this, inside);
    this.points = this.points.filter((p) => p.box
      ? p.box[2] >= this.left && p.box[0] <= this.x.to && p.y >= top && p.y <= bottom
      : p.x >= this.left - 1 && p.x <= this.x.to + 1 && p.y >= top - 1 && p.y <= bottom + 1);
    this.ring = make("path", { class: "ring" });
    this.frame = make("rect", { class: "frame", width: 0, height: 0 });
    picture.append(this.ring, this.frame);
    this.element.dataset.drawn = this.points.length;
  }

  along(bottom, top) {
    const axis = this.x.axis;
    for (const tick of this.x.ticks(9)) {
      const place = this.x.place(tick);
      if (place < this.left - 0.5 || place > this.x.to + 0.5) continue;
      this.picture.append(make("path", { d: `M${place},${top}V${bottom}`, class: "grid" }));
      this.picture.append(make("text", { x: place, y: bottom + 17, class: "tick middle" }, show(tick, axis.unit)));
    }
    this.picture.append(make("path", { d: `M${this.left},${bottom}H${this.x.to}`, class: "axis" }));
    const middle = (this.left + this.x.to) / 2;
    this.picture.append(make("text", { x: middle, y: bottom + 40, class: "title middle" }, axis.title));
  }
  up() {
    const axis = this.y.axis;
    for (const tick of this.y.ticks(8)) {
      const place = this.y.place(tick);
      if (place > this.y.from + 0.5 || place < this.y.to - 0.5) continue;
      this.picture.append(make("path", { d: `M${this.left},${place}H${this.x.to}`, class: "grid" }));
      this.picture.append(make("text", { x: this.left - 7, y: place + 4, class: "tick end" }, show(tick, axis.unit)));
    }
    const middle = (this.y.from + this.y.to) / 2;
    this.picture.append(make("path", { d: `M${this.left},${this.y.from}V${this.y.to}`, class: "axis" }));
    this.picture.append(make("text", { x: 0, y: 0, class: "title middle",
      transform: `translate(14 ${middle}) rotate(-90)` }, axis.title));
  }
  names_of_rows() {
    const { data } = this, rows = data.kind === "bars" ? data.labels : data.rows;
    const height = data.kind === "bars" ? barRow(this) : ROW;
    const most = Math.floor((this.left - 20) / 6.2);
    rows.forEach((name, i) => {
      const shown = name.length > most ? `${name.slice(0, most - 1)}…` : name;
      const text = make("text", { x: this.left - 8, y: this.y.from + (i + 0.5) * height + 4, class: "tick end" }, shown);
      text.append(make("title", {}, name));
      this.picture.append(text);
    });
  }

  // Pointer and keys.
  listen() {
    const { picture } = this;
    const at = (event) => {
      const box = picture.getBoundingClientRect(), scale = WIDTH / box.width;
      return { x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale };
    };
    let start = null;
    picture.addEventListener("pointermove", (event) => {
      const here = at(event);
      if (start) this.mark_out(start, here);
      else this.point(this.nearest(here));
    });
    picture.addEventListener("pointerleave", () => !start && this.point(-1));
    picture.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || event.pointerType === "touch") return;
      start = at(event);
      picture.setPointerCapture(event.pointerId);
    });
    picture.addEventListener("pointerup", (event) => {
      const end = at(event), begin = start;
      start = null;
      if (!begin || Math.abs(end.x - begin.x) < 8) return this.frame.setAttribute("width", 0);
      this.x.show(this.x.back(begin.x), this.x.back(end.x));
      if (!this.flat && Math.abs(end.y - begin.y) > 8) this.y.show(this.y.back(begin.y), this.y.back(end.y));
      this.draw();
    });
    picture.addEventListener("dblclick", () => { this.whole(); this.draw(); });
    picture.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;  // the page scrolls
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.25 : 0.8, at(event));
      this.draw();
    }, { passive: false });
    picture.addEventListener("keydown", (event) => this.press(event));
    picture.addEventListener("blur", () => this.point(-1));
  }

  press(event) {
    const moves = { ArrowRight: 1, ArrowLeft: -1 }, turns = { ArrowDown: 1, ArrowUp: -1 };
    const redrawn = (act) => { act(); this.draw(); };
    const acts = {
      "+": () => redrawn(() => this.zoom(0.6)), "=": () => redrawn(() => this.zoom(0.6)),
      "-": () => redrawn(() => this.zoom(1 / 0.6)), "0": () => redrawn(() => this.whole()),
      Escape: () => this.point(-1), Home: () => this.point(0), End: () => this.point(this.points.length - 1),
    };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.shiftKey && event.key in moves) redrawn(() => this.x.shift(0.2 * moves[event.key]));
    else if (event.shiftKey && event.key in turns && !this.flat) redrawn(() => this.y.shift(-0.2 * turns[event.key]));
    else if (event.key in moves) this.point(this.step(moves[event.key]));
    else if (event.key in turns) this.point(this.turn(turns[event.key]));
    else if (event.key in acts) acts[event.key]();
    else return;
    event.preventDefault();
  }
  step(by) { return Math.min(this.points.length - 1, Math.max(0, this.current + by)); }
  // The point of the next curve with the nearest x.
  turn(by) {
    const here = this.points[this.current];
    if (!here) return 0;
    const others = [...new Set(this.points.map((p) => p.n))];
    const next = others[(others.indexOf(here.n) + by + others.length) % others.length];
    let best = this.current, least = Infinity;
    this.points.forEach((p, i) => {
      const far = Math.abs(p.x - here.x) + Math.abs(p.y - here.y) / 1e3;
      if (p.n === next && far < least && i !== this.current) [best, least] = [i, far];
    });
    return best;
  }
  nearest(here) {
    let best = -1, least = 24 ** 2;
    this.points.forEach((p, i) => {
      const inside = p.box && here.x >= p.box[0] && here.x <= p.box[2] && here.y >= p.box[1] && here.y <= p.box[3];
      const far = inside ? (p.n < 0 ? 120 : 0) : p.box ? Infinity : (p.x - here.x) ** 2 + (p.y - here.y) ** 2;
      if (far < least) [best, least] = [i, far];
    });
    return best;
  }
  point(number) {
    const chosen = this.points[number];
    this.current = chosen ? number : -1;
    this.readout.textContent = chosen ? chosen.said.join("; ") : "";
    const b = chosen && chosen.box;
    this.ring.setAttribute("d", !chosen ? "" : b
      ? `M${b[0]},${b[1]}H${b[2]}V${b[3]}H${b[0]}Z` : MARKS[0](chosen.x, chosen.y, 7));
  }
  mark_out(a, b) {
    const top = this.flat ? this.y.from : Math.min(a.y, b.y);
    const height = this.flat ? this.y.to - this.y.from : Math.abs(a.y - b.y);
    Object.entries({ x: Math.min(a.x, b.x), y: top, width: Math.abs(a.x - b.x), height })
      .forEach(([key, value]) => this.frame.setAttribute(key, value));
  }
}

for (const data of JSON.parse(document.getElementById("figures").textContent)) {
  new Drawing(document.getElementById(data.name), data);
}
