"use strict";
// Every block is a rectangle: from its allocation to its free, at its address. The rectangles are painted into an array of pixels; a pan
// moves what is painted and paints the strip that appears. How the columns are packed: Page.java.

const UNIT = 512;
const $ = id => document.getElementById(id);
const blocksCanvas = $("blocks"), curveCanvas = $("curve");
const blocksInk = blocksCanvas.getContext("2d", {alpha: false}), curveInk = curveCanvas.getContext("2d");
const BUCKETS = 256, MOST_LIVE = 8e6, STEP = 64, FAILURE = 2;

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

function sizeText(bytes) {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0, value = Math.abs(bytes);
  while (value >= 1024 && unit < 4) { value /= 1024; unit++; }
  return (bytes < 0 ? "-" : "") + (unit === 0 ? value : value.toFixed(2)) + " " + units[unit];
}
const digits = number => Math.round(number).toLocaleString("en-US");
const both = bytes => sizeText(bytes) + (Math.abs(bytes) < 1024 ? "" : " (" + digits(bytes) + " bytes)");

/** A history with what is needed to find blocks and sums quickly. */
class History {
  static async of(part) {
    const history = new History();
    const n = part.count, ints = new Uint32Array(await unpacked(part.ints));
    Object.assign(history, {name: part.name, n, events: part.events, height: Math.max(1, part.height), stacks: part.stacks, holders: part.holders,
      from: ints.subarray(0, n), to: ints.subarray(n, 2 * n), place: ints.subarray(2 * n, 3 * n), units: ints.subarray(3 * n, 4 * n),
      stack: ints.subarray(4 * n, 5 * n), bytes: new Float64Array(await unpacked(part.exact)), failures: part.failures});
    history.times(new Uint32Array(await unpacked(part.micros)));
    history.lines();
    history.sums(part);
    history.index();
    return history;
  }

  times(deltas) {
    this.micros = new Float64Array(this.events + 1);
    for (let i = 0, now = 0; i <= this.events; i++) { now += i < this.events ? deltas[i] : 0; this.micros[i] = now; }
  }

  /** The user's line is the first of each stack. */
  lines() {
    const ids = new Map();
    this.lineOf = new Uint32Array(this.stacks.length);
    this.stacks.forEach((stack, i) => {
      if (!ids.has(stack[0])) ids.set(stack[0], ids.size);
      this.lineOf[i] = ids.get(stack[0]);
    });
    this.lineNames = [...ids.keys()];
    this.line = new Uint32Array(this.n);
    for (let i = 0; i < this.n; i++) this.line[i] = this.lineOf[this.stack[i]];
    this.colours = this.lineNames.map((name, i) => colour(i));
  }

  sums(part) {
    this.allocated = new Float64Array(this.events + 1);
    this.reserved = new Float64Array(this.events + 1);
    const change = new Float64Array(this.events + 2);
    for (let i = 0; i < this.n; i++) {
      change[this.from[i]] += this.bytes[i];
      if (this.to[i] < this.events) change[this.to[i]] -= this.bytes[i];
    }
    const segments = new Float64Array(this.events + 1);
    for (let i = 0; i < part.reserved.length; i += 2) segments[part.reserved[i]] += part.reserved[i + 1];
    let held = part.reservedBefore, used = 0;
    this.peak = 0;
    for (let e = 0; e < this.events; e++) {
      this.allocated[e] = used += change[e];
      this.reserved[e] = held += segments[e];
      if (used > this.allocated[this.peak]) this.peak = e;
    }
    this.allocated[this.events] = used;
    this.reserved[this.events] = held;
    this.most = 0;
    for (const value of this.reserved) this.most = Math.max(this.most, value);
    this.top = Math.max(1, this.most, this.allocated[this.peak]);
    this.coarse = [this.allocated, this.reserved].map(values => {
      const most = new Float64Array(Math.ceil(values.length / STEP));
      for (let i = 0; i < values.length; i++) most[i / STEP | 0] = Math.max(most[i / STEP | 0], values[i]);
      return most;
    });
  }

