// The shapes of each kind of figure. Each kind fills `points`, which the pointer finds.
const SVG = "http://www.w3.org/2000/svg";
const make = (name, attributes = {}, text = "") => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  return element;
};
// Curves differ in dashes and marks, bars in hatching, so that colour is not needed.
const COLOURS = 8;
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "14 4", "4 2", "1 4", "12 3 3 3"];
const HATCHES = ["", "up", "down", "dots", "level", "cross", "upright", ""];
const colour = (n) => `var(--s${n % COLOURS})`;
const MARKS = [
  (x, y, r) => `M${x - r},${y}a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0Z`,
  (x, y, r) => `M${x - r},${y - r}h${2 * r}v${2 * r}h${-2 * r}Z`,
  (x, y, r) => `M${x},${y - 1.3 * r}L${x + 1.2 * r},${y + r}H${x - 1.2 * r}Z`,
  (x, y, r) => `M${x},${y - 1.4 * r}L${x + 1.4 * r},${y}L${x},${y + 1.4 * r}L${x - 1.4 * r},${y}Z`,
  (x, y, r) => `M${x},${y + 1.3 * r}L${x + 1.2 * r},${y - r}H${x - 1.2 * r}Z`,
  (x, y, r) => `M${x - r},${y - r}L${x + r},${y + r}M${x + r},${y - r}L${x - r},${y + r}`,
  (x, y, r) => `M${x - 1.3 * r},${y}H${x + 1.3 * r}M${x},${y - 1.3 * r}V${y + 1.3 * r}`,
  (x, y, r) => `M${x - 1.2 * r},${y - 0.7 * r}h${2.4 * r}v${1.4 * r}h${-2.4 * r}Z`,
];
const mark = (n, x, y, r, hollow) =>
  make("path", {
    d: MARKS[n % MARKS.length](x, y, r), class: "mark", stroke: colour(n),
    fill: hollow || [5, 6].includes(n % MARKS.length) ? "var(--page)" : colour(n),
  });
const bar = (group, n, x, y, width, height) => {
  const box = { x, y, width: Math.max(width, 0.6), height };
  group.append(make("rect", { ...box, fill: colour(n), class: "bar" }));
  const hatch = HATCHES[n % HATCHES.length];
  if (hatch && width > 2) group.append(make("rect", { ...box, fill: `url(#hatch-${hatch})` }));
};
const path = (points) => {
  let broken = true;
  return points.map(([x, y]) => {
    if (x === null || y === null) { broken = true; return ""; }
    const step = `${broken ? "M" : "L"}${x.toFixed(2)},${y.toFixed(2)}`;
    broken = false;
    return step;
  }).join("");
};

const linesValues = (data, shown) => {
  const xs = [], ys = [];
  data.series.forEach((series, n) => {
    if (!shown.has(n)) return;
    xs.push(...series.x);
    ys.push(...series.y, ...series.low, ...series.high);
    series.error.forEach((e, i) => series.y[i] !== null && ys.push(series.y[i] * (1 + e)));
  });
  return [xs, [...ys, ...Object.values(data.levels)]];
};

