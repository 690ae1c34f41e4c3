// The panel of one behavior: why, whom it may give control to, parameters, past activations, time of its hooks.
import { runBehavior } from '../controls.js';
import { facts, fixed, h, keyed, micros, seconds, setAttr, setText } from '../dom.js';
import { askedLine, drawAsked, newWhy } from './why.js';

const LOOK_MS = 1000;
const SLOW_MS = 4000; // history and time budget
const REFUSED_MS = 60000; // a robot that does not measure its hooks will not begin to soon
const MOST = 60; // activations in the list

const STATES = {
	'stand-in': 'The class has no code on this robot: the behavior shows its name for a while instead, and runs what it delegates to.',
	inert: 'The class has no code on this robot: the behavior never wants control.',
};
const pretty = (v) => JSON.stringify(v, null, 2);
const part = (title, id, ...kids) => h('section', { class: 'tr-part', 'aria-labelledby': id }, h('h3', { id }, ...[title].flat()), ...kids);

// newDetail makes the panel. pick(id) shows another behavior, close() none.
export function newDetail(api, bar, pick, close) {
	const name = h('h2', { class: 'tr-title', id: 'tr-title' });
	const kind = h('p', { class: 'dim small' });
	const doc = h('p', { class: 'tr-doc' });
	const why = newWhy(pick);
	const delegates = h('ul', { class: 'tr-gates' });
	const askers = h('p', { class: 'tr-askers' });
	const params = h('pre', { class: 'tr-json', tabindex: '0', 'aria-label': 'Parameters' });
	const published = h('pre', { class: 'tr-json', tabindex: '0', 'aria-label': 'Published state' });
	const times = h('ol', { class: 'tr-times' });
	const count = h('span', { class: 'count' });
	const cost = h('dl', { class: 'tiles' });
	const family = part('Delegates in their order', 'tr-family-title', delegates);
	const asked = part('Asked by', 'tr-askers-title', askers);
	const budget = part('Time of its hooks, last minute', 'tr-cost-title', cost);
	const state = h('details', { class: 'tr-part' }, h('summary', { text: 'Published state' }), published);
	const scroll = h('div', { class: 'tr-scroll', tabindex: '0', role: 'group', 'aria-label': 'Why, past and parameters' }, doc, why.element,
		part(['Activations', count], 'tr-times-title', times), family, asked, budget, part('Parameters', 'tr-params-title', params), state);
	const run = h('button', { type: 'button', class: 'ghost-button', onclick: () => runBehavior(node.id) }, 'Run');
	const element = h('section', { class: 'panel tr-detail', 'aria-labelledby': 'tr-title' },
		h('div', { class: 'tr-head' }, h('div', { class: 'who' }, name, kind), run, h('button', { type: 'button', class: 'step', 'aria-label': 'Close', text: '×', onclick: close })), scroll);

	let node = null;
	let outline = null;
	const due = { why: 0, slow: 0, cost: 0 };
	let busy = false;

	function still() {
		setText(name, node.id);
		setText(kind, [node.class === node.id ? '' : node.class, node.file ? `${node.file}:${node.line}` : '', node.origin || '', node.owner ? `anonymous, of ${node.owner}` : ''].filter(Boolean).join(' · '));
		setText(doc, [node.doc || '', STATES[node.state] || ''].filter(Boolean).join(' '));
		setText(params, pretty(node.params || {}));
		setAttr(run, 'aria-label', `Run ${node.id}`);
		const up = outline.askers.get(node.id) || [];
		asked.hidden = !up.length;
		askers.replaceChildren(...up.map((id) => h('button', { type: 'button', class: 'id link', text: id, onclick: () => pick(id) })));
		family.hidden = !node.delegates.length;
		kids(null);
		why.draw({ text: '…' });
		budget.hidden = true;
		state.hidden = true;
		times.replaceChildren();
		setText(count, '');
		scroll.scrollTop = 0;
	}

	function kids(question) {
		const said = new Map(((question && question.delegates) || []).map((d) => [d.id, d]));
		keyed(delegates, node.delegates, (id) => id, askedLine(pick), (li, id) => drawAsked(li, said.get(id) || { id, asked: false, text: (outline.byId.get(id) || {}).doc || '' }));
	}

	function drawTimes(list) {
		const at = api.store.cursor;
		const shown = list.slice(-MOST).reverse();
		keyed(times, shown, (a) => a.from_s, (a) => h('li', {}, h('button', { type: 'button', class: 'link', text: seconds(a.from_s), title: `Show the page at ${fixed(a.from_s, 2)} s`, onclick: () => api.store.setCursor(a.from_s) }), h('span', { class: 'tr-lasted' }), h('span', { class: 'dim' })),
			(li, a) => {
				setText(li.children[1], a.to_s === null ? 'still' : seconds(a.to_s - a.from_s));
				setText(li.children[2], a.by ? `by ${a.by}` : '');
				setAttr(li, 'data-here', at !== null && at >= a.from_s && (a.to_s === null || at < a.to_s) ? 'yes' : 'no');
			});
		setAttr(times, 'data-empty', shown.length ? '' : 'not activated in the memory of this robot');
		setText(count, list.length > MOST ? `the last ${MOST} of ${list.length}` : list.length || '');
	}

	function drawCost(rows) {
		const row = rows.find((r) => r.id === node.id);
		budget.hidden = !row;
		if (row) facts(cost, [['mean', micros(row.mean_us)], ['p99', micros(row.p99_us)], ['worst', micros(row.worst_us)], ['calls', row.calls], ['share', `${fixed(100 * row.share, 1)} %`]]);
	}

	// each asks one thing about the behavior and drops the answer if another one has been chosen.
	async function each(path, parameters, take, fail) {
		const id = node.id;
		const reply = await api.get(path, parameters);
		if (!node || node.id !== id) return;
		if (reply.ok) take(reply.data);
		else if (fail) fail(reply.text);
	}

	async function look() {
		const now = performance.now();
		const at = api.store.cursor;
		if (!node || busy || now < due.why || !element.offsetParent || (at !== null && due.why !== 0)) return;
		busy = true;
		due.why = now + LOOK_MS;
		await each('/v1/why', { id: node.id, at: at === null ? null : at.toFixed(3) }, (q) => {
			why.draw(q);
			kids(q);
			const said = pretty(q.state || {});
			state.hidden = said === '{}';
			setText(published, said);
		}, why.fail);
		if (node && now >= due.slow) {
			due.slow = now + SLOW_MS;
			await each('/v1/activations', { id: node.id }, drawTimes);
		}
		if (node && now >= due.cost && bar.history && bar.history.live && at === null) {
			due.cost = now + SLOW_MS;
			await each('/v1/budget', {}, drawCost, () => { due.cost = now + REFUSED_MS; });
		}
		busy = false;
		if (due.why === 0) look();
	}

	// again asks at once: another behavior, or another instant.
	function again() {
		due.why = due.slow = 0;
		look();
	}

	return {
		element,
		look,
		again,
		show(next, tree) {
			const same = node === next; // a tree that was fetched anew may tell something else of the same behavior
			node = next;
			outline = tree;
			if (!node || same) return;
			due.cost = Math.min(due.cost, performance.now() + SLOW_MS);
			still();
			again();
		},
	};
}