  /** At a few events, the blocks that are alive there: what is alive elsewhere is found from the nearest. */
  index() {
    const width = Math.max(1, Math.ceil(this.events / BUCKETS));
    let total = 0;
    for (let i = 0; i < this.n; i++) total += Math.max(0, Math.floor((this.to[i] - 1) / width) - Math.floor(this.from[i] / width));
    this.width = total > MOST_LIVE ? width * Math.ceil(total / MOST_LIVE) : width;
    const count = Math.floor(this.events / this.width) + 1;
    const sizes = new Uint32Array(count + 1);
    const each = (visit) => {
      for (let i = 0; i < this.n; i++) {
        const last = Math.min(count - 1, Math.floor((this.to[i] - 1) / this.width));
        for (let b = Math.floor(this.from[i] / this.width) + 1; b <= last; b++) visit(b, i);
      }
    };
    each(b => sizes[b]++);
    this.alive = Array.from(sizes, size => new Uint32Array(size));
    sizes.fill(0);
    each((b, i) => { this.alive[b][sizes[b]++] = i; });
  }

  /** The first block allocated at that event or later. */
  firstFrom(event) {
    let low = 0, high = this.n;
    while (low < high) { const middle = (low + high) >> 1; if (this.from[middle] < event) low = middle + 1; else high = middle; }
    return low;
  }

  /** Shows every block that is there at some time in [a, b). */
  within(a, b, visit) {
    const start = Math.max(0, Math.floor(a));
    const bucket = Math.min(this.alive.length - 1, Math.floor(start / this.width));
    const base = bucket * this.width;
    for (const i of this.alive[bucket]) if (this.to[i] > start) visit(i);
    const end = this.firstFrom(Math.max(Math.ceil(b), start + 1));
    for (let i = bucket === 0 ? 0 : this.firstFrom(base); i < end; i++) if (this.to[i] > start || this.from[i] >= start) visit(i);
  }

  at(event, unit) {
    let found = -1;
    this.within(event, event + 1e-9, i => {
      if (this.from[i] <= event && event < this.to[i] && this.place[i] <= unit && unit < this.place[i] + Math.max(1, this.units[i])) found = i;
    });
    return found;
  }

  /** Bytes of each line that are there at an event. */
  byLine(event) {
    const sums = new Float64Array(this.lineNames.length), counts = new Uint32Array(this.lineNames.length);
    this.within(event, event + 1e-9, i => {
      if (this.from[i] <= event && event < this.to[i]) { sums[this.line[i]] += this.bytes[i]; counts[this.line[i]]++; }
    });
    return {sums, counts};
  }
}

/** Colours that stay apart: the hue goes round by the golden angle, past the red of what ran out and the blue of the curve. */
function colour(i) {
  const at = 20 + (i * 137.508) % 360 * 290 / 360, hue = at < 195 ? at : at + 30, light = 0.5 + 0.12 * Math.sin(i * 1.7), chroma = 0.32;
  const channel = shift => Math.round(255 * (light + chroma * Math.cos((hue + shift) * Math.PI / 180)));
  return [channel(0), channel(-120), channel(120)].map(v => Math.max(0, Math.min(255, v)));
}
const pixel = c => (0xff000000 | c[2] << 16 | c[1] << 8 | c[0]) >>> 0;

let histories = [], history, view, lit = null, moments = [], dark = matchMedia("(prefers-color-scheme: dark)").matches;
let W = 0, H = 0, scale = 1, resting = true, inks;

function layout() {
  scale = Math.min(2, devicePixelRatio || 1);
  const box = blocksCanvas.getBoundingClientRect(), top = curveCanvas.getBoundingClientRect();
  W = Math.max(50, Math.round(box.width * scale)); H = Math.max(50, Math.round(box.height * scale));
  blocksCanvas.width = W; blocksCanvas.height = H;
  curveCanvas.width = W; curveCanvas.height = Math.round(top.height * scale);
}

function repaintInks() {
  const paper = dark ? [27, 27, 27] : [255, 255, 255], grey = dark ? [58, 58, 58] : [222, 222, 222];
  inks = {paper: pixel(paper), line: Uint32Array.from(history.colours, (c, i) => pixel(!lit || lit[i] ? c : grey))};
}

