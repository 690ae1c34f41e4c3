// A list of any length that keeps only the rows in the document that can be seen. All rows are equally high.
import { keyed } from '../dom.js';

const SPARE = 4; // rows above and below what is seen

// newList draws into a scrolling box. make() makes an empty node for a row, draw(node, item, index) fills it, keyOf(item) names it,
// resized() is called after the box got another size. A row keeps its node while it is seen, so that nothing in it moves.
// It returns {set(items), draw(), reveal(index), page()}.
export function newList(box, { make, draw, keyOf, resized }) {
	const plain = () => {
		const el = document.createElement('div');
		el.setAttribute('role', 'none');
		box.append(el);
		return el;
	};
	const pad = plain();
	pad.className = 'tr-pad';
	const rows = plain();
	let items = [];
	let asked = 0;
	let height = 32;

	const measure = () => { height = parseFloat(getComputedStyle(box).getPropertyValue('--row')) || 32; };

	function paint() {
		asked = 0;
		if (box.clientHeight === 0) return;
		const first = Math.max(0, Math.floor(box.scrollTop / height) - SPARE);
		const last = Math.ceil((box.scrollTop + box.clientHeight) / height) + SPARE;
		let index = first;
		keyed(rows, items.slice(first, last), keyOf, make, (node, item) => {
			const at = `translateY(${index * height}px)`;
			if (node.style.transform !== at) node.style.transform = at;
			draw(node, item, index++);
		});
	}

	const soon = () => { asked ||= requestAnimationFrame(paint); };
	box.addEventListener('scroll', soon, { passive: true });
	new ResizeObserver(() => {
		measure();
		pad.style.height = `${items.length * height}px`;
		soon();
		resized();
	}).observe(box);

	return {
		set(next) {
			items = next;
			pad.style.height = `${items.length * height}px`;
			paint();
		},
		draw: paint,
		// reveal scrolls as little as shows a row.
		reveal(index) {
			const top = index * height;
			if (top < box.scrollTop) box.scrollTop = top;
			else if (top + height > box.scrollTop + box.clientHeight) box.scrollTop = top + height - box.clientHeight;
			paint();
		},
		page: () => Math.max(1, Math.floor(box.clientHeight / height) - 1),
	};
}
