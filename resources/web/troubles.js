// What failed, who was slow, and what was refused or lost.
import { byId, facts, fixed, h, keyed, seconds, setAttr, setText } from './dom.js';

function row() {
	return h('li', {}, h('span', { class: 'times' }), h('div', { class: 'who' }, h('b', { class: 'id' }), h('span', { class: 'dim small' }), h('span', { class: 'cause-text small' })),
		h('div', { class: 'side' }, h('span', { class: 'time' })));
}

// fill writes one row: how often, who, where, and in whole sentences why.
function fill(node, count, id, where, why, side) {
	const [times, who, end] = node.children;
	const [name, place, cause] = who.children;
	setText(times, `${count}×`);
	setText(name, id);
	setText(place, where);
	place.hidden = !where;
	setText(cause, why || '');
	cause.hidden = !why;
	setAttr(node, 'title', why || '');
	setText(end.firstChild, side);
}

// drawTroubles shows the failures by kind, newest first, what was refused or lost, the slowest hooks, and the totals.
export function drawTroubles(state) {
	const t = state.troubles;
	keyed(byId('failures'), t.failures, (f) => `${f.actor} ${f.where} ${f.reason}`, row,
		(node, f) => fill(node, f.count, f.actor, `${f.where}: ${f.reason}`, f.text, `${seconds(Math.floor(Math.max(0, state.time_s - f.last_s)), 0)} ago`));
	setAttr(byId('failures'), 'data-empty', t.failures.length ? '' : 'nothing has failed');
	const count = t.failures.reduce((sum, f) => sum + f.count, 0);
	setText(byId('failures-sum'), count ? `${count} since start` : 'none');
	setAttr(byId('failures-sum'), 'data-tone', count ? 'bad' : 'good');

	keyed(byId('noted'), t.noted, (n) => `${n.kind} ${n.what}`, row, (node, n) => fill(node, n.count, n.what.replaceAll('_', ' '), '', n.text, n.kind));
	setAttr(byId('noted'), 'data-empty', t.noted.length ? '' : 'nothing was refused or lost');
	const noted = t.noted.reduce((sum, n) => sum + n.count, 0);
	setText(byId('noted-sum'), noted ? `${noted}` : 'none');

	keyed(byId('slow'), t.slow_hooks, (s) => `${s.actor} ${s.where}`, row, (node, s) => fill(node, s.count, s.actor, s.where, '', `${fixed(s.worst_ms, 0)} ms`));
	setAttr(byId('slow'), 'data-empty', t.slow_hooks.length ? '' : 'no hook was slow');

	const half = t.zombie_limit && 2 * t.zombies >= t.zombie_limit;
	facts(byId('trouble-counts'), [
		['zombies', t.zombie_limit ? `${t.zombies} of ${t.zombie_limit}` : 0, half ? 'bad' : t.zombies ? 'warn' : ''],
		['stale', t.stale || 0, t.stale ? 'warn' : ''],
		['events lost', t.dropped || 0, t.dropped ? 'warn' : ''],
		['dead letters', t.dead_letters || 0, t.dead_letters ? 'warn' : ''],
		['slow hooks', t.slow || 0, t.slow ? 'warn' : ''],
	]);
	setAttr(byId('trouble-counts'), 'title', t.stale_by ? `the newest stale request came from ${t.stale_by}` : '');
}
