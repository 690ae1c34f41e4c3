// The log with a filter: the last lines of the state, or those of the memory where there is one.
import { byId, fixed, h, keyed, setAttr, setText } from './dom.js';

const RANK = { debug: 0, info: 1, warn: 2, warning: 2, error: 3 };
const TYPED_MS = 250; // after the last letter of a filter
const FOUND = 2000; // lines, as many as the memory tells at once

const line = (e) => h('p', { 'data-level': String(e.level).toLowerCase() }, h('span', { class: 'when', text: fixed(e.time_s, 2) }), h('span', { class: 'level', text: e.level }), h('span', { class: 'text', text: e.text }));

// newLog returns what draws the log. It follows the end unless the reader scrolled up.
export function newLog(api, bar) {
	const list = byId('log');
	const text = byId('log-text');
	const level = byId('log-level');
	let state = null;
	let found = null; // lines that the memory has for the filter
	let timer = 0;

	function draw() {
		if (!state) return;
		const words = text.value.trim().toLowerCase();
		const least = RANK[level.value] || 0;
		const match = (e) => (RANK[String(e.level).toLowerCase()] ?? 1) >= least && (!words || e.text.toLowerCase().includes(words));
		const newest = found && found.length ? found[found.length - 1].time_s : -1;
		const all = found ? [...found, ...state.log.filter((e) => e.time_s > newest)] : state.log;
		const shown = all.filter(match);
		const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 24;
		const before = list.lastChild;
		keyed(list, shown, (e) => `${e.time_s} ${e.level} ${e.text}`, line);
		if (atEnd && list.lastChild !== before) list.scrollTop = list.scrollHeight;
		setAttr(list, 'data-empty', shown.length ? '' : 'no line matches');
		setText(byId('log-sum'), words || least ? `${shown.length} lines match` : `${shown.length} lines`);
	}

	// look asks the memory, which reaches further back than the state.
	async function look() {
		const filter = text.value.trim() || level.value;
		if (!filter || !bar.history) found = null;
		else {
			const reply = await api.get('/v1/log', { q: text.value.trim(), level: level.value });
			found = reply.ok && Array.isArray(reply.data) ? reply.data.map((e) => ({ time_s: e.at_s ?? e.time_s, level: e.level, text: e.text })) : null;
		}
		draw();
	}

	const later = () => {
		draw();
		clearTimeout(timer);
		timer = setTimeout(look, TYPED_MS);
	};
	text.addEventListener('input', later);
	level.addEventListener('change', later);
	return (next, { live }) => {
		const anew = live && state !== null && next.time_s < state.time_s; // another life
		state = next;
		if (found && live) {
			const last = found.length ? found[found.length - 1].time_s : -1;
			if (anew || (next.log.length && next.log[0].time_s > last)) later(); // lines may lie between
			else found = [...found, ...next.log.filter((e) => e.time_s > last)].slice(-FOUND);
		}
		draw();
	};
}
