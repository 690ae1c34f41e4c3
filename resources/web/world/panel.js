// What surrounds the picture: the buttons on it, the legend with the layers that can be hidden, the help on keys.
import { palette } from './palette.js';
import { MODES, remembered } from './sound.js';

const PRESETS = [['follow', 'Follow', 'The camera follows the robot'], ['table', 'Table', 'The whole table'], ['top', 'Top', 'The table from above']];
const SPEAKER = 'M3 9v6h4l5 4V5L7 9z';
const WAVES = 'M15 8.5q2.5 3.5 0 7M18 6q4 6 0 12';
const SOUND = { off: ['M16 9l5 6M21 9l-5 6', 'Sound is off'], sounds: [WAVES, 'Sound is on'], voice: ['M15 7h6v6h-3l-3 3z', 'Sound is on, words are spoken'] };
const LAYERS = [
	['senses', 'What it senses: distance beam, cliff sensors', 'beam'],
	['belief', 'Where it believes it is', 'belief'],
	['map', 'Its map, and how sure it is', 'belief'],
	['trails', 'Trails of the last 30 s', 'truth'],
];
const DOTS = [['good', 'cliff sensor reports floor'], ['edge', 'cliff sensor reports an edge'], ['lost', 'no usable reading']];
const MAP = [ // what the map is drawn with, in a box of 24 by 24
	['M3 12H21', 'edge', 'edge that it met'], ['M7 7L17 17M17 7L7 17', 'edge', 'something stopped it'], ['M12 5a7 7 0 1 0 .1 0', 'belief', 'obstacle that it met'],
	['M5 5H19V19H5z', 'belief', 'where it believes a cube or the charger'], ['M12 7a10 5 0 1 0 .1 0', 'belief', 'where it believes itself, 86 times of 100 rightly'],
];
const KEYS = [
	['n', 'next thing: robot, cubes, people'], ['← ↑ ↓ →', 'move it; with Shift farther'], [', .', 'turn it'],
	['Enter', 'lift the robot or put it down'], ['t', 'stroke its back'], ['p', 'poke it'], ['+ −', 'zoom'],
];

function make(tag, props = {}, ...kids) {
	const el = document.createElement(tag);
	for (const [k, v] of Object.entries(props)) {
		if (k === 'text') el.textContent = v;
		else if (k === 'on') el.addEventListener('click', v);
		else el.setAttribute(k, v);
	}
	el.append(...kids);
	return el;
}

// icon is a drawing of 24 by 24 units: a filled path and a stroked one.
function icon(fill, stroke) {
	const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
	svg.setAttribute('viewBox', '0 0 24 24');
	svg.setAttribute('aria-hidden', 'true');
	for (const [d, cls] of [[fill, 'w3-fill'], [stroke, 'w3-stroke']]) {
		const p = document.createElementNS(svg.namespaceURI, 'path');
		p.setAttribute('d', d);
		p.setAttribute('class', cls);
		svg.append(p);
	}
	return svg;
}

// styles makes sure that the view's own style sheet is there.
function styles() {
	const href = new URL('./world.css', import.meta.url).href;
	if ([...document.styleSheets].some((s) => s.href === href)) return;
	if (document.querySelector('link[data-w3]')) return;
	document.head.append(make('link', { rel: 'stylesheet', href, 'data-w3': '' }));
}

