// What failed, who was slow, and what was refused or lost.
import { byId, facts, fixed, h, keyed, seconds, setAttr, setText } from './dom.js';

function row() {
	return h('li', {}, h('span', { class: 'times' }), h('div', { class: 'who' }, h('b', { class: 'id' }), h('span', { class: 'dim small' })),
		h('div', { class: 'side' }, h('span', { class: 'time' })));
}

// drawTroubles shows the failures by kind, newest first, the slowest hooks, and the totals.
export function drawTroubles(state) {
	const t = state.troubles;
	keyed(byId('failures'), t.failures, (f) => `${f.actor} ${f.where} ${f.reason}`, row, (node, f) => {
		const [times, who, side] = node.children;
		setText(times, `${f.count}×`);
		setText(who.firstChild, f.actor);
		setText(who.lastChild, `${f.where}: ${f.reason}`);
		setAttr(node, 'title', f.text || '');
		setText(side.firstChild, `${seconds(Math.max(0, state.time_s - f.last_s))} ago`);
	});
	setAttr(byId('failures'), 'data-empty', t.failures.length ? '' : 'nothing has failed');
	const count = t.failures.reduce((sum, f) => sum + f.count, 0);
	setText(byId('failures-sum'), count ? `${count}` : 'none');
	setAttr(byId('failures-sum'), 'data-tone', count ? 'bad' : 'good');

	keyed(byId('slow'), t.slow_hooks, (s) => `${s.actor} ${s.where}`, row, (node, s) => {
		const [times, who, side] = node.children;
		setText(times, `${s.count}×`);
		setText(who.firstChild, s.actor);
		setText(who.lastChild, s.where);
		setText(side.firstChild, `${fixed(s.worst_ms, 0)} ms`);
	});
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