/** Paints columns [left, right) of the picture. */
function paint(left, right) {
  const width = right - left;
  if (width <= 0) return;
  const image = blocksInk.createImageData(width, H), cells = new Uint32Array(image.data.buffer);
  cells.fill(inks.paper);
  const sx = W / (view.x1 - view.x0), sy = H / (view.y1 - view.y0);
  const {from, to, place, units, line} = history, ink = inks.line, x0 = view.x0, y0 = view.y0;
  history.within(x0 + left / sx, x0 + right / sx, i => {
    let a = Math.floor((from[i] - x0) * sx) - left, b = Math.ceil((to[i] - x0) * sx) - left;
    let top = H - Math.ceil((place[i] + units[i] - y0) * sy), bottom = H - Math.floor((place[i] - y0) * sy);
    if (b <= a) b = a + 1;
    if (bottom <= top) bottom = top + 1;
    if (a < 0) a = 0;
    if (b > width) b = width;
    if (top < 0) top = 0;
    if (bottom > H) bottom = H;
    const c = ink[line[i]];
    if (b - a === 1) { for (let y = top, at = top * width + a; y < bottom; y++, at += width) cells[at] = c; return; }
    for (let y = top, at = top * width; y < bottom; y++, at += width) cells.fill(c, at + a, at + b);
    // neighbours of one line stay apart where there is room for an edge
    if (bottom - top > 6) cells.fill(inks.paper, top * width + a, top * width + b);
  });
  for (const failed of failureColumns()) {
    for (let x = Math.max(0, failed - left); x < Math.min(width, failed + FAILURE * scale - left); x++) {
      for (let y = 0; y < H; y++) if (y % 6 < 4) cells[y * width + x] = 0xff0000e0;
    }
  }
  for (const moment of moments) {
    const x = Math.round((moment - x0) * sx) - left;
    if (x >= 0 && x < width) for (let y = 0; y < H; y++) cells[y * width + x] = dark ? 0xffffffff : 0xff000000;
  }
  blocksInk.putImageData(image, left, 0);
}

/** Where failures are drawn, from the left: the last event's, where most snapshots end, is not cut off at the edge. */
function failureColumns() {
  const sx = W / (view.x1 - view.x0), columns = [];
  for (let i = 0; i < history.failures.length; i += 2) {
    const x = Math.floor((history.failures[i] - view.x0) * sx);
    columns.push(x < W && x > W - FAILURE * scale ? W - FAILURE * scale : x);
  }
  return columns;
}

function draw() { paint(0, W); drawCurve(); if (resting) rest(); }

/** What is seen, while no event is pointed at. */
function rest() {
  resting = true;
  $("status").textContent = "from left to right events, from top to bottom addresses: " + sizeText((view.y1 - view.y0) * UNIT) + " of " + sizeText(history.height * UNIT)
    + " of segments; point at a block for its stack";
}

/** The events at the left edge, in the middle and at the right edge, and when they were. */
function axis() {
  [...$("axis").children].forEach((label, i) => {
    const event = Math.max(0, Math.min(history.events, Math.round(view.x0 + i / 2 * (view.x1 - view.x0))));
    label.textContent = "event " + digits(event) + ", " + (history.micros[event] / 1e6).toFixed(2) + " s";
  });
}

/** The curves in columns [left, right). */
function drawCurve(left = 0, right = W) {
  const h = curveCanvas.height, sx = W / (view.x1 - view.x0);
  curveInk.clearRect(left, 0, right - left, h);
  const areas = [[1, dark ? "#555" : "#ccc"], [0, "#3b82c4"]];
  for (const [which, fill] of areas) {
    const values = which ? history.reserved : history.allocated, coarse = history.coarse[which];
    curveInk.fillStyle = fill;
    curveInk.beginPath();
    curveInk.moveTo(left, h);
    for (let x = left; x < right; x++) {
      let a = Math.max(0, Math.floor(view.x0 + x / sx)), b = Math.min(history.events, Math.max(a, Math.ceil(view.x0 + (x + 1) / sx) - 1));
      let most = 0;
      if (b - a > 4 * STEP) for (let i = a / STEP | 0; i <= (b / STEP | 0); i++) most = Math.max(most, coarse[i]);
      else for (let i = a; i <= b; i++) most = Math.max(most, values[i] || 0);
      const y = h - most / history.top * (h - 16 * scale);
      curveInk.lineTo(x, y);
      curveInk.lineTo(x + 1, y);
    }
    curveInk.lineTo(right, h);
    curveInk.fill();
  }
  curveInk.fillStyle = "#e00000";
  for (const failed of failureColumns()) {
    const from = Math.max(left, failed), to = Math.min(right, failed + FAILURE * scale);
    if (from < to) curveInk.fillRect(from, 0, to - from, h);
  }
  axis();
}