// newPanel builds the elements. wire(calls) connects the buttons.
export function newPanel(element) {
	styles();
	const layers = { senses: true, belief: true, map: true, trails: true };
	const newCanvas = () => make('canvas', {
		class: 'w3-view', tabindex: '0', role: 'application',
		'aria-label': 'The robot in its world. Press n to choose a thing, arrow keys to move it, Enter to lift the robot or put it down.',
	});
	let canvas = newCanvas();
	let calls = {};
	let keyed = false;
	let solid = '';
	let has = { touch: true, range: true, cliff: true };
	const labels = make('div', { class: 'w3-labels' });
	const presets = make('div', { class: 'w3-group', role: 'group', 'aria-label': 'Camera' },
		...PRESETS.map(([id, text, title]) => make('button', { type: 'button', 'data-preset': id, title, 'aria-pressed': id === 'follow', text, on: () => preset(id) })));
	let soundAt = MODES.indexOf(remembered());
	const soundButton = make('button', { type: 'button', class: 'w3-sound', on: nextSound });
	const legend = make('div', { class: 'w3-sheet', role: 'region', 'aria-label': 'Legend' });
	const help = make('div', { class: 'w3-sheet', role: 'region', 'aria-label': 'Hands and keys' });
	legend.hidden = help.hidden = true;
	const legendButton = make('button', { type: 'button', class: 'w3-legend', 'aria-expanded': 'false', text: 'Legend', on: () => open(legend) });
	const helpButton = make('button', { type: 'button', class: 'w3-help', 'aria-expanded': 'false', 'aria-label': 'Hands and keys', title: 'Hands and keys', text: '?', on: () => open(help) });
	const picked = make('p', { class: 'w3-picked', 'aria-live': 'polite' });
	picked.hidden = true;
	const note = make('p', { class: 'w3-note' });
	note.hidden = true;
	const root = make('div', { class: 'w3' }, canvas, labels, make('div', { class: 'w3-bar' }, presets, make('span', { class: 'w3-gap' }), soundButton, legendButton, helpButton), legend, help, picked, note);
	element.append(root);

	function open(sheet) {
		for (const [s, b] of [[legend, legendButton], [help, helpButton]]) {
			s.hidden = s !== sheet || !s.hidden;
			b.setAttribute('aria-expanded', String(!s.hidden));
		}
		if (!legend.hidden) fillLegend();
	}

	root.addEventListener('keydown', (e) => {
		if (e.key !== 'Escape' || (legend.hidden && help.hidden)) return;
		e.preventDefault();
		const button = legend.hidden ? helpButton : legendButton;
		open(legend.hidden ? help : legend);
		button.focus();
	});

	function fillLegend() {
		const colors = palette();
		const dot = (key) => {
			const i = make('i');
			i.style.background = colors[key];
			return i;
		};
		legend.replaceChildren(make('h3', { text: 'Shown' }), ...LAYERS.filter(([id]) => id !== 'senses' || has.range || has.cliff).map(([id, text, key]) => {
			const box = make('input', { type: 'checkbox' });
			box.checked = layers[id];
			box.addEventListener('change', () => {
				layers[id] = box.checked;
				calls.redraw?.();
			});
			return make('label', { 'data-layer': id }, box, dot(key), make('span', { text: id === 'senses' && !has.cliff ? 'What it senses: distance beam' : text }));
		}), ...(has.cliff ? [make('h3', { text: 'Cliff sensors' }), make('ul', {}, ...DOTS.map(([key, text]) => make('li', {}, dot(key), make('span', { text }))))] : []),
		make('h3', { text: 'Its map; what it met long ago is pale' }), make('ul', { 'data-legend': 'map' }, ...MAP.filter(([, , text]) => has.cliff || !text.startsWith('edge')).map(([d, key, text]) => {
			const sign = icon('', d);
			sign.style.color = colors[key];
			return make('li', {}, sign, make('span', { text }));
		})),
		make('h3', { text: solid }));
	}

	help.append(make('h3', { text: 'By hand' }), make('ul', {},
		...['Drag the robot, a cube or a person.', 'Wheel while dragging turns it.', 'Tap the golden pad or rest on it: stroke.', 'Tap the robot: poke.', 'Drag empty space: turn the camera. Pinch: zoom.']
			.map((text) => make('li', text.includes('pad') ? { text, 'data-part': 'touch' } : { text }))),
	make('h3', { text: 'Keys, with the picture in focus' }), make('ul', {}, ...KEYS.map(([key, text]) => make('li', key === 't' ? { 'data-part': 'touch' } : {}, make('kbd', { text: key }), make('span', { text })))));

	function preset(id) {
		for (const b of presets.children) b.setAttribute('aria-pressed', String(b.dataset.preset === id));
		calls.preset?.(id);
	}

	function drawSound() {
		const [more, title] = SOUND[MODES[soundAt]];
		soundButton.replaceChildren(icon(SPEAKER, more));
		soundButton.title = title;
		soundButton.setAttribute('aria-label', title);
		soundButton.setAttribute('aria-pressed', String(soundAt > 0));
	}

	function nextSound() {
		soundAt = (soundAt + 1) % MODES.length;
		calls.sound?.(MODES[soundAt]);
		drawSound();
	}
	drawSound();

	function watchFocus() {
		canvas.addEventListener('focus', () => {
			keyed = canvas.matches(':focus-visible');
			picked.hidden = !keyed;
			calls.changed?.();
		});
		canvas.addEventListener('blur', () => {
			keyed = false;
			picked.hidden = true;
			calls.changed?.();
		});
		canvas.addEventListener('keydown', (e) => {
			if (e.key === 'Tab' || e.key === 'Shift') return;
			keyed = true;
			picked.hidden = false;
		});
	}
	watchFocus();
	picked.textContent = 'Arrow keys move the robot';

	return {
		root, labels, layers,
		get canvas() { return canvas; },
		get keyed() { return keyed; },
		// freshCanvas replaces the canvas by one that no failed WebGL has touched.
		freshCanvas() {
			const next = newCanvas();
			canvas.replaceWith(next);
			canvas = next;
			watchFocus();
			presets.hidden = true;
			return canvas;
		},
		note(text) {
			note.textContent = text;
			note.hidden = false;
		},
		// foot is the height of what covers the lower end of the picture.
		get foot() { return note.hidden ? 0 : note.offsetHeight + 8; },
		picked(text) { picked.textContent = text; },
		// update takes whether it is now, whether the world is known, and what the robot has: {touch, range, cliff}.
		update(live, world, parts) {
			has = parts;
			for (const el of help.querySelectorAll('[data-part]')) el.hidden = !has[el.dataset.part];
			solid = world ? 'Solid is true. Violet is what the robot believes.' : 'Solid is what the robot believes.';
			root.dataset.live = live ? 'yes' : 'no';
		},
		wire(next) { calls = next; },
		dispose() { root.remove(); },
	};
}
