// The cursor bar: which instant the page shows, and how to choose another one.
import { get } from './api.js';
import { byId, fixed, seconds, setAttr, setText } from './dom.js';

const LOOK_MS = 2000; // how often the reach of the memory is asked for
const RETRY_MS = 15000; // where there is none

// newCursorBar wires the bar. It returns {update(state), step(ticks), toggle(), history()}.
export function newCursorBar(store) {
	const scrub = byId('scrub');
	let history = null; // answer of /v1/history
	let asked = false; // it was answered once
	let answered = false; // the last time
	let timer = 0;
	let held = false; // the thumb is being dragged

	const period = () => (store.live && store.live.period_ms ? store.live.period_ms / 1000 : 0.06);
	const span = () => (history ? [history.first.at_s, Math.max(history.last.at_s, history.live && store.live ? store.live.time_s : 0)] : null);

	async function look() {
		clearTimeout(timer);
		if (!document.hidden) {
			const reply = await get('/v1/history');
			answered = reply.ok || Boolean(reply.status); // without an answer what was known holds
			if (reply.ok) history = reply.data;
			if (answered) asked = true;
			draw();
		}
		timer = setTimeout(look, history || !answered ? LOOK_MS : RETRY_MS);
	}

	function draw() {
		const { problem } = store;
		const reach = span();
		scrub.disabled = !reach;
		const at = store.cursor;
		if (reach) {
			const [first, last] = reach;
			setAttr(scrub, 'min', fixed(first, 3));
			setAttr(scrub, 'max', fixed(last, 3));
			if (!held) scrub.value = at === null ? last : at;
		}
		setAttr(byId('live'), 'aria-pressed', at === null);
		setText(byId('live'), at === null ? (history && !history.live ? 'End' : 'Live') : history && !history.live ? 'Go to end' : 'Go live');
		document.body.classList.toggle('past', at !== null);
		const shown = store.state;
		const now = at !== null ? at : shown ? shown.time_s : 0;
		const narrow = innerWidth < 760;
		const text = problem || `${seconds(now)}${shown && !narrow ? ` · tick ${shown.tick}` : ''}`;
		setText(byId('clock'), text);
		setAttr(byId('clock'), 'data-tone', problem ? 'bad' : '');
		setAttr(byId('clock'), 'title', text);
		setAttr(scrub, 'aria-valuetext', at === null ? 'now' : seconds(now));
	}

	// go shows an instant, or follows the robot from its newest one.
	function go(at) {
		const reach = span();
		if (!reach) return;
		store.setCursor(at >= reach[1] - period() / 2 && history.live ? null : Math.max(reach[0], Math.min(reach[1], at)));
	}

	function step(by) {
		const reach = span();
		if (reach) go((store.cursor === null ? reach[1] : store.cursor) + by);
	}

	scrub.addEventListener('input', () => {
		held = true;
		go(Number(scrub.value));
	});
	scrub.addEventListener('change', () => { held = false; });
	scrub.addEventListener('keydown', (event) => {
		const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -60, PageUp: 60 }[event.key];
		if (by === undefined) return;
		event.preventDefault();
		step(event.shiftKey ? by * 10 : by);
	});
	byId('live').addEventListener('click', () => store.setCursor(null));
	byId('step-back').addEventListener('click', () => step(-period()));
	byId('step-on').addEventListener('click', () => step(period()));
	store.onCursor(() => draw());
	look();

	return {
		update: () => draw(),
		step,
		stepTick: (n) => step(n * period()),
		toggle: () => (store.cursor === null ? step(-period()) : store.setCursor(null)),
		span,
		get history() { return history; },
		// empty says why there is no history.
		get empty() { return asked ? 'This robot keeps no memory of the last hour.' : 'Reading …'; },
	};
}
