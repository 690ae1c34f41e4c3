// One row of the outline: place, name, class, whether the behavior wants control, and why.
import { h, seconds, setAttr, setText } from '../dom.js';

const WANTS = { yes: 'yes', no: 'no' };
const STEP_PX = 18;

// makeRow makes an empty row.
export function makeRow() {
	return h('div', { role: 'treeitem', class: 'tr-row' },
		h('span', { class: 'tr-name' }, h('span', { class: 'tr-twist', 'aria-hidden': 'true' }), h('span', { class: 'tr-pos' }), h('b', { class: 'id' }), h('span', { class: 'tr-state' }), h('span', { class: 'tr-class' })),
		h('span', { class: 'tr-wants' }), h('span', { class: 'tr-why' }));
}

// tell returns the two words of a row about now.
function tell({ live, entry, layer }) {
	if (live === 'control') return ['has it', `in control ${seconds(layer.active_s)}${layer.state ? ` · ${layer.state}` : ''}`];
	if (live === 'path') return ['active', `${seconds(layer.active_s)}${layer.state ? ` · ${layer.state}` : ''}`];
	if (live === 'also') return ['active', 'elsewhere on the stack'];
	if (live === 'scope') return [WANTS[entry.wants] || '–', entry.why || (WANTS[entry.wants] ? '' : 'not asked in the last second')];
	return ['', ''];
}

// drawRow shows a row; folded is undefined where there is nothing to fold.
export function drawRow(node, row, light, { folded, selected, focused }) {
	const [name, wants, why] = node.children;
	const [twist, pos, id, state, kind] = name.children;
	const [word, reason] = tell(light);
	setAttr(node, 'id', `tr-${row.index}`);
	setAttr(node, 'data-live', light.live);
	setAttr(node, 'data-wants', light.entry ? light.entry.wants || 'unknown' : '');
	setAttr(node, 'data-link', row.link ? 'yes' : 'no');
	setAttr(node, 'data-selected', selected ? 'yes' : 'no');
	setAttr(node, 'data-focus', focused ? 'yes' : 'no');
	setAttr(node, 'aria-selected', selected);
	setAttr(node, 'aria-level', row.level);
	setAttr(node, 'aria-posinset', row.pos);
	setAttr(node, 'aria-setsize', row.size);
	if (folded === undefined) node.removeAttribute('aria-expanded');
	else setAttr(node, 'aria-expanded', !folded);
	const indent = `${(row.level - 1) * STEP_PX}px`;
	if (name.style.getPropertyValue('--indent') !== indent) name.style.setProperty('--indent', indent);
	setText(twist, folded === undefined ? (row.link ? '↪' : '') : folded ? '▸' : '▾');
	setText(pos, row.level > 1 ? row.pos : '');
	setText(id, row.node.owner ? row.node.label || row.id : row.id);
	state.hidden = !row.node.state; // of a class without code: stand-in or inert
	setText(state, row.node.state || '');
	setText(kind, row.asksOnly && !row.node.owner ? `${row.node.class} · only asked` : row.node.class === row.id ? '' : row.node.class);
	setText(wants, word);
	setText(why, reason);
	setAttr(node, 'title', [row.link ? `${row.id}, opened elsewhere in this tree` : row.id, row.node.doc, reason].filter(Boolean).join('\n'));
}
