// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws the memory map (the JSON of NAME.map.json, in #data). Names are the
// user's and may be any text: they reach the page by textContent only.
"use strict";
(() => {
  const map = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const fmt = (n) => (n === null || n === undefined ? "unknown" : n.toLocaleString("en-US"));
  const bytes = (n) => `${fmt(n)} bytes`;
  const { buffers, layers, tensors } = map;
  const steps = Math.max(1, layers.length);
  const peakStep = map.peak ? map.peak.step : -1;

  function fill(node, attributes, children) {
    for (const [key, value] of Object.entries(attributes || {}))
      if (value !== undefined && value !== null) node.setAttribute(key, value);
    for (const child of children)
      if (child !== null && child !== undefined) node.append(child);
    return node;
  }
  const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
  const chart = byId("chart");
  const svg = (tag, attributes, ...children) =>
    fill(document.createElementNS(chart.namespaceURI, tag), attributes, children);

  /// Of names that a converter joined with ';' the first; long ones by their end.
  function short(name, limit) {
    const first = name.split(";")[0] || "(no name)";
    return first.length <= limit ? first : "…" + first.slice(1 - limit);
  }
  /// The first of the names, the rest on demand.
  function fullName(name) {
    const rest = name.split(";").length - 1;
    return el("span", rest ? { title: name.split(";").join("\n") } : {}, name.split(";")[0] || "(no name)",
      rest ? el("small", {}, ` and ${rest} more name${rest > 1 ? "s" : ""}`) : null);
  }
  const opAt = (step) => (layers[step] ? `${layers[step].op} at step ${step}` : `step ${step}`);
  const liveAt = (buffer, step) => buffer.first_step <= step && step <= buffer.last_step;

  // ---- Top: what it takes, and what would make it less.
  byId("name").append(map.name + " ", el("small", {}, "for " + map.target));
  byId("origin").textContent =
    [map.model_file, map.compiler, map.options && "options " + map.options].filter(Boolean).join(" · ");

  function figure(what, value, note, cls) {
    byId("figures").append(el("div", { class: "figure " + (cls || "") },
      el("span", { class: "what" }, what), el("b", {}, fmt(value)), el("span", { class: "note" }, note || "")));
  }
  const proof = map.plan_optimal
    ? el("span", { class: "proved" }, "proved least for these lifetimes")
    : map.plan_bound_bytes > 0 ? `no plan can be below ${fmt(map.plan_bound_bytes)}` : "";
  figure("RAM, arena", map.arena_bytes, proof, "main");
  figure("RAM, stack", map.stack_bytes, "bytes");
  figure("flash, weights", map.weights_bytes, "bytes of parameters");
  figure("flash, code", map.code_bytes, "bytes, with constants");
  figure("without scratch", map.arena_without_scratch_bytes, `inputs, outputs: ${fmt(map.io_used_memory)}`);
  figure("live in this order", map.order_peak_bytes || null,
    map.order_proved ? el("span", { class: "proved" }, "no order has less")
      : map.order_given_peak_bytes > map.order_peak_bytes ? `${fmt(map.order_given_peak_bytes)} in the model's` : "order not proved");

  const advice = byId("advice");
  const peakName = peakStep >= 0 ? `${layers[peakStep].op} “${short(layers[peakStep].name, 60)}”, step ${peakStep}` : "";
  if (peakStep >= 0) advice.append(el("b", {}, `Peak: ${bytes(map.peak.bytes)}`), ` at ${peakName}. `);
  if (map.advice.text) advice.append(el("b", {}, "Advice: "), map.advice.text + ".");
  if (map.advice.changes.length > 1)
    advice.append(el("ol", { start: 2 }, ...map.advice.changes.slice(1, 4)
      .map((c) => el("li", {}, `${c.change}: ${bytes(c.arena_bytes)}`))));
  advice.hidden = !advice.textContent;

  // ---- The picture. Coordinates: time in steps, height 0 … 1 over all bands.
  const regions = map.regions.filter((r) => r.bytes > 0 || buffers.some((b) => b.region === r.name));
  const capacityOf = (r) => r.capacity ?? null;
  const gap = regions.length > 1 ? 0.045 : 0;
  const total = regions.reduce((sum, r) => sum + Math.max(1, r.bytes), 0);
  const bands = Object.create(null);
  {
    const least = regions.length > 1 ? 0.12 : 1;
    const share = regions.map((r) => Math.max(least, Math.max(1, r.bytes) / Math.max(1, total)));
    const sum = share.reduce((a, b) => a + b, 0) || 1;
    let low = 0;
    regions.forEach((region, i) => {
      const high = low + share[i] / sum * (1 - gap * (regions.length - 1));
      const capacity = capacityOf(region);
      const near = capacity !== null && capacity < region.bytes * 1.35;
      bands[region.name] = { region, low, high, capacity: near ? capacity : null,
        scale: Math.max(1, near ? Math.max(capacity, region.bytes) : region.bytes) };
      low = high + gap;
    });
  }
  const level = (band, address) => band.low + address / band.scale * (band.high - band.low);

  const back = svg("g"), plot = svg("g", { "clip-path": "url(#plot-area)" }), front = svg("g");
  const boxes = svg("g"), overlays = svg("g", { "aria-hidden": "true" });
  const column = svg("rect", { class: "column", visibility: "hidden" });
  const peakBand = svg("rect", { class: "peak" });
  plot.append(peakBand, boxes, overlays, column);
  chart.append(back, plot, front);

  const tensorsOf = buffers.map(() => []);
  for (const tensor of tensors) if (tensor.dissolved) tensorsOf[tensor.buffer].push(tensor);
  const shapes = []; // {node, t0, t1, v0, v1, label}
  let internal = 0;
  const order = buffers.map((_, i) => i)
    .sort((a, b) => buffers[a].first_step - buffers[b].first_step || buffers[a].offset - buffers[b].offset);
  const boxOf = [];
  for (const i of order) {
    const buffer = buffers[i], band = bands[buffer.region];
    if (!band) continue;
    const shade = buffer.role === "internal" ? ["", " b", " c"][internal++ % 3] : "";
    const node = svg("rect", { class: `box ${buffer.role}${shade}`, rx: 2, tabindex: -1, role: "img",
      "aria-label": `${buffer.name}, ${buffer.role}, ${bytes(buffer.bytes)} from ${fmt(buffer.offset)}, steps ${buffer.first_step} to ${buffer.last_step}` });
    node.dataset.buffer = i;
    const label = svg("text", { class: "label" });
    boxes.append(node);
    overlays.append(label);
    // A buffer born later on the same bytes covers the rest of the label.
    const covered = Math.min(...buffer.sharing.map((s) => buffers[s.buffer].first_step).filter((t) => t > buffer.first_step));
    boxOf[i] = { node, label, covered, name: buffer.name, t0: buffer.first_step, t1: buffer.last_step + 1,
      v0: level(band, buffer.offset), v1: level(band, buffer.offset + buffer.bytes) };
    shapes.push(boxOf[i]);
    for (const tensor of tensorsOf[i])
      shapes.push({ node: overlays.appendChild(svg("rect", { class: "inner" })), inset: 2, buffer: i,
        t0: tensor.first_step, t1: tensor.last_step + 1, v0: level(band, buffer.offset + tensor.offset_in_buffer),
        v1: level(band, buffer.offset + tensor.offset_in_buffer + tensor.bytes) });
    for (const shared of buffer.sharing) {
      if (shared.buffer > i) continue;
      const other = buffers[shared.buffer];
      shapes.push({ node: overlays.insertBefore(svg("rect", { class: "shared" }), overlays.firstChild), buffer: i,
        other: shared.buffer, t0: Math.max(buffer.first_step, other.first_step),
        t1: Math.min(buffer.last_step, other.last_step) + 1,
        v0: level(band, Math.max(buffer.offset, other.offset)),
        v1: level(band, Math.min(buffer.offset + buffer.bytes, other.offset + other.bytes)) });
    }
  }

  // The peak's mark stands above the name of the highest band.
  const margin = { left: 66, right: 14, top: regions.length > 1 ? 40 : 24, bottom: 40 };
  const all = { x0: 0, x1: steps, y0: 0, y1: 1 };
  let view = { ...all }, width = 600, height = 400;
  const plotWidth = () => Math.max(50, width - margin.left - margin.right);
  const plotHeight = () => Math.max(50, height - margin.top - margin.bottom);
  const px = (t) => margin.left + (t - view.x0) / (view.x1 - view.x0) * plotWidth();
  const py = (v) => margin.top + plotHeight() - (v - view.y0) / (view.y1 - view.y0) * plotHeight();

  function place(node, t0, t1, v0, v1, inset) {
    // Far outside the view numbers would grow without limit.
    const clampX = (x) => Math.max(-9, Math.min(width + 9, x)), clampY = (y) => Math.max(-9, Math.min(height + 9, y));
    const x = clampX(px(t0)), y = clampY(py(v1)), w = clampX(px(t1)) - x, h = clampY(py(v0)) - y;
    const i = inset && w > 3 * inset && h > 3 * inset ? inset : 0;
    node.setAttribute("x", (x + i).toFixed(1));
    node.setAttribute("y", (y + i).toFixed(1));
    node.setAttribute("width", Math.max(0.8, w - 2 * i).toFixed(1));
    node.setAttribute("height", Math.max(0.8, h - 2 * i).toFixed(1));
    return { x, y, w, h };
  }
  /// The smallest power of two times 1 (or decimal 1, 2, 5) not below.
  const niceBytes = (least) => 2 ** Math.ceil(Math.log2(Math.max(1, least)));
  function niceSteps(least) {
    const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
    return [1, 2, 5, 10].map((f) => f * power).find((s) => s >= least) || 1;
  }

  function draw() {
    byId("plot-clip").setAttribute("x", margin.left);
    byId("plot-clip").setAttribute("y", margin.top);
    byId("plot-clip").setAttribute("width", plotWidth());
    byId("plot-clip").setAttribute("height", plotHeight());
    back.replaceChildren();
    front.replaceChildren();
    const right = margin.left + plotWidth(), bottom = margin.top + plotHeight();
    const inside = (y) => y > margin.top - 1 && y < bottom + 1;
    for (const { region, low, high, scale, capacity } of Object.values(bands)) {
      const tick = niceBytes(scale / (high - low) * (view.y1 - view.y0) / plotHeight() * 44);
      for (let address = 0; address <= scale; address += tick) {
        const y = py(level(bands[region.name], address));
        if (!inside(y)) continue;
        back.append(svg("line", { class: "grid", x1: margin.left, x2: right, y1: y, y2: y }),
          svg("text", { x: margin.left - 8, y: y + 4, "text-anchor": "end" }, fmt(address)));
      }
      const yLow = py(low), yHigh = py(high);
      if (regions.length > 1) {
        back.append(svg("line", { class: "axis", x1: margin.left, x2: right, y1: yLow, y2: yLow }));
        const y = Math.max(yHigh - 5, margin.top - 5);
        if (y < Math.min(yLow, bottom))
          front.append(svg("text", { class: "band-name", x: margin.left + 2, y },
            `${region.name}: ${fmt(region.bytes)}${capacityOf(region) !== null ? " of " + fmt(capacityOf(region)) : ""}`));
      }
      if (capacity !== null && inside(py(level(bands[region.name], capacity)))) {
        const y = py(level(bands[region.name], capacity));
        front.append(svg("line", { class: "capacity", x1: margin.left, x2: right, y1: y, y2: y }),
          svg("text", { class: "peak-text", x: right - 4, y: y - 4, "text-anchor": "end" }, `capacity ${fmt(capacity)}`));
      }
    }
    const perStep = plotWidth() / (view.x1 - view.x0);
    const stride = niceSteps(36 / perStep);
    for (let step = Math.max(0, Math.ceil(view.x0 / stride) * stride); step < steps && step < view.x1; step += stride) {
      const x = px(step + 0.5);
      if (x < margin.left || x > right) continue;
      back.append(svg("line", { class: "grid", x1: px(step), x2: px(step), y1: margin.top, y2: bottom }),
        svg("text", { x, y: bottom + 15, "text-anchor": "middle" }, String(step)));
      const room = Math.floor(perStep * stride / 6.8);
      if (layers[step] && stride === 1 && room >= 9)
        back.append(svg("text", { x, y: bottom + 30, "text-anchor": "middle" },
          layers[step].op.length > room ? layers[step].op.slice(0, room - 1) + "…" : layers[step].op));
    }
    back.append(svg("text", { x: margin.left - 8, y: bottom + 15, "text-anchor": "end" }, "step"),
      svg("line", { class: "axis", x1: margin.left, x2: right, y1: bottom, y2: bottom }),
      svg("line", { class: "axis", x1: margin.left, x2: margin.left, y1: margin.top, y2: bottom }));
    for (const shape of shapes) {
      const { x, y, w, h } = place(shape.node, shape.t0, shape.t1, shape.v0, shape.v1, shape.inset);
      if (shape.other !== undefined) shape.node.classList.toggle("thin", w < 7);
      if (!shape.label) continue;
      const from = Math.max(x, margin.left), to = Math.min(x + w, right, px(shape.covered)), room = Math.floor((to - from - 9) / 7.4);
      const top = Math.max(y, margin.top), low = Math.min(y + h, bottom), show = room >= Math.min(8, shape.name.length) && low - top >= 14;
      shape.label.textContent = show ? short(shape.name, room) : "";
      if (!show) continue;
      shape.label.setAttribute("x", (from + 5).toFixed(1));
      shape.label.setAttribute("y", Math.min(top + 14, (top + low) / 2 + 4).toFixed(1));
    }
    if (peakStep >= 0) {
      place(peakBand, peakStep, peakStep + 1, -1, 2);
      const x = px(peakStep + 0.5);
      if (x >= margin.left && x <= right) {
        const end = x > right - 170;
        front.append(svg("line", { class: "peak-line", x1: px(peakStep), x2: px(peakStep + 1), y1: margin.top, y2: margin.top }),
          svg("text", { class: "peak-text", x: end ? x - 8 : x + 8, y: 17, "text-anchor": end ? "end" : "start" },
            `peak ${fmt(map.peak.bytes)}, step ${peakStep}`),
          svg("path", { d: `M${x - 5} 11h10l-5 9z`, fill: "var(--peak)" }));
      }
    }
    showColumn(marked);
  }

  // ---- Zoom and pan.
  function setView(next) {
    const fit = (low, high, most, least) => {
      const size = Math.min(most, Math.max(least, high - low));
      const start = Math.max(0, Math.min(most - size, low + (high - low - size) / 2));
      return [start, start + size];
    };
    [view.x0, view.x1] = fit(next.x0, next.x1, steps, Math.min(steps, 2));
    [view.y0, view.y1] = fit(next.y0, next.y1, 1, 1 / 4000);
    draw();
  }
  function zoom(factor, cx = 0.5, cy = 0.5, axes = "xy") {
    const next = { ...view };
    if (axes.includes("x")) {
      const at = view.x0 + cx * (view.x1 - view.x0);
      next.x0 = at - (at - view.x0) * factor; next.x1 = at + (view.x1 - at) * factor;
    }
    if (axes.includes("y")) {
      const at = view.y0 + cy * (view.y1 - view.y0);
      next.y0 = at - (at - view.y0) * factor; next.y1 = at + (view.y1 - at) * factor;
    }
    setView(next);
  }
  const pan = (dx, dy) => setView({ x0: view.x0 + dx, x1: view.x1 + dx, y0: view.y0 + dy, y1: view.y1 + dy });
  const inPlot = (event) => {
    const box = chart.getBoundingClientRect();
    return { x: (event.clientX - box.left - margin.left) / plotWidth(),
      y: 1 - (event.clientY - box.top - margin.top) / plotHeight() };
  };
  chart.addEventListener("wheel", (event) => {
    event.preventDefault();
    const at = inPlot(event), unit = event.deltaMode === 1 ? 30 : 1;
    zoom(Math.exp(Math.max(-240, Math.min(240, event.deltaY * unit)) / 500), at.x, at.y,
      event.shiftKey ? "x" : event.altKey ? "y" : "xy");
  }, { passive: false });
  let drag = null;
  chart.addEventListener("pointerdown", (event) => {
    if (event.button === 0) drag = { x: event.clientX, y: event.clientY, view: { ...view }, moved: false, id: event.pointerId };
  });
  chart.addEventListener("pointermove", (event) => {
    if (drag) {
      const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
      if (!drag.moved && Math.hypot(dx, dy) > 4) {
        drag.moved = true;
        chart.setPointerCapture(drag.id);
        chart.classList.add("dragging");
      }
      if (drag.moved) {
        hideTip();
        const u = -dx / plotWidth() * (drag.view.x1 - drag.view.x0), v = dy / plotHeight() * (drag.view.y1 - drag.view.y0);
        setView({ x0: drag.view.x0 + u, x1: drag.view.x1 + u, y0: drag.view.y0 + v, y1: drag.view.y1 + v });
        return;
      }
    }
    const step = Math.floor(view.x0 + inPlot(event).x * (view.x1 - view.x0));
    showColumn(step >= 0 && step < layers.length ? step : null);
    const i = event.target.dataset ? event.target.dataset.buffer : undefined;
    if (i === undefined) hideTip();
    else showTip(bufferCard(+i), event.clientX, event.clientY);
  });
  const release = () => { drag = null; chart.classList.remove("dragging"); };
  chart.addEventListener("pointerup", (event) => {
    if (drag && !drag.moved) {
      const i = event.target.dataset ? event.target.dataset.buffer : undefined;
      const step = Math.floor(view.x0 + inPlot(event).x * (view.x1 - view.x0));
      if (i !== undefined) chooseBuffer(+i);
      else if (layers[step]) chooseLayer(step, true);
    }
    release();
  });
  chart.addEventListener("pointercancel", release);
  chart.addEventListener("pointerleave", () => { hideTip(); showColumn(null); });
  chart.addEventListener("dblclick", () => setView(all));
  byId("zoom-in").onclick = () => zoom(1 / 1.5);
  byId("zoom-out").onclick = () => zoom(1.5);
  byId("zoom-all").onclick = () => setView(all);
  let current = -1; // in `order`
  chart.addEventListener("keydown", (event) => {
    const move = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (move && event.shiftKey) {
      pan(event.key === "ArrowRight" ? (view.x1 - view.x0) / 8 : event.key === "ArrowLeft" ? (view.x0 - view.x1) / 8 : 0,
        event.key === "ArrowUp" ? (view.y1 - view.y0) / 8 : event.key === "ArrowDown" ? (view.y0 - view.y1) / 8 : 0);
    } else if (move && order.length) {
      current = (current + move + order.length) % order.length;
      const shape = boxOf[order[current]];
      if (!shape) return;
      const t = (shape.t0 + shape.t1 - view.x0 - view.x1) / 2, v = (shape.v0 + shape.v1 - view.y0 - view.y1) / 2;
      pan(Math.abs(t) * 2 > view.x1 - view.x0 ? t : 0, Math.abs(v) * 2 > view.y1 - view.y0 ? v : 0);
      shape.node.focus({ preventScroll: true });
      const box = shape.node.getBoundingClientRect();
      showTip(bufferCard(order[current]), Math.min(box.right, box.left + 80), Math.min(box.bottom, box.top + 30));
    } else if (event.key === "+" || event.key === "=") zoom(1 / 1.5);
    else if (event.key === "-") zoom(1.5);
    else if (event.key === "0") setView(all);
    else if (event.key === "Enter" && current >= 0) chooseBuffer(order[current]);
    else if (event.key === "Escape") hideTip();
    else return;
    event.preventDefault();
  });
  chart.addEventListener("focusout", hideTip);

  // ---- Cards: tooltip and details say the same.
  function pairs(...list) {
    const dl = el("dl");
    for (const [key, value] of list) if (value !== null && value !== "") dl.append(el("dt", {}, key), el("dd", {}, value));
    return dl;
  }
  function bufferCard(i) {
    const b = buffers[i];
    const card = [el("b", {}, el("span", { class: "swatch " + b.role }), fullName(b.name)),
      pairs(["role", b.role], ["bytes", fmt(b.bytes)],
        ["address", `${fmt(b.offset)} to ${fmt(b.offset + b.bytes)}${regions.length > 1 ? " in " + b.region : ""}, aligned to ${b.align}`],
        ["lives", b.first_step === b.last_step ? `at ${opAt(b.first_step)}` : `from ${opAt(b.first_step)} to ${opAt(b.last_step)}`])];
    if (b.sharing.length)
      card.push(el("div", {}, "Shares bytes with"), el("ul", {}, ...b.sharing.map((s) => el("li", {},
        el("b", {}, short(buffers[s.buffer].name, 60)), ` (${bytes(s.bytes)}): ${s.why}`))));
    if (tensorsOf[i].length)
      card.push(el("div", {}, "Holds also"), el("ul", {}, ...tensorsOf[i].slice(0, 12).map((t) => el("li", {},
        el("b", {}, short(t.name, 60)), ` (${bytes(t.bytes)} from byte ${fmt(t.offset_in_buffer)}): ${t.dissolved.op} copies nothing`)),
        tensorsOf[i].length > 12 ? el("li", {}, `and ${tensorsOf[i].length - 12} more`) : null));
    return card;
  }
  function layerCard(step) {
    const l = layers[step];
    const live = buffers.map((b, i) => [b, i]).filter(([b]) => liveAt(b, step)).sort((a, b) => b[0].bytes - a[0].bytes);
    return [el("h2", {}, `Step ${step}: ${l.op}${step === peakStep ? " – the peak" : ""}`),
      pairs(["result", fullName(l.name)], ["kernel", l.kernel], ["chosen", l.remark === l.kernel ? "" : l.remark], ["code", l.function],
        ["memory", `used_memory ${fmt(l.used_memory)}, footprint ${fmt(l.footprint_bytes)}, of them ${fmt(l.scratch_bytes)} scratch, up to byte ${fmt(l.height_bytes)}`],
        ["cost", `${fmt(l.macs)} multiply-accumulates, ${fmt(l.weights_bytes)} bytes of weights`]),
      table(["~live there", ">bytes", ">from", "role"], live.map(([b]) => [
        el("span", {}, el("span", { class: "swatch " + b.role }), short(b.name, 120)), fmt(b.bytes), fmt(b.offset), b.role]))];
  }
  function table(titles, rows) {
    const cls = titles.map((t) => (t.startsWith(">") ? "n" : t.startsWith("~") ? "wide" : null));
    return el("table", {}, el("thead", {}, el("tr", {}, ...titles.map((t, i) => el("th", { class: cls[i] }, t.replace(/^[>~]/, ""))))),
      el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((cell, i) => el("td", { class: cls[i] }, cell))))));
  }
  const tip = byId("tip");
  function showTip(card, x, y) {
    tip.replaceChildren(...card);
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(6, x + 16 + box.width > innerWidth - 6 ? x - 14 - box.width : x + 16) + "px";
    tip.style.top = Math.max(6, Math.min(y + 14, innerHeight - box.height - 6)) + "px";
  }
  function hideTip() { tip.hidden = true; }

  // ---- Layers.
  const rows = layers.map((l, step) => {
    const meter = el("span", { class: "meter" });
    meter.style.width = Math.max(1, Math.round(l.height_bytes / Math.max(1, map.arena_bytes) * 48)) + "px";
    return el("tr", { class: step === peakStep ? "peak" : "", tabindex: step === Math.max(0, peakStep) ? 0 : -1, title: l.name },
      el("td", { class: "n" }, String(step)), el("td", {}, l.op, el("small", {}, l.kernel.replace(/^aotc_/, ""))), el("td", { class: "n" }, fmt(l.used_memory)), el("td", { class: "n" }, fmt(l.footprint_bytes)),
      el("td", { class: "n" }, l.scratch_bytes ? fmt(l.scratch_bytes) : "–"),
      el("td", { class: "n height" }, fmt(l.height_bytes), meter),
      el("td", { class: "n" }, l.macs ? fmt(l.macs) : "–"), el("td", { class: "n" }, l.weights_bytes ? fmt(l.weights_bytes) : "–"));
  });
  const body = byId("layers").querySelector("tbody");
  body.append(...rows);
  const stepOf = (event) => rows.indexOf(event.target.closest("tr"));
  body.addEventListener("pointerover", (event) => showColumn(stepOf(event)));
  body.addEventListener("pointerleave", () => showColumn(null));
  body.addEventListener("click", (event) => chooseLayer(stepOf(event), false));
  body.addEventListener("keydown", (event) => {
    const step = stepOf(event), next = { ArrowDown: step + 1, ArrowUp: step - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (event.key === "Enter" || event.key === " ") chooseLayer(step, false);
    else if (next === undefined || !rows[next]) return;
    else { chooseLayer(next, true); rows[next].focus({ preventScroll: true }); }
    event.preventDefault();
  });

  /// Scrolls the list, not the page.
  function reveal(row) {
    const list = byId("layers"), head = list.querySelector("thead").offsetHeight;
    const low = row.offsetTop - head, high = row.offsetTop + row.offsetHeight - list.clientHeight;
    list.scrollTop = Math.min(low, Math.max(high, list.scrollTop));
  }
  let marked = null, chosenStep = peakStep, chosenBuffer = -1;
  function showColumn(step) {
    if (marked !== null && rows[marked]) rows[marked].classList.remove("at");
    marked = step !== null && rows[step] ? step : null;
    if (marked !== null) rows[marked].classList.add("at");
    const shown = marked !== null ? marked : chosenStep;
    column.setAttribute("visibility", rows[shown] && shown !== peakStep ? "visible" : "hidden");
    if (rows[shown]) place(column, shown, shown + 1, -1, 2);
  }
  function choose(step, buffer, card) {
    for (const row of rows) row.classList.toggle("chosen", rows.indexOf(row) === step);
    if (boxOf[chosenBuffer]) boxOf[chosenBuffer].node.classList.remove("chosen");
    if (boxOf[buffer]) { boxOf[buffer].node.classList.add("chosen"); boxes.append(boxOf[buffer].node); }
    chosenStep = step;
    chosenBuffer = buffer;
    byId("details").replaceChildren(...card);
    byId("details").scrollTop = 0;
    showColumn(marked);
  }
  function chooseLayer(step, scroll) {
    if (!rows[step]) return;
    choose(step, -1, layerCard(step));
    for (const row of rows) row.tabIndex = row === rows[step] ? 0 : -1;
    if (scroll) reveal(rows[step]);
    // Into view, if zoomed elsewhere.
    if (step < view.x0 || step + 1 > view.x1) pan(step + 0.5 - (view.x0 + view.x1) / 2, 0);
  }
  function chooseBuffer(i) { choose(-1, i, bufferCard(i)); }

  // ---- Search.
  byId("search").addEventListener("input", (event) => {
    const text = event.target.value.trim().toLowerCase();
    const hit = (...words) => words.some((word) => word.toLowerCase().includes(text));
    let count = 0;
    const hits = buffers.map((b, i) => !text || hit(b.name, b.role, ...tensorsOf[i].map((t) => t.name)));
    for (const shape of shapes) {
      const i = shape.label ? boxOf.indexOf(shape) : shape.buffer;
      const show = hits[i] || (shape.other !== undefined && hits[shape.other]);
      shape.node.classList.toggle("dim", !show);
      if (shape.label) shape.label.classList.toggle("dim", !show);
      if (shape.label && show && text) ++count;
    }
    let first = -1, ops = 0;
    layers.forEach((l, step) => {
      const show = !text || hit(l.op, l.name, l.kernel);
      rows[step].classList.toggle("dim", !show);
      if (show && text) { ++ops; if (first < 0) first = step; }
    });
    if (first >= 0) reveal(rows[first]);
    byId("found").textContent = text ? `${count} buffers, ${ops} layers` : "";
  });

  // ---- Legend, tables, footer.
  const roles = ["input", "output", "internal", "scratch", "state"].filter((r) => buffers.some((b) => b.role === r));
  const entry = (cls, text) => el("span", {}, el("i", { class: cls }), text);
  byId("legend").append(...roles.map((r) => entry(r, r)));
  if (buffers.some((b) => b.sharing.length)) byId("legend").append(entry("shared", "bytes of two"));
  if (tensorsOf.some((list) => list.length)) byId("legend").append(entry("inner", "tensor inside another"));

  function section(title, content, open) {
    byId("tables").append(el("details", open ? { open: "" } : {}, el("summary", {}, title), el("div", { class: "scroll" }, content)));
  }
  const io = [...map.inputs.map((t) => ["input", t]), ...map.outputs.map((t) => ["output", t])];
  section("Inputs and outputs", table(["", "~name", "C name", "type", "shape", ">scale", ">zero point", ">bytes", ">offset"],
    io.map(([what, t]) => [what, t.name, t.symbol, t.type, t.shape.join(" × ") || "scalar", t.scale === undefined ? "" : String(t.scale),
      t.zero_point === undefined ? "" : String(t.zero_point), fmt(t.bytes), fmt(t.offset)])), true);
  section(`Tensors (${tensors.length})`, table(["~name", ">bytes", ">address", ">steps", "~lives in"],
    tensors.map((t) => [t.name, fmt(t.bytes), fmt(buffers[t.buffer].offset + t.offset_in_buffer), `${t.first_step}–${t.last_step}`,
      t.dissolved ? `${short(buffers[t.buffer].name, 70)}, from byte ${fmt(t.offset_in_buffer)}: ${t.dissolved.op} copies nothing` : "a buffer of its own"])));
  const shared = buffers.flatMap((b, i) => b.sharing.filter((s) => s.buffer < i).map((s) => [b, s]));
  if (shared.length)
    section(`Shared bytes (${shared.length} pairs)`, table(["~buffer", "~with", ">bytes", "~because"],
      shared.map(([b, s]) => [b.name, buffers[s.buffer].name, fmt(s.bytes), s.why])));
  byId("footer").textContent = `${map.schema} · SHA-256 of the model ${map.model_sha256} · ${map.abi_symbol}`;

  // ---- Theme and size.
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const setTheme = (on) => document.documentElement.setAttribute("data-theme", on ? "dark" : "light");
  setTheme(dark.matches);
  dark.addEventListener("change", (event) => setTheme(event.matches));
  byId("theme").onclick = () => setTheme(document.documentElement.getAttribute("data-theme") !== "dark");
  let before = "light", opened = [];
  addEventListener("beforeprint", () => {
    before = document.documentElement.getAttribute("data-theme");
    setTheme(false);
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const node of opened) node.open = true;
  });
  addEventListener("afterprint", () => {
    setTheme(before === "dark");
    for (const node of opened) node.open = false;
  });
  const measure = () => {
    const top = document.querySelector("main").getBoundingClientRect().top + scrollY;
    document.documentElement.style.setProperty("--main", Math.max(480, innerHeight - top - 14) + "px");
    const box = byId("stage").getBoundingClientRect();
    if (box.width < 10 || box.height < 10) return;
    width = box.width;
    height = box.height;
    chart.setAttribute("viewBox", `0 0 ${width} ${height}`);
    draw();
  };
  new ResizeObserver(measure).observe(byId("stage"));
  addEventListener("resize", measure);
  measure();
  if (layers.length) chooseLayer(Math.max(0, peakStep), true);
})();
