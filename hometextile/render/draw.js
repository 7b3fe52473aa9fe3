// Writes what a browser drew into the page: see hometextile/render/drawing.py for the format.
(options) => {
  const maxElements = options.maxElements, maxDepth = options.maxDepth;
  const INLINE = new Set(options.inline);
  const SKIPPED = new Set(["SCRIPT", "STYLE", "HEAD", "META", "LINK", "TITLE", "BASE", "NOSCRIPT", "TEMPLATE"]);
  const KEPT_IN_SVG = new Set(["svg", "text", "tspan", "a", "g", "textPath", "foreignObject", "switch"]);
  const root = document.documentElement;
  if (!root) return {elements: 0, html: "", cut: false};
  const sx = window.scrollX, sy = window.scrollY;
  const hex = (value) => {
    const n = value.match(/[\d.]+/g);
    if (!n) return "";
    if (n.length > 3 && parseFloat(n[3]) === 0) return "";
    return "#" + n.slice(0, 3).map((v) => Math.round(parseFloat(v)).toString(16).padStart(2, "0")).join("");
  };
  const colours = new Map();
  let pen = null;
  const colour = (value) => {
    let known = colours.get(value);
    if (known === undefined) {
      known = value.startsWith("rgb") ? hex(value) : painted(value);
      colours.set(value, known);
    }
    return known;
  };
  const painted = (value) => {   // oklch(), lab(), color(): let the canvas say
    if (!pen) {
      const canvas = document.createElement("canvas");
      canvas.width = canvas.height = 1;
      pen = canvas.getContext("2d", {willReadFrequently: true});
      if (!pen) return "";
    }
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = value;
    pen.fillRect(0, 0, 1, 1);
    const p = pen.getImageData(0, 0, 1, 1).data;
    return p[3] === 0 ? "" : hex("rgb(" + p[0] + "," + p[1] + "," + p[2] + ")");
  };
  const box = (r) => Math.round(r.left + sx) + " " + Math.round(r.top + sy) + " " + Math.round(r.width) + " " + Math.round(r.height);
  const range = document.createRange();
  const found = [];   // [element, box, style, texts]
  let cut = false;

  // First everything is read, then everything is written: one layout, not one for each element.
  const walk = (element, inherited, depth) => {
    if (found.length >= maxElements || depth > maxDepth) { cut = true; return; }
    if (SKIPPED.has(element.tagName)) return;
    const svg = element.namespaceURI === "http://www.w3.org/2000/svg";
    if (svg && !KEPT_IN_SVG.has(element.localName)) return;
    const s = getComputedStyle(element);
    // What stands in a closed <details> (content-visibility: hidden) has boxes, and nobody sees it.
    if (s.display === "none" || (s.display !== "contents" && !element.checkVisibility())) {
      found.push([element, "0 0 0 0", "display:none", ""]);
      return;
    }
    const style = [];
    const now = {size: parseFloat(s.fontSize) || 0, weight: s.fontWeight, colour: colour(s.color), seen: inherited.seen, opaque: inherited.opaque};
    if (now.size !== inherited.size) style.push("font-size:" + Math.round(now.size * 10) / 10);
    if (now.weight !== inherited.weight) style.push("font-weight:" + now.weight);
    if (now.colour !== inherited.colour) style.push("color:" + now.colour);
    if (s.opacity === "0") now.opaque = false;
    now.seen = now.opaque && s.visibility === "visible";
    if (now.seen !== inherited.seen) style.push("visibility:" + (now.seen ? "visible" : "hidden"));
    const background = colour(s.backgroundColor);
    if (background) style.push("background:" + background);
    else if (s.backgroundImage !== "none") style.push("background:image");
    const line = s.display.startsWith("inline") || s.display === "contents" || s.display.startsWith("ruby");
    if (line !== INLINE.has(element.localName)) style.push("display:" + (line ? "inline" : "block"));
    if (s.position === "fixed" || s.position === "sticky" || s.position === "absolute") style.push("position:" + s.position);
    const texts = [];
    const mixed = element.firstElementChild !== null;
    let run = null;
    const end = () => {
      if (run === null) return;
      range.setStart(run[0], 0);
      range.setEnd(run[1], run[1].length);
      texts.push(box(range.getBoundingClientRect()));
      run = null;
    };
    if (mixed) {
      for (let child = element.firstChild; child; child = child.nextSibling) {
        if (child.nodeType === 3) {
          if (run) run[1] = child;
          else if (/\S/.test(child.data)) run = [child, child];
        } else end();
      }
      end();
    }
    found.push([element, box(element.getBoundingClientRect()), style.join(";"), texts.join(",")]);
    for (let child = element.firstElementChild; child; child = child.nextElementSibling) walk(child, now, depth + 1);
    if (element.shadowRoot) for (const child of element.shadowRoot.children) walk(child, now, depth + 1);
  };
  const page = Math.max(root.scrollWidth, document.body ? document.body.scrollWidth : 0) + " " +
               Math.max(root.scrollHeight, document.body ? document.body.scrollHeight : 0);
  const view = window.innerWidth + " " + window.innerHeight;
  for (const old of document.querySelectorAll("[data-box],[data-style],[data-texts]")) {
    old.removeAttribute("data-box"); old.removeAttribute("data-style"); old.removeAttribute("data-texts");
  }
  walk(root, {size: -1, weight: "", colour: "", seen: true, opaque: true}, 0);
  for (const [element, b, style, texts] of found) {
    element.setAttribute("data-box", b);
    if (style) element.setAttribute("data-style", style);
    if (texts) element.setAttribute("data-texts", texts);
  }
  root.setAttribute("data-drawn", page + " " + view);
  if (cut) root.setAttribute("data-cut", "1");

  // Shadow trees are not part of outerHTML: put what is drawn in the place of the host's children, slots filled.
  for (const [host] of found.reverse()) {
    if (!host.shadowRoot) continue;
    const drawn = document.createDocumentFragment();
    for (const node of [...host.shadowRoot.childNodes]) {
      if (node.nodeName !== "STYLE" && node.nodeName !== "SCRIPT") drawn.append(node);
    }
    const slots = [...drawn.querySelectorAll("slot")];
    const loose = [...host.childNodes];
    for (const slot of slots) {
      const name = slot.getAttribute("name") || "";
      const taken = loose.filter((n) => n.nodeType === 1 ? (n.getAttribute("slot") || "") === name : n.nodeType === 3 && name === "");
      if (taken.length) { slot.replaceChildren(...taken); for (const n of taken) loose.splice(loose.indexOf(n), 1); }
    }
    host.replaceChildren(drawn);
  }
  const html = "<!DOCTYPE html>\n" + root.outerHTML;
  return {elements: found.length, cut: cut || html.length > options.maxChars, html: html.slice(0, options.maxChars)};
}
