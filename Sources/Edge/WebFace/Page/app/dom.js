// Views are plain values; `patch` makes the document look like them. What is already right is left alone, so focus,
// scroll, selection and half-typed text survive every change. Words reach the document as text nodes or attributes
// only: there is no way to write markup here.

const SVG = "http://www.w3.org/2000/svg";

/** Set as properties, and only when the view's own value changes: a person may have typed since. */
const LIVE = new Set(["value", "checked", "open"]);

/**
 * What `patch` last made of an element.
 * @typedef {{ key: string | number | undefined, props: Record<string, any>,
 *   handlers: Record<string, ((event: any) => void) | undefined> }} Made
 */

/** @type {WeakMap<Node, Made>} */
const made = new WeakMap();

/**
 * Describes an element. Properties with a meaning of their own:
 * `key` finds the element again among its siblings, `on` holds event handlers, `vars` CSS custom properties,
 * `own` says that the element looks after its children itself. Everything else is an attribute; false and null remove it.
 * @param {string} tag
 * @param {Record<string, any> | null} [props]
 * @param {...import("../types").Child} children
 * @returns {import("../types").View}
 */
export function h(tag, props, ...children) {
  return { tag, key: props?.key, props: props ?? {}, children: flat(children) };
}

/**
 * @param {import("../types").Child[]} children
 * @param {(import("../types").View | string)[]} [out]
 * @returns {(import("../types").View | string)[]}
 */
function flat(children, out = []) {
  for (const child of children) {
    if (Array.isArray(child)) flat(child, out);
    else if (typeof child === "number") out.push(String(child));
    else if (child !== null && child !== undefined && typeof child !== "boolean" && child !== "") out.push(child);
  }
  return out;
}

/**
 * Makes the children of an element look like the views given.
 * @param {Element} host
 * @param {...import("../types").Child} views
 */
export function patch(host, ...views) {
  const focused = document.activeElement;
  patchChildren(host, flat(views));
  if (focused instanceof HTMLElement && focused !== document.activeElement && host.contains(focused)) {
    focused.focus({ preventScroll: true });   // an element that had to move loses its focus
  }
}

/**
 * @param {Element} host
 * @param {(import("../types").View | string)[]} views
 */
function patchChildren(host, views) {
  if (patchInPlace(host, views)) return;
  const wanted = new Set();
  for (const view of views) if (typeof view !== "string" && view.key !== undefined) wanted.add(view.key);

  // Keyed elements that are not wanted any more go first, so that the others need not move past them.
  /** @type {Map<string | number, Element>} */
  const kept = new Map();
  for (const node of [...host.childNodes]) {
    const key = made.get(node)?.key;
    if (key === undefined) continue;
    if (wanted.has(key) && node instanceof Element) kept.set(key, node);
    else node.remove();
  }

  let cursor = host.firstChild;
  for (const view of views) {
    const old = typeof view === "string" || view.key === undefined ? cursor : kept.get(view.key) ?? null;
    const node = fits(old, view) ? /** @type {Node} */ (old) : create(view, host);
    patchNode(node, view);
    if (node === cursor) cursor = cursor.nextSibling;
    else host.insertBefore(node, cursor);
  }
  while (cursor) {
    const next = cursor.nextSibling;
    cursor.remove();
    cursor = next;
  }
}

/**
 * Nearly all there is stays where it was: nothing is made, moved or listed for it. False where that is not so; what was
 * patched by then is right already.
 * @param {Element} host
 * @param {(import("../types").View | string)[]} views
 */
function patchInPlace(host, views) {
  let node = host.firstChild;
  for (const view of views) {
    if (!node || !fits(node, view)) return false;
    patchNode(node, view);
    node = node.nextSibling;
  }
  return node === null;
}

/**
 * @param {Node} node
 * @param {import("../types").View | string} view
 */
function patchNode(node, view) {
  if (typeof view !== "string") patchElement(/** @type {Element} */ (node), view);
  else if (node.nodeValue !== view) node.nodeValue = view;
}

/**
 * Whether an existing node can be turned into the view.
 * @param {Node | null} node
 * @param {import("../types").View | string} view
 */
function fits(node, view) {
  if (!node) return false;
  if (typeof view === "string") return node.nodeType === Node.TEXT_NODE;
  return /** @type {Element} */ (node).localName === view.tag && made.get(node)?.key === view.key;
}

/**
 * @param {import("../types").View | string} view
 * @param {Element} host
 * @returns {Node}
 */
function create(view, host) {
  if (typeof view === "string") return document.createTextNode(view);
  const inSVG = view.tag === "svg" || (host.namespaceURI === SVG && host.localName !== "foreignObject");
  const element = inSVG ? document.createElementNS(SVG, view.tag) : document.createElement(view.tag);
  made.set(element, { key: view.key, props: {}, handlers: {} });
  return element;
}

/**
 * @param {Element} element
 * @param {import("../types").View} view
 */
function patchElement(element, view) {
  const record = made.get(element) ?? { key: view.key, props: {}, handlers: {} };
  made.set(element, record);
  const before = record.props;
  record.props = view.props;
  for (const name in before) {
    if (!(name in view.props)) setProp(element, record, name, undefined, before[name]);
  }
  for (const name in view.props) {
    if (name !== "value") setProp(element, record, name, view.props[name], before[name]);
  }
  if (!view.props.own) patchChildren(element, view.children);
  // Last, since a list of options must be there before one of them can be chosen.
  if ("value" in view.props) setProp(element, record, "value", view.props.value, before.value);
}

/**
 * @param {Element} element
 * @param {Made} record
 * @param {string} name
 * @param {any} value
 * @param {any} before
 */
function setProp(element, record, name, value, before) {
  if (name === "key" || name === "own" || value === before) return;
  if (name === "on") {
    setHandlers(element, record, value ?? {});
  } else if (name === "vars") {
    const style = /** @type {HTMLElement} */ (element).style;
    for (const variable of Object.keys(before ?? {})) {
      if (!(variable in (value ?? {}))) style.removeProperty(variable);
    }
    for (const [variable, text] of Object.entries(value ?? {})) {
      if (before?.[variable] !== text) style.setProperty(variable, String(text));
    }
  } else if (LIVE.has(name)) {
    /** @type {any} */ (element)[name] = value ?? (name === "value" ? "" : false);
  } else if (value === false || value === null || value === undefined) {
    element.removeAttribute(name);
  } else {
    element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * One listener per kind of event for the element's life; it calls the handler of the latest view.
 * @param {Element} element
 * @param {Made} record
 * @param {Record<string, (event: any) => void>} handlers
 */
function setHandlers(element, record, handlers) {
  for (const kind of Object.keys(record.handlers)) {
    if (!(kind in handlers)) record.handlers[kind] = undefined;
  }
  for (const [kind, handler] of Object.entries(handlers)) {
    if (!(kind in record.handlers)) {
      element.addEventListener(kind, (event) => record.handlers[kind]?.(event));
    }
    record.handlers[kind] = handler;
  }
}
