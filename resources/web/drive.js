// Driving by hand: while an arrow is held, an order goes out again and again, because each holds for 400 ms only. Who lets go, leaves the page or
// loses the connection stops the robot.
import { post } from './api.js';
import { byId } from './dom.js';
import { toast } from './toast.js';

const EVERY_MS = 120;
const MMPS = 100; // straight on
const REFUSALS = 3; // in a row end it; a reading that came late is no reason
const TURN_MMPS = 50; // of each wheel
const WAYS = { ArrowUp: [1, 0], ArrowDown: [-1, 0], ArrowLeft: [0, 1], ArrowRight: [0, -1] };

const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });

// order is what the arrows that are held ask for.
function order(held) {
	let on = 0;
	let turn = 0;
	for (const key of held) {
		on += WAYS[key][0];
		turn += WAYS[key][1];
	}
	return { left_mmps: on * MMPS - turn * TURN_MMPS, right_mmps: on * MMPS + turn * TURN_MMPS, interrupt: true };
}

// wireDrive listens to the pad.
export function wireDrive() {
	const pad = byId('drive');
	const held = new Set();
	let busy = false;
	let refused = 0; // in a row

	async function tell(body) {
		const answer = await post('/v1/drive', body);
		pad.dataset.answer = answer.text;
		refused = answer.ok ? 0 : refused + 1;
		if (refused < REFUSALS) return answer.ok;
		refused = 0;
		held.clear();
		toast(false, answer.text);
		return false;
	}
	async function drive() {
		if (busy) return;
		busy = true;
		while (held.size) {
			await tell(order(held));
			await pause(EVERY_MS);
		}
		for (let i = 0; i < REFUSALS && !held.size; i++) if (await tell({ left_mmps: 0, right_mmps: 0 })) break; // it stops without, but later
		busy = false;
		if (held.size) drive();
	}
	function press(key) {
		held.add(key);
		drive();
	}
	const leave = () => held.clear();

	pad.addEventListener('keydown', (event) => {
		if (event.ctrlKey || event.altKey || event.metaKey) { // a system may tell nothing of keys that are let go meanwhile
			leave();
			return;
		}
		if (!WAYS[event.key]) return;
		event.preventDefault();
		if (!event.repeat) press(event.key);
	});
	pad.addEventListener('keyup', (event) => held.delete(event.key));
	for (const button of pad.querySelectorAll('button')) {
		button.addEventListener('pointerdown', (event) => {
			if (event.button !== 0 || event.ctrlKey) return; // a menu opens, which may swallow the end
			button.setPointerCapture(event.pointerId);
			press(button.dataset.key);
		});
		for (const end of ['pointerup', 'pointercancel', 'lostpointercapture']) button.addEventListener(end, () => held.delete(button.dataset.key));
	}
	pad.addEventListener('focusout', (event) => { if (!pad.contains(event.relatedTarget)) leave(); });
	pad.addEventListener('contextmenu', leave);
	window.addEventListener('blur', leave);
	document.addEventListener('visibilitychange', leave);
	pad.inert = false;
}