let pending = 0, waiting = 0;
/** A pan moves what is there; anything else is painted anew. */
function pan(pixels) {
  const events = view.x1 - view.x0, sx = W / events;
  let dx = Math.round(pixels);
  const before = view.x0;
  view.x0 = Math.max(-events * 0.2, Math.min(history.events - events * 0.8, view.x0 - dx / sx));
  view.x1 = view.x0 + events;
  dx = Math.round((before - view.x0) * sx);
  view.x0 = before - dx / sx;
  view.x1 = view.x0 + events;
  if (dx === 0) return;
  if (Math.abs(dx) >= W) { draw(); return; }
  const [left, right] = dx > 0 ? [0, dx] : [W + dx, W];
  blocksInk.drawImage(blocksCanvas, dx, 0);
  paint(left, right);
  curveInk.globalCompositeOperation = "copy";
  curveInk.drawImage(curveCanvas, dx, 0);
  curveInk.globalCompositeOperation = "source-over";
  drawCurve(left, right);
}
function panUp(pixels) {
  const span = view.y1 - view.y0, dy = pixels * span / H;
  const y0 = Math.max(-0.2 * span, Math.min(history.height - 0.8 * span, view.y0 + dy));
  if (y0 !== view.y0) { view.y0 = y0; view.y1 = y0 + span; later(); }
}

/** The old picture is stretched at once; the new one follows when the wheel rests. */
function zoom(factor, atX, atY, vertical) {
  const old = {...view};
  const spanX = Math.min(history.events * 1.2 + 1, Math.max(8, (view.x1 - view.x0) * factor));
  const x = view.x0 + atX / W * (view.x1 - view.x0);
  view.x0 = x - atX / W * spanX; view.x1 = view.x0 + spanX;
  if (vertical) {
    const spanY = Math.min(history.height * 1.02, Math.max(16, (view.y1 - view.y0) * factor));
    const y = view.y1 - atY / H * (view.y1 - view.y0);
    view.y1 = y + atY / H * spanY; view.y0 = view.y1 - spanY;
  }
  const kx = W / (view.x1 - view.x0), ky = H / (view.y1 - view.y0);
  blocksInk.imageSmoothingEnabled = false;
  const copy = blocksCanvas;
  blocksInk.drawImage(copy, (old.x0 - view.x0) * kx, (view.y1 - old.y1) * ky, (old.x1 - old.x0) * kx, (old.y1 - old.y0) * ky);
  drawCurve();
  later();
}
function later() {
  clearTimeout(waiting);
  waiting = setTimeout(() => { waiting = 0; draw(); }, 16);
}
function whole() { view = {x0: 0, x1: Math.max(8, history.events), y0: 0, y1: Math.max(16, history.height)}; }

function place(event) {
  const box = blocksCanvas.getBoundingClientRect();
  const x = (event.clientX - box.left) * scale, y = (event.clientY - box.top) * scale;
  return {x, y, at: view.x0 + x / W * (view.x1 - view.x0), unit: view.y1 - y / H * (view.y1 - view.y0)};
}
function life(i) {
  const ended = history.to[i] < history.events, micros = history.micros[Math.min(history.to[i], history.events)] - history.micros[history.from[i]];
  const time = micros < 1000 ? digits(micros) + " µs" : micros < 1e6 ? (micros / 1000).toFixed(1) + " ms" : (micros / 1e6).toFixed(2) + " s";
  return "events " + digits(history.from[i]) + " to " + (ended ? digits(history.to[i]) + ", freed after " : "the end, alive for ") + time;
}
function describe(i) {
  const holder = history.holders[i];
  return both(history.bytes[i]) + "\n" + life(i) + "\n" + (holder ? "held by " + holder + "\n" : "") + history.stacks[history.stack[i]].join("\n  ");
}
function tip(event) {
  const p = place(event), i = history.at(Math.floor(p.at), p.unit), box = $("tip");
  const e = Math.max(0, Math.min(history.events, Math.floor(p.at)));
  resting = false;
  $("status").textContent = "event " + digits(e) + ": allocated " + both(history.allocated[e]) + ", reserved " + both(history.reserved[e])
    + (moments.length ? "; moments " + moments.map(digits).join(" and ") : "");
  if (i < 0) { box.style.display = "none"; return -1; }
  box.textContent = describe(i);
  box.style.display = "block";
  box.style.left = Math.min(event.clientX + 14, innerWidth - box.offsetWidth - 8) + "px";
  box.style.top = Math.min(event.clientY + 14, innerHeight - box.offsetHeight - 8) + "px";
  return i;
}

