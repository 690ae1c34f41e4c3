// Place mode: a tap on the table puts the robot there, a drag chooses its heading, keys do the same.
import { at, byId, s, setAttr, wrap } from './dom.js';

const NUDGE_MM = 10;
const NUDGE_RAD = Math.PI / 12;
const DRAG_MM = 25; // shorter drags keep the heading

// newPlacing adds the mode to the map. here() is the present pose or null; place(x, y, heading) carries it out.
export function newPlacing(svg, here, place) {
	const button = byId('act-place');
	const ghost = s('g', { class: 'ghost' }, s('rect', { x: -55, y: -30, width: 90, height: 60, rx: 14 }), s('path', { d: 'M4 -14L26 0L4 14z' }));
	let placing = false;
	let dragging = false;
	let draft = null; // {x_mm, y_mm, heading_rad} under the marker

	function show() {
		svg.append(ghost); // on top of what was drawn since
		setAttr(ghost, 'visibility', placing && draft ? 'visible' : 'hidden');
		if (draft) setAttr(ghost, 'transform', at(draft));
		setAttr(svg, 'data-placing', placing ? 'yes' : 'no');
		setAttr(button, 'aria-pressed', placing);
		byId('world-note').hidden = !placing;
	}

	function set(on) {
		placing = on;
		dragging = false;
		draft = on && here() ? { ...here() } : null;
		show();
	}

	const done = () => place(draft.x_mm, draft.y_mm, wrap(draft.heading_rad));

	function moveTo(event) {
		const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
		const dx = p.x - (draft ? draft.x_mm : p.x);
		const dy = -p.y - (draft ? draft.y_mm : -p.y);
		if (!dragging) draft = { x_mm: p.x, y_mm: -p.y, heading_rad: draft ? draft.heading_rad : 0 };
		else if (Math.hypot(dx, dy) > DRAG_MM) draft.heading_rad = Math.atan2(dy, dx);
		show();
	}

	svg.addEventListener('pointerdown', (event) => {
		if (!placing) return;
		svg.setPointerCapture(event.pointerId);
		moveTo(event);
		dragging = true;
	});
	svg.addEventListener('pointermove', (event) => placing && moveTo(event));
	svg.addEventListener('pointerup', () => {
		if (placing && dragging) done();
		dragging = false;
	});
	svg.addEventListener('pointercancel', () => { dragging = false; });
	svg.addEventListener('keydown', (event) => {
		if (!placing || !draft) return;
		const step = event.shiftKey ? 5 * NUDGE_MM : NUDGE_MM;
		const keys = {
			ArrowLeft: () => { draft.x_mm -= step; },
			ArrowRight: () => { draft.x_mm += step; },
			ArrowUp: () => { draft.y_mm += step; },
			ArrowDown: () => { draft.y_mm -= step; },
			'[': () => { draft.heading_rad += NUDGE_RAD; },
			']': () => { draft.heading_rad -= NUDGE_RAD; },
			Enter: done,
			Escape: () => set(false),
		};
		if (!keys[event.key]) return;
		event.preventDefault();
		keys[event.key]();
		show();
	});
	button.addEventListener('click', () => {
		set(!placing);
		if (placing) svg.focus({ preventScroll: true });
	});
	show();
}
