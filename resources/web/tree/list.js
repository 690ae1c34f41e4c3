// A list of any length that keeps only the rows in the document that can be seen. All rows are equally high.
const SPARE = 4; // rows above and below what is seen

// newList draws into a scrolling box. make() makes an empty node for a row, draw(node, item, index) fills it, resized() is called after
// the box got another size.
// It returns {set(items), draw(), reveal(index), page()}.
export function newList(box, { make, draw, resized }) {
	const pad = document.createElement('div');
	pad.className = 'tr-pad';
	pad.setAttribute('role', 'none');
	box.append(pad);
	const nodes = [];
	let items = [];
	let asked = 0;
	let height = 32;

	const measure = () => { height = parseFloat(getComputedStyle(box).getPropertyValue('--row')) || 32; };

	function paint() {
		asked = 0;
		if (box.clientHeight === 0) return;
		const first = Math.max(0, Math.floor(box.scrollTop / height) - SPARE);
		const count = Math.min(items.length - first, Math.ceil(box.clientHeight / height) + 2 * SPARE);
		while (nodes.length < count) {
			const node = make();
			nodes.push(node);
			box.append(node);
		}
		nodes.forEach((node, i) => {
			const on = i < count;
			if (node.hidden === on) node.hidden = !on;
			if (!on) return;
			const at = `translateY(${(first + i) * height}px)`;
			if (node.style.transform !== at) node.style.transform = at;
			draw(node, items[first + i], first + i);
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
