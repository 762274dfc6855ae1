// Draws the figures of a page when their section is opened, and hands out their data and pictures.
(() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const specs = read("figures"), themes = read("themes");
  const dark = matchMedia("(prefers-color-scheme: dark)"), narrow = matchMedia("(max-width: 600px)");
  const drawn = new Map();

  const config = (mode) => {
    const chosen = structuredClone(themes[mode]);
    if (narrow.matches) {
      Object.assign(chosen.legend, { columns: 1 });
      Object.assign(chosen.axis, { labelLimit: 130, tickCount: 4 });
    }
    return chosen;
  };

  const options = (mode) => ({ renderer: "svg", actions: false, ast: true, config: config(mode) });

  const draw = async (figure, spec) => {
    const mode = dark.matches ? "dark" : "light";
    const plain = { ...structuredClone(spec), title: undefined, name: undefined };
    const result = await vegaEmbed(figure.querySelector(".chart"), plain, {
      ...options(mode), tooltip: { theme: mode }, bind: figure.querySelector(".choices"),
    });
    drawn.get(figure.id)?.finalize();
    drawn.set(figure.id, result);
    figure.dataset.drawn = figure.querySelectorAll(".chart [aria-roledescription]").length;
  };

  // The figure as it is shown, in the colours of paper, with its title and its choices.
  const picture = async (figure, spec, kind) => {
    const { view } = drawn.get(figure.id);
    const still = { ...structuredClone(spec), width: 700, autosize: { type: "pad" }, name: undefined };
    still.params = spec.params.map(({ name }) => ({ name, value: view.signal(name) }));
    still.title.subtitle = still.params.map(({ value }) => value).join(", ");
    const made = await vegaEmbed(document.createElement("div"), still, options("light"));
    const url = await made.view.toImageURL(kind, 2);
    made.finalize();
    return url;
  };

  const columns = (rows) => [...new Set(rows.flatMap(Object.keys))];
  const quoted = (value) => /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  const csv = (rows) => {
    const names = columns(rows);
    return [names, ...rows.map((row) => names.map((name) => row[name] ?? ""))]
      .map((line) => line.map((value) => quoted(String(value))).join(",")).join("\n") + "\n";
  };

  // Chrome's trace events, which ui.perfetto.dev opens.
  const trace = (rows) => {
    const lines = [...new Set(rows.map((row) => row.row))];
    return JSON.stringify({ traceEvents: [
      ...lines.map((name, tid) => ({ name: "thread_name", ph: "M", pid: 0, tid, args: { name } })),
      ...rows.map((row) => ({ name: row.what, ph: "X", pid: 0, tid: lines.indexOf(row.row),
        ts: row.start_s * 1e6, dur: (row.end_s - row.start_s) * 1e6, args: { note: row.note } })),
    ] });
  };

  const save = (name, url) => {
    const link = document.createElement("a");
    Object.assign(link, { href: url, download: name });
    link.click();
  };
  const blob = (text, type) => URL.createObjectURL(new Blob([text], { type }));

  const buttons = (figure, spec) => {
    const rows = spec.data.values;
    const files = {
      CSV: ["csv", () => blob(csv(rows), "text/csv")],
      JSON: ["json", () => blob(JSON.stringify(rows, null, 1), "application/json")],
      SVG: ["svg", () => picture(figure, spec, "svg")],
      PNG: ["png", () => picture(figure, spec, "png")],
    };
    if (spec.usermeta.section === "timeline")
      files["trace for ui.perfetto.dev"] = ["trace.json", () => blob(trace(rows), "application/json")];
    const bar = figure.querySelector(".tools");
    for (const [text, [ending, make]] of Object.entries(files)) {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", textContent: text });
      button.addEventListener("click", async () => save(`${spec.name}.${ending}`, await make()));
      bar.append(button);
    }
  };

  const cell = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });
  const table = (place, rows) => {
    const names = columns(rows), made = document.createElement("table");
    made.append(document.createElement("thead"), document.createElement("tbody"));
    const line = (parts) => {
      const row = document.createElement("tr");
      row.append(...parts);
      return row;
    };
    made.tHead.append(line(names.map((name) => cell("th", name))));
    const shown = (value) => typeof value === "number" ? Number(value.toPrecision(6)) : value ?? "";
    made.tBodies[0].append(...rows.slice(0, 300).map((row) =>
      line(names.map((name) => cell("td", shown(row[name]))))));
    place.replaceChildren(made);
    if (rows.length > 300) place.append(cell("p", `and ${rows.length - 300} more in the CSV file`));
  };

  const visible = () => specs.map((spec) => [document.getElementById(spec.name), spec])
    .filter(([figure]) => figure.closest("details.section").open);
  const drawNew = () => Promise.all(visible().filter(([figure]) => !drawn.has(figure.id))
    .map(([figure, spec]) => draw(figure, spec)));
  const redraw = () => {
    const open = new Set(visible().map(([figure]) => figure.id));
    for (const [id, result] of [...drawn]) if (!open.has(id)) { result.finalize(); drawn.delete(id); }
    return Promise.all(visible().map(([figure, spec]) => draw(figure, spec)));
  };

  for (const spec of specs) {
    const figure = document.getElementById(spec.name), numbers = figure.querySelector(".numbers");
    buttons(figure, spec);
    numbers.addEventListener("toggle", () =>
      numbers.open && table(numbers.querySelector("div"), spec.data.values));
  }
  for (const section of document.querySelectorAll("details.section"))
    section.addEventListener("toggle", drawNew);
  const follow = () => {
    const target = document.getElementById(location.hash.slice(1));
    const section = target?.closest("details.section");
    if (section) section.open = true;
  };
  addEventListener("hashchange", follow);
  dark.addEventListener("change", redraw);
  narrow.addEventListener("change", redraw);
  follow();
  drawNew();
})();