const drawLines = (figure, group) => {
  const { data, x, y } = figure;
  for (const [name, value] of Object.entries(data.levels)) {
    const place = y.place(value);
    if (place === null) continue;
    group.append(make("path", { d: `M${x.from},${place}H${x.to}`, class: "level" }));
    group.append(make("text", { x: x.to - 4, y: place - 4, class: "level" }, name));
  }
  data.series.forEach((series, n) => {
    if (!figure.shown.has(n)) return;
    const xs = series.x.map((v) => x.place(v)), ys = series.y.map((v) => y.place(v));
    if (series.low.length) {
      const edge = (values) => values.map((v, i) => [xs[i], y.place(v)]).filter((p) => p[1] !== null);
      const around = path(edge(series.high)) + path(edge(series.low).reverse()).replace("M", "L");
      group.append(make("path", { d: `${around}Z`, class: "band", fill: colour(n) }));
    }
    if (series.joined) {
      const line = path(xs.map((v, i) => [v, ys[i]]));
      group.append(make("path", { d: line, class: "line", stroke: colour(n),
        "stroke-dasharray": DASHES[n % DASHES.length] }));
    }
    xs.forEach((px, i) => {
      const py = ys[i];
      if (px === null || py === null) return;
      const error = series.error[i] || 0;
      if (error > 0) {
        const low = y.place(series.y[i] * (1 - error)) ?? y.from, high = y.place(series.y[i] * (1 + error));
        group.append(make("path", { d: `M${px},${low}V${high}M${px - 3},${low}h6M${px - 3},${high}h6`,
          class: "error", stroke: colour(n) }));
      }
      if (series.marked) group.append(mark(n, px, py, 3.4, series.hollow[i]));
      const said = [series.name, `${data.x.title} ${show(series.x[i], data.x.unit)}`,
        `${data.y.title} ${show(series.y[i], data.y.unit)}${error > 0 ? ` ±${show(error, "share")}` : ""}`];
      if (series.notes[i]) said.push(series.notes[i]);
      if (series.hollow[i]) said.push("beyond what was measured");
      if (series.marked || !series.low.length) figure.points.push({ x: px, y: py, n, said });
    });
  });
};

const shade = (data, value) => {
  let n = 0;
  data.steps.forEach((step, i) => { if (value >= step) n = i; });
  return Math.min(5, n);
};
const mapValues = (data) => [0, 1].map((side) => [
  ...data.fields.flatMap((field) => [field[side], field[side + 2]]),
  ...data.marks.flatMap((series) => (side ? [...series.y, ...series.low, ...series.high] : series.x)),
]);
const drawMap = (figure, group) => {
  const { data, x, y } = figure;
  // Cells without a measurement are hatched, because white is the best value.
  const ground = { x: x.from, y: y.to, width: x.to - x.from, height: y.from - y.to };
  group.append(make("rect", { ...ground, class: "ground" }));
  group.append(make("rect", { ...ground, fill: "url(#hatch-up)" }));
  data.cells.forEach(([cx, cy, value], i) => {
    const [left, right] = [data.fields[i][0], data.fields[i][2]].map((at) => x.place(at));
    const [bottom, top] = [data.fields[i][1], data.fields[i][3]].map((at) => y.place(at));
    group.append(make("rect", { x: left, y: top, width: right - left, height: bottom - top,
      class: "cell", fill: `var(--m${shade(data, value)})` }));
    const said = [`${data.x.title} ${show(cx, data.x.unit)}`, `${data.y.title} ${show(cy, data.y.unit)}`,
      `${data.value.title} ${show(value, data.value.unit)}`];
    if (data.tags[i]) said.push(data.tags[i]);
    figure.points.push({ x: (left + right) / 2, y: (top + bottom) / 2, n: -1, said,
      box: [left, top, right, bottom] });
  });
  // Black on white, to be visible on every shade and beside each other.
  const halos = make("g", { class: "halo" }), overs = make("g", { class: "over" });
  group.append(halos, overs);
  const apart = Math.min(12, (x.to - x.from) / x.own.length / 3.5);
  data.marks.forEach((series, n) => {
    if (!figure.shown.has(n)) return;
    series.x.forEach((vx, i) => {
      const px = x.place(vx) + apart * (n - (data.marks.length - 1) / 2), py = y.place(series.y[i]);
      const ends = series.low.length ? `M${px},${y.place(series.low[i])}V${y.place(series.high[i])}` : "";
      const d = ends + mark(n, px, py, 5).getAttribute("d");
      halos.append(make("path", { d }));
      overs.append(make("path", { d }));
      figure.points.push({ x: px, y: py, n, said: [series.name, `${data.x.title} ${show(vx, data.x.unit)}`,
        `${data.y.title} ${show(series.y[i], data.y.unit)}`, ...(series.notes[i] ? [series.notes[i]] : [])] });
    });
  });
};

