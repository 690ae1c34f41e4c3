// Small helpers around the DOM. Text from the robot only ever goes in as text, never as markup.

const SVG = 'http://www.w3.org/2000/svg';

export const byId = (id) => document.getElementById(id);

// h makes an HTML element. Props: "class", "text", "on<event>" handlers, everything else is an attribute.
export function h(tag, props, ...kids) {
	return fill(document.createElement(tag), props, kids);
}

// s makes an SVG element the same way.
export function s(tag, props, ...kids) {
	return fill(document.createElementNS(SVG, tag), props, kids);
}

function fill(el, props, kids) {
	for (const [name, value] of Object.entries(props || {})) {
		if (name === 'text') el.textContent = value;
		else if (name.startsWith('on')) el.addEventListener(name.slice(2), value);
		else el.setAttribute(name, value);
	}
	el.append(...kids);
	return el;
}

// setText and setAttr touch the document only when something changed: they run for every value, ten times a second.
export function setText(el, text) {
	text = String(text);
	if (el.textContent !== text) el.textContent = text;
}

export function setAttr(el, name, value) {
	value = String(value);
	if (el.getAttribute(name) !== value) el.setAttribute(name, value);
}

const caches = new WeakMap();

// keyed makes the children of parent match items, one node per key, moving nodes only if their order changed, so that
// focus and selection survive. Duplicate keys get a counter.
export function keyed(parent, items, keyOf, make, update) {
	let cache = caches.get(parent);
	if (!cache) caches.set(parent, cache = new Map());
	const wanted = new Map();
	for (const item of items) {
		const base = String(keyOf(item));
		let key = base;
		for (let n = 2; wanted.has(key); n++) key = base + '\u0000' + n;
		wanted.set(key, item);
	}
	for (const [key, node] of cache) {
		if (!wanted.has(key)) {
			node.remove();
			cache.delete(key);
		}
	}
	let cursor = parent.firstChild;
	for (const [key, item] of wanted) {
		let node = cache.get(key);
		if (!node) cache.set(key, node = make(item));
		if (node === cursor) cursor = cursor.nextSibling;
		else parent.insertBefore(node, cursor);
		if (update) update(node, item);
	}
}

// facts fills a <dl> with rows [label, value, tone?].
export function facts(dl, rows) {
	keyed(dl, rows, (r) => r[0],
		(r) => h('div', {}, h('dt', { text: r[0] }), h('dd')),
		(node, [, value, tone]) => {
			setText(node.lastChild, value);
			setAttr(node, 'data-tone', tone || '');
		});
}

// Angles and poses; the heading counts counter-clockwise, SVG clockwise with y down.
export const deg = (rad) => rad * 180 / Math.PI;
export const wrap = (a) => Math.atan2(Math.sin(a), Math.cos(a));
export const at = (p) => `translate(${fixed(p.x_mm, 1)} ${fixed(-p.y_mm, 1)}) rotate(${fixed(-deg(p.heading_rad || 0), 1)})`;

// Formats.
export const fixed = (v, digits) => (Number.isFinite(v) ? v : 0).toFixed(digits);

export function micros(us) {
	if (us < 1000) return fixed(us, us < 10 ? 1 : 0) + ' µs';
	return fixed(us / 1000, us < 10000 ? 2 : 1) + ' ms';
}

export function seconds(v, digits = 1) {
	if (v < 60) return fixed(v, digits) + ' s';
	const whole = Math.floor(v);
	const pad = (n) => String(n).padStart(2, '0');
	const m = Math.floor(whole / 60);
	return m < 60 ? `${m}:${pad(whole % 60)}` : `${Math.floor(m / 60)}:${pad(m % 60)}:${pad(whole % 60)}`;
}

export function age(ms) {
	if (ms < 1000) return fixed(ms, 0) + ' ms';
	return seconds(ms / 1000);
}