function light(lines) {
  lit = lines && lines.length ? Uint8Array.from(history.lineNames, (n, i) => lines.includes(i) ? 1 : 0) : null;
  repaintInks();
  draw();
  for (const row of document.querySelectorAll(".line")) row.classList.toggle("lit", !!lit && !!lit[+row.dataset.line]);
}

/** The list beside the picture: what each line holds at the peak, or the change between two moments or two histories. */
function list() {
  let heading, rows;
  const words = $("search").value.trim().toLowerCase();
  const other = histories.find(h => h !== history);
  if (moments.length === 2) {
    const [a, b] = [...moments].sort((x, y) => x - y), before = history.byLine(a).sums, after = history.byLine(b);
    heading = "From event " + digits(a) + " to " + digits(b) + ": " + sizeText(history.allocated[b] - history.allocated[a]);
    rows = history.lineNames.map((name, i) => ({i, name, value: after.sums[i] - before[i], signed: true}));
  } else if (other && $("part").selectedIndex === histories.length) {
    const mine = history.byLine(history.peak).sums, theirs = other.byLine(other.peak).sums;
    const known = new Map(other.lineNames.map((name, i) => [name, theirs[i]]));
    heading = "At the peaks, " + history.name + " to " + other.name + ": " + sizeText(other.allocated[other.peak] - history.allocated[history.peak]);
    rows = history.lineNames.map((name, i) => ({i, name, value: (known.get(name) || 0) - mine[i], signed: true}));
    const own = new Set(history.lineNames);
    other.lineNames.forEach((name, i) => { if (!own.has(name)) rows.push({i: -1, name, value: theirs[i], signed: true}); });
  } else {
    const {sums, counts} = history.byLine(history.peak);
    heading = "At the peak, event " + digits(history.peak) + ": " + both(history.allocated[history.peak]);
    rows = history.lineNames.map((name, i) => ({i, name, value: sums[i], count: counts[i]}));
  }
  if (words) {
    const hits = new Set();
    history.stacks.forEach((stack, s) => { if (stack.some(frame => frame.toLowerCase().includes(words))) hits.add(history.lineOf[s]); });
    rows = rows.filter(row => hits.has(row.i) || row.name.toLowerCase().includes(words));
  }
  rows.sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  $("heading").textContent = heading;
  const box = $("lines");
  box.textContent = "";
  for (const row of rows.slice(0, 300)) {
    const element = document.createElement("div");
    element.className = "line" + (lit && lit[row.i] ? " lit" : "");
    element.dataset.line = row.i;
    element.tabIndex = 0;
    element.setAttribute("role", "option");
    const swatch = document.createElement("i"), name = document.createElement("span"), value = document.createElement("b");
    swatch.style.background = row.i < 0 ? "#888" : "rgb(" + history.colours[row.i].join() + ")";
    name.textContent = row.name;
    value.textContent = (row.signed && row.value > 0 ? "+" : "") + sizeText(row.value) + (row.count > 1 ? " in " + digits(row.count) + " blocks" : "");
    element.append(swatch, name, value);
    element.onclick = () => { if (row.i >= 0) light(lit && lit[row.i] ? [] : [row.i]); };
    element.onkeydown = event => { if (event.key === "Enter") element.onclick(); };
    box.append(element);
  }
  return rows;
}

function choose(index) {
  history = histories[Math.min(index, histories.length - 1)];
  if (index >= histories.length) history = histories[0];
  lit = null; moments = [];
  $("legend").textContent = "blue: allocated, at most " + sizeText(history.allocated[history.peak]) + "; grey: reserved, at most " + sizeText(history.most)
    + "; red: out of memory. Below: each block from its allocation to its free, at its address; its colour is its line";
  whole(); repaintInks(); draw(); list();
}

