// The face: two eyes in a box of 100 by 50, drawn by the name of the expression.
import { s } from './dom.js';

const L = 30;
const R = 70;

const box = (cx, cy, w, h, r) => {
	const x = cx - w / 2;
	const y = cy - h / 2;
	return `M${x + r} ${y}h${w - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${h - 2 * r}a${r} ${r} 0 0 1 ${-r} ${r}h${2 * r - w}a${r} ${r} 0 0 1 ${-r} ${-r}v${2 * r - h}a${r} ${r} 0 0 1 ${r} ${-r}z`;
};
const disc = (cx, cy, r) => `M${cx - r} ${cy}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
// lid is an eye cut off by a slanted lid, from height a at its left to height b at its right.
const lid = (cx, a, b) => `M${cx - 10} ${a}L${cx + 10} ${b}V33q0 7 -7 7h-6q-7 0 -7 -7z`;
const arch = (cx) => `M${cx - 12} 31q12 -21 24 0`;
const shut = (cx) => `M${cx - 12} 25q12 11 24 0`;
const flat = (cx) => `M${cx - 12} 26h24`;
const heart = (cx) => `M${cx} 39l-13 -13a8.2 8.2 0 0 1 13 -10a8.2 8.2 0 0 1 13 10z`;
const eyes = (f) => f(L) + f(R);

// Each expression has filled paths and stroked paths.
const FACES = {
	neutral: { fill: eyes((x) => box(x, 25, 20, 28, 8)) },
	happy: { line: eyes(arch) },
	sad: { fill: lid(L, 26, 15) + lid(R, 15, 26) },
	surprised: { fill: eyes((x) => disc(x, 21, 14)) + disc(50, 42, 4.5) },
	sleepy: { fill: eyes((x) => lid(x, 27, 27)) },
	asleep: { line: eyes(shut), thin: 'M80 17h7l-7 7h7M89 8h5l-5 5h5' },
	blink: { line: eyes(flat) },
	look_left: { fill: box(L - 13, 25, 18, 28, 8) + box(R - 13, 25, 20, 28, 8) },
	look_right: { fill: box(L + 13, 25, 20, 28, 8) + box(R + 13, 25, 18, 28, 8) },
	love: { fill: heart(L) + heart(R) },
	angry: { fill: lid(L, 12, 24) + lid(R, 24, 12) },
	scared: { fill: eyes((x) => disc(x, 21, 14) + disc(x, 21, 5)), thin: 'M36 44q3.5 -5 7 0t7 0t7 0t7 0' },
	thinking: { fill: box(L + 6, 21, 18, 26, 8) + box(R + 6, 25, 18, 12, 6) + disc(68, 42, 2.5) + disc(76, 42, 2.5) + disc(84, 42, 2.5) },
	charging: { line: `M${L - 15} 29q10 -16 20 0M${R - 5} 29q10 -16 20 0`, fill: 'M52.5 9l-10 17h7l-2 15l11 -19h-7.500l3.5 -13z' },
	listening: { fill: eyes((x) => box(x, 25, 16, 24, 7)), thin: 'M17 16q-5 9 0 18M10 12q-7 13 0 26M83 16q5 9 0 18M90 12q7 13 0 26' },
};

// newFace returns a <g> with the eyes and a function that shows an expression. Unknown names look neutral.
export function newFace() {
	const fill = s('path', { class: 'eye-fill', 'fill-rule': 'evenodd' });
	const line = s('path', { class: 'eye-line' });
	const thin = s('path', { class: 'eye-thin' });
	const node = s('g', { class: 'eyes' }, fill, line, thin);
	let shown = null;
	return {
		node,
		show(name) {
			if (name === shown) return;
			shown = name;
			const face = FACES[name] || FACES.neutral;
			fill.setAttribute('d', face.fill || '');
			line.setAttribute('d', face.line || '');
			thin.setAttribute('d', face.thin || '');
			node.setAttribute('data-face', name || 'neutral');
		},
	};
}
