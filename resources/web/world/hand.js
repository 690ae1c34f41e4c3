// A person's hand on the world: take the robot, a cube or a person and put it elsewhere; stroke the back; tap to poke. By mouse,
// by touch and by keys. There are no modes: what is under the pointer decides, and empty space turns the camera.

const DRAG_PX = 5;
const HOLD_MS = 350; // longer on the back is stroking
const CARRY_MS = 110; // between two acts of one carry
const LIFT_MM = 70; // how high a carried robot hangs
const STROKE_S = 1.2;
const STEP_MM = 10;
const STEP_RAD = Math.PI / 12;
const RAD_PX = 0.008; // turn of the camera for one pixel

const r1 = (v) => Math.round(v * 10) / 10;
const r3 = (v) => Math.round(v * 1000) / 1000;

// newHand wires the canvas. world tells about the things: find(hold) gives {x, y, heading}, fits(x, y) whether the table is there,
// all() lists the holds, held() whether the robot is in hand. carry(hold, pose|null) shows something in hand at once.
export function newHand(canvas, { view, world, act, carry, select, changed }) {
	const pointers = new Map();
	let drag = null;
	let pinch = 0;
	let busy = false; // an act of this carry has not been answered
	let sentAt = 0;
	let timer = 0;

	const where = (e) => {
		const b = canvas.getBoundingClientRect();
		return [e.clientX - b.left, e.clientY - b.top];
	};

	// send tells the robot's world where the thing in hand is; the last place always gets there.
	async function send(d, last) {
		if (!d.pose || d.hold.kind === 'none') return;
		if (!last && (busy || performance.now() - sentAt < CARRY_MS)) return;
		sentAt = performance.now();
		const at = { x_mm: r1(d.pose.x), y_mm: r1(d.pose.y) };
		const heading_rad = r3(d.pose.heading);
		const quiet = !last;
		busy = true;
		if (d.hold.kind === 'robot') {
			if (!last) await act('carry', { ...at, heading_rad }, quiet);
			else if (world.fits(d.pose.x, d.pose.y)) await act('place', { ...at, heading_rad });
			else await act('putdown', {});
		} else if (d.hold.kind === 'cube') await act('cube', { id: d.hold.id, ...at, heading_rad }, quiet);
		else if (d.hold.kind === 'person') await act('person', { id: d.hold.id, ...at }, quiet);
		busy = false;
	}

	function begin(hold, grab) {
		const p = world.find(hold);
		if (!p) return null;
		select(hold);
		return { hold, pose: { ...p }, off: grab ? [p.x - grab[0], p.y - grab[1]] : [0, 0] };
	}

	function moveTo(px, py) {
		const z = drag.hold.kind === 'robot' ? LIFT_MM : 0;
		const g = view().ground(px, py, drag.hold.kind === 'robot' ? LIFT_MM / 2 : 0);
		if (!g) return;
		drag.pose.x = g[0] + drag.off[0];
		drag.pose.y = g[1] + drag.off[1];
		if (drag.hold.kind === 'robot') [drag.pose.x, drag.pose.y] = world.near(drag.pose.x, drag.pose.y);
		carry(drag.hold, { ...drag.pose, z });
		send(drag, false);
	}

	function down(e) {
		if (e.button > 0) return;
		const [px, py] = where(e);
		pointers.set(e.pointerId, [px, py]);
		if (pointers.size === 2) {
			stop();
			pinch = spread();
			return;
		}
		if (pointers.size > 2) return;
		canvas.setPointerCapture(e.pointerId);
		const hold = view().pick(px, py);
		drag = { id: e.pointerId, from: [px, py], last: [px, py], moved: false, hold: hold || { kind: 'none' }, back: hold?.kind === 'back', pose: null };
		if (drag.back) {
			drag.hold = { kind: 'robot', id: 'robot' };
			timer = setTimeout(stroke, HOLD_MS);
		}
		canvas.dataset.hand = hold ? 'over' : 'orbit';
	}

	// stroke keeps a hand on the back as long as the pointer rests there.
	function stroke() {
		if (!drag || drag.moved) return;
		drag.stroked = true;
		act('touch', { seconds: STROKE_S }, true);
		timer = setTimeout(stroke, STROKE_S * 800);
	}

	function move(e) {
		const [px, py] = where(e);
		if (!pointers.has(e.pointerId)) {
			if (e.pointerType === 'mouse') {
				const hold = view().pick(px, py);
				canvas.dataset.hand = hold ? (hold.kind === 'back' ? 'back' : 'over') : '';
			}
			return;
		}
		const before = pointers.get(e.pointerId);
		pointers.set(e.pointerId, [px, py]);
		if (pointers.size === 2) {
			const now = spread();
			if (pinch > 0 && now > 0) view().cam?.zoom(pinch / now);
			pinch = now;
			changed();
			return;
		}
		if (!drag || e.pointerId !== drag.id) return;
		if (!drag.moved && Math.hypot(px - drag.from[0], py - drag.from[1]) < DRAG_PX) return;
		if (!drag.moved) {
			drag.moved = true;
			clearTimeout(timer);
			if (drag.stroked) drag.hold = { kind: 'none' };
			if (drag.hold.kind !== 'none' && world.can) Object.assign(drag, begin(drag.hold, view().ground(...drag.from, drag.hold.kind === 'robot' ? LIFT_MM / 2 : 0)));
			canvas.dataset.hand = drag.pose ? 'carry' : 'orbit';
		}
		if (drag.pose) moveTo(px, py);
		else view().cam?.orbit(-(px - before[0]) * RAD_PX, e.pointerType === 'touch' ? 0 : (py - before[1]) * RAD_PX);
		changed();
	}

	// stop lets go without putting anything down elsewhere than where it is.
	async function stop() {
		clearTimeout(timer);
		const d = drag;
		drag = null;
		canvas.dataset.hand = '';
		if (!d) return;
		if (d.pose) await send(d, true);
		carry(d.hold, null);
		changed();
	}

	function up(e) {
		const known = pointers.delete(e.pointerId);
		pinch = 0;
		if (!known || !drag || e.pointerId !== drag.id) return;
		const d = drag;
		if (!d.moved && !d.stroked && world.can && e.type === 'pointerup') {
			if (d.back) act('touch', { seconds: 2 * STROKE_S });
			else if (d.hold.kind === 'robot') act('poke', {});
			if (d.hold.kind !== 'none') select(d.hold);
		}
		stop();
	}

	const spread = () => {
		const [a, b] = [...pointers.values()];
		return a && b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 0;
	};

	// A touch on a thing, or with two fingers, must not scroll the page; one on empty space may.
	function touchStart(e) {
		const [px, py] = where(e.touches[0]);
		if (e.touches.length > 1 || view().pick(px, py)) e.preventDefault();
	}

	function wheel(e) {
		if (drag && drag.pose) { // turns what is in hand
			drag.pose.heading += Math.sign(e.deltaY) * STEP_RAD;
			carry(drag.hold, { ...drag.pose, z: drag.hold.kind === 'robot' ? LIFT_MM : 0 });
		} else if (document.activeElement === canvas || e.ctrlKey) view().cam?.zoom(Math.exp(Math.sign(e.deltaY) * 0.12));
		else return; // the page scrolls
		e.preventDefault();
		changed();
	}

	// nudge moves the selected thing by keys, away from the one who looks for "up".
	function nudge(hold, forward, right, turn) {
		const d = begin(hold, null);
		if (!d) return;
		const a = (view().cam?.azimuth ?? -Math.PI / 2) + Math.PI; // the direction of the look
		const k = Math.round(a / (Math.PI / 2)) * (Math.PI / 2);
		d.pose.x += forward * Math.cos(k) + right * Math.sin(k);
		d.pose.y += forward * Math.sin(k) - right * Math.cos(k);
		d.pose.heading += turn;
		send(d, true);
	}

	function key(e) {
		if (e.ctrlKey || e.metaKey || e.altKey) return;
		const hold = world.selected();
		const step = e.shiftKey ? 5 * STEP_MM : STEP_MM;
		const keys = {
			ArrowUp: () => nudge(hold, step, 0, 0), ArrowDown: () => nudge(hold, -step, 0, 0),
			ArrowRight: () => nudge(hold, 0, step, 0), ArrowLeft: () => nudge(hold, 0, -step, 0),
			',': () => nudge(hold, 0, 0, STEP_RAD), '.': () => nudge(hold, 0, 0, -STEP_RAD),
			n: () => select(world.next()),
			t: () => act('touch', { seconds: 2 }), p: () => act('poke', {}),
			Enter: () => act(world.held() ? 'putdown' : 'pickup', {}),
			'+': () => view().cam?.zoom(0.85), '=': () => view().cam?.zoom(0.85), '-': () => view().cam?.zoom(1.18),
		};
		const go = keys[e.key];
		if (!go || (!world.can && !['+', '=', '-'].includes(e.key))) return;
		e.preventDefault();
		go();
		changed();
	}

	const listeners = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up, keydown: key };
	for (const [name, fn] of Object.entries(listeners)) canvas.addEventListener(name, fn);
	canvas.addEventListener('wheel', wheel, { passive: false });
	canvas.addEventListener('touchstart', touchStart, { passive: false });
	return { dispose: () => clearTimeout(timer) };
}