function wire() {
  let drag = null;
  blocksCanvas.onpointerdown = event => { drag = {x: event.clientX, y: event.clientY, moved: 0}; blocksCanvas.setPointerCapture(event.pointerId); };
  blocksCanvas.onpointermove = event => {
    if (!drag) { tip(event); return; }
    const dx = (event.clientX - drag.x) * scale, dy = (event.clientY - drag.y) * scale;
    drag.moved += Math.abs(dx) + Math.abs(dy);
    drag.x = event.clientX; drag.y = event.clientY;
    $("tip").style.display = "none";
    cancelAnimationFrame(pending);
    drag.dx = (drag.dx || 0) + dx; drag.dy = (drag.dy || 0) + dy;
    const mine = drag;
    pending = requestAnimationFrame(() => { const [x, y] = [mine.dx, mine.dy]; mine.dx = mine.dy = 0; pan(x); if (view.y1 - view.y0 < history.height) panUp(y); });
  };
  blocksCanvas.onpointerup = event => {
    const clicked = drag && drag.moved < 4;
    drag = null;
    if (!clicked) return;
    const p = place(event);
    if (event.shiftKey) {
      moments = moments.length === 2 ? [] : moments;
      moments.push(Math.max(0, Math.min(history.events - 1, Math.floor(p.at))));
      draw(); list();
      return;
    }
    const i = history.at(Math.floor(p.at), p.unit);
    light(i < 0 ? [] : [history.line[i]]);
    const row = i >= 0 && document.querySelector('.line[data-line="' + history.line[i] + '"]');
    if (row) row.scrollIntoView({block: "nearest"});
  };
  blocksCanvas.onpointerleave = () => { $("tip").style.display = "none"; rest(); };
  blocksCanvas.addEventListener("wheel", event => {
    event.preventDefault();
    const p = place(event);
    zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 300))), p.x, p.y, !event.altKey);
  }, {passive: false});
  blocksCanvas.onkeydown = event => {
    const keys = {ArrowLeft: () => pan(W / 10), ArrowRight: () => pan(-W / 10), "+": () => zoom(0.7, W / 2, H / 2, false), "-": () => zoom(1.4, W / 2, H / 2, false)};
    if (keys[event.key]) { keys[event.key](); event.preventDefault(); }
  };
  $("search").oninput = () => {
    const rows = list();
    light($("search").value.trim() ? rows.map(row => row.i).filter(i => i >= 0) : []);
  };
  $("all").onclick = () => { whole(); draw(); };
  $("clear").onclick = () => { $("search").value = ""; moments = []; light([]); list(); };
  $("peak").onclick = () => {
    const span = Math.max(64, history.events / 20);
    view.x0 = history.peak - span / 2; view.x1 = view.x0 + span; view.y0 = 0; view.y1 = Math.max(16, history.height);
    draw();
  };
  $("part").onchange = () => choose($("part").selectedIndex);
  new ResizeObserver(() => { layout(); draw(); }).observe(blocksCanvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", event => { dark = event.matches; repaintInks(); draw(); });
}

/** Pans to and fro for so many frames: frames per second, and the longest that painting one took. */
async function bench(frames, pixels) {
  let slowest = 0, painting = 0, start = performance.now();
  for (let i = 0; i < frames; i++) {
    await new Promise(requestAnimationFrame);
    const before = performance.now();
    pan(i % 80 < 40 ? -pixels : pixels);
    const took = performance.now() - before;
    painting += took;
    slowest = Math.max(slowest, took);
  }
  return {fps: 1000 * frames / (performance.now() - start), paint: painting / frames, slowest};
}

(async () => {
  for (const part of PARTS) histories.push(await History.of(part));
  for (const each of histories) $("part").append(new Option(each.name + ", " + digits(each.events) + " events"));
  if (histories.length > 1) $("part").append(new Option("compare the first two at their peaks"));
  layout(); wire(); choose(0);
  window.vramlab = {bench, zoom, pan, draw, light, choose, state: () => ({view, events: history.events, blocks: history.n, lit: lit && [...lit], moments}),
    at: (event, unit) => history.at(event, unit), describe, history: () => history};
  document.body.dataset.ready = "yes";
})();