const barValues = (data, shown) => {
  const values = [0];
  if (data.stacked) {
    data.labels.forEach((_, i) => values.push(data.series.reduce(
      (sum, s, n) => sum + (shown.has(n) ? Math.max(0, s.y[i] || 0) : 0), 0)));
  } else data.series.forEach((s, n) => shown.has(n) && values.push(...s.y));
  return values;
};
const BAR = 15;
const barRow = (figure) => (figure.data.stacked ? 1 : Math.max(1, figure.shown.size)) * BAR + 11;
const drawBars = (figure, group) => {
  const { data, x, y } = figure, zero = x.place(x.log ? x.value(x.low) : 0);
  data.labels.forEach((label, i) => {
    let top = y.from + i * barRow(figure) + 5, from = 0;
    data.series.forEach((series, n) => {
      if (!figure.shown.has(n)) return;
      const value = series.y[i];
      if (value !== null) {
        const start = data.stacked ? x.place(from) : zero, end = x.place(data.stacked ? from + value : value);
        bar(group, n, Math.min(start, end), top, Math.abs(end - start), BAR - 2);
        if (data.stacked) from += value;
        figure.points.push({ x: data.stacked ? (start + end) / 2 : end, y: top + BAR / 2, n,
          box: [Math.min(start, end) - 2, top, Math.max(start, end) + 2, top + BAR],
          said: [label, series.name, show(value, data.value.unit)] });
      }
      if (!data.stacked) top += BAR;
    });
  });
  group.append(make("path", { d: `M${zero},${y.from}V${y.to}`, class: "zero" }));
};

const ROW = 22;
const kinds = (data) => [...new Set(data.intervals.map((interval) => interval.what))];
const drawTimeline = (figure, group) => {
  const { data, x, y } = figure, names = kinds(data);
  data.intervals.forEach((interval) => {
    const n = names.indexOf(interval.what);
    if (!figure.shown.has(n)) return;
    const left = x.place(interval.start), right = x.place(interval.end);
    if (right < x.from || left > x.to) return;
    const top = y.from + interval.row * ROW + 3;
    bar(group, n, left, top, right - left, ROW - 6);
    figure.points.push({ x: (left + right) / 2, y: top + ROW / 2 - 3, n, box: [left, top, right, top + ROW - 6],
      said: [data.rows[interval.row], interval.what, `${show(interval.start, "seconds")} to ` +
        show(interval.end, "seconds"), ...(interval.note ? [interval.note] : [])] });
  });
  drawArrows(figure, group);
};

// Messages: from the row that sends to the one that receives.
const drawArrows = (figure, group) => {
  const { data, x, y } = figure;
  const middle = (row) => y.from + row * ROW + ROW / 2;
  (data.arrows || []).forEach((arrow) => {
    const from = x.place(arrow.start), to = x.place(arrow.end);
    if (to < x.from || from > x.to) return;
    const [top, bottom] = [middle(arrow.row), middle(arrow.to)];
    const length = Math.hypot(to - from, bottom - top) || 1;
    const [ux, uy] = [(to - from) / length, (bottom - top) / length];
    const head = [1, -1].map((side) =>
      `M${to},${bottom}L${to - 6 * ux + side * 3 * uy},${bottom - 6 * uy - side * 3 * ux}`).join("");
    group.append(make("path", { d: `M${from},${top}L${to},${bottom}${head}`, class: "arrow" }));
    figure.points.push({ x: (from + to) / 2, y: (top + bottom) / 2, n: -2,
      said: [`message from ${data.rows[arrow.row]} to ${data.rows[arrow.to]}`,
        `${show(arrow.start, "seconds")} to ${show(arrow.end, "seconds")}`, arrow.note] });
  });
};
