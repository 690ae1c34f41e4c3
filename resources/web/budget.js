// Who is expensive: the time that the hooks of each behavior took in the last minute, the dearest first.
import { byId, fixed, h, keyed, micros, setAttr, setText } from './dom.js';

const LOOK_MS = 2000;
const REFUSED_MS = 60000; // a robot that does not measure its hooks will not begin to soon
const COLUMNS = [['mean', 'mean_us'], ['p99', 'p99_us'], ['worst', 'worst_us']];

// newBudget returns what draws the table; it asks by itself while its tab is seen.
export function newBudget(api, bar) {
	let lookedAt = -LOOK_MS;
	let busy = false;
	const body = h('tbody', { id: 'budget-rows' });
	byId('budget').append(h('table', {}, h('thead', {}, h('tr', {}, h('th', { scope: 'col', text: 'behavior' }), h('th', { scope: 'col', class: 'wide', text: 'share' }), ...COLUMNS.map(([name]) => h('th', { scope: 'col', class: 'num', text: name })), h('th', { scope: 'col', class: 'num', text: 'calls' }))), body));

	function draw(rows) {
		keyed(body, rows, (r) => r.id,
			(r) => h('tr', {}, h('th', { scope: 'row' }, h('button', { type: 'button', class: 'id link', text: r.id, onclick: () => api.select && api.select(r.id) })), h('td', { class: 'wide' }, h('meter', { min: '0', max: '1', 'aria-label': `Share of ${r.id}` }), h('span', { class: 'num' })), ...COLUMNS.map(() => h('td', { class: 'num' })), h('td', { class: 'num' })),
			(node, r) => {
				const [, share, ...cells] = node.children;
				setAttr(share.firstChild, 'value', fixed(r.share, 4));
				setText(share.lastChild, `${fixed(100 * r.share, 1)} %`);
				COLUMNS.forEach(([, field], i) => setText(cells[i], micros(r[field] || 0)));
				setText(cells[COLUMNS.length], r.calls);
			});
		setAttr(byId('budget'), 'data-empty', rows.length ? '' : 'no hook has run in the last minute');
		setText(byId('budget-sum'), rows.length ? `last minute · ${rows[0].id} is the dearest` : '');
	}

	return async () => {
		if (!bar.history || !bar.history.live) {
			setText(byId('budget-sum'), 'measured on a running robot only');
			return;
		}
		if (busy || performance.now() - lookedAt < LOOK_MS) return;
		busy = true;
		const reply = await api.get('/v1/budget');
		busy = false;
		lookedAt = performance.now() + (reply.ok ? 0 : REFUSED_MS);
		if (reply.ok && Array.isArray(reply.data)) draw(reply.data.filter((r) => r.calls > 0).sort((a, b) => b.share - a.share));
		else setText(byId('budget-sum'), reply.text || '');
	};
}
