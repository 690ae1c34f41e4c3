// What people set for good: features switched on or off, and reactions to conditions.
import { post } from './api.js';
import { byId, h, keyed, setAttr, setText } from './dom.js';

const NONE = 'none';

// rows are the settings, each with what may be chosen, what is, and the request that chooses.
function rows(set) {
	const features = (set.features || []).map((f) => ({
		key: `feature ${f.name}`, name: f.name, is: f.override, may: ['Default', 'Enabled', 'Disabled'], note: `the feature is ${f.enabled ? 'on' : 'off'}`,
		ask: (value) => post('/v1/feature', { feature: f.name, override: value }),
	}));
	const reactions = (set.reactions || []).map((r) => ({
		key: `reaction ${r.condition}`, name: `reaction to ${r.condition}`, is: r.behavior || NONE, may: [NONE, ...r.options.filter((id) => id !== NONE)], note: 'what people chose',
		ask: (value) => post('/v1/reaction', { condition: r.condition, behavior: value === NONE ? '' : value }),
	}));
	return [...features, ...reactions];
}

const option = (name) => h('option', { value: name, text: name });

// choose asks for a setting. The answer stands below the list; what was refused goes back to what is.
async function choose(select) {
	const row = select.row;
	select.disabled = true;
	const answer = await row.ask(select.value);
	select.disabled = false;
	if (!answer.ok) select.value = select.row.is;
	setText(byId('settings-said'), answer.text);
	setAttr(byId('settings-said'), 'data-tone', answer.ok ? 'good' : 'bad');
}

function make(row) {
	const select = h('select', { 'aria-label': row.name, onchange: (event) => choose(event.currentTarget) });
	return h('label', { class: 'setting' }, h('span', { text: row.name }), select);
}

// draw shows what is, but not in a list that somebody has open. A chosen behavior that is offered no more stays visible.
function draw(node, row) {
	const select = node.lastChild;
	select.row = row;
	keyed(select, row.may.includes(row.is) ? row.may : [...row.may, row.is], (name) => name, option, () => {});
	if (!select.disabled && document.activeElement !== select) select.value = row.is;
	setAttr(node, 'title', row.note);
	setAttr(node, 'data-tone', row.is === 'Default' || row.is === NONE ? '' : 'warn');
}

// drawSettings draws one list of choices for each feature and each reaction.
export function drawSettings(state) {
	const all = rows(state.settings);
	keyed(byId('settings'), all, (row) => row.key, make, draw);
	setAttr(byId('settings'), 'data-empty', all.length ? '' : 'the files declare no features, and there is no map of reactions');
}
