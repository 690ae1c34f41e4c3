// Why a behavior is or is not wanted: the gates in their order, what must change, and who was asked before it.
import { facts, h, keyed, seconds, setAttr, setText } from '../dom.js';

const MARKS = { yes: ['✓', 'met'], no: ['✗', 'not met'], none: ['–', 'not reached'] };
const STATUS = { in_control: 'in control', active: 'active', in_scope: 'in scope', out_of_scope: 'out of scope' };
const answer = (v) => (v === true ? 'yes' : v === false ? 'no' : 'none');

function line(pick) {
	return () => h('li', {}, h('span', { class: 'tr-mark', role: 'img' }), h('div', { class: 'tr-what' },
		pick ? h('button', { type: 'button', class: 'id link', onclick: (e) => pick(e.currentTarget.textContent) }) : h('b'), h('span', { class: 'tr-text' })));
}

function fill(node, name, met, text) {
	const [mark, what] = node.children;
	const [sign, word] = MARKS[met];
	setAttr(node, 'data-met', met);
	setText(mark, sign);
	setAttr(mark, 'aria-label', word);
	setText(what.firstChild, name);
	setText(what.lastChild, text);
}

const values = (v) => Object.entries(v || {}).map(([k, x]) => `${k} ${typeof x === 'object' ? JSON.stringify(x) : x}`).join(', ');

// gateText is what a gate said with the values it read, unless the words hold them already.
function gateText(gate) {
	const read = values(gate.values);
	return read && !Object.values(gate.values).every((v) => gate.text.includes(String(v))) ? `${gate.text} (${read})` : gate.text;
}

// lineOfAsked shows one behavior that was asked, or was not.
export const askedLine = line;
export function drawAsked(node, q) {
	const met = q.asked === false ? 'none' : answer(q.wanted);
	fill(node, q.id, met, q.text || { yes: 'wants control', no: 'declines', none: 'not asked' }[met]);
}

// newWhy makes the section; pick(id) shows another behavior. It returns {element, draw(question), fail(text)}.
export function newWhy(pick) {
	const said = h('p', { class: 'tr-said' });
	const gates = h('ul', { class: 'tr-gates tr-own', 'aria-label': 'Gates in their order' });
	const needs = h('ul', { class: 'tr-needs', 'aria-labelledby': 'tr-needs-title' });
	const needsTitle = h('h4', { id: 'tr-needs-title', text: 'What has to change' });
	const facts_ = h('dl', { class: 'tr-facts' });
	const sum = h('summary', { text: 'Asked before it' });
	const before = h('ul', { class: 'tr-gates' });
	const asked = h('details', {}, sum, before);
	const element = h('section', { class: 'tr-part tr-whybox', 'aria-labelledby': 'tr-why-title' },
		h('h3', { id: 'tr-why-title', text: 'Why' }), said, gates, needsTitle, needs, facts_, asked);

	function draw(q) {
		setText(said, q.text || '');
		setAttr(said, 'data-tone', q.wanted || q.status === 'in_control' || q.status === 'active' ? 'good' : q.asked ? 'warn' : '');
		const list = q.gates || [];
		keyed(gates, list, (g) => g.name, line(), (node, g) => fill(node, g.name === 'class' ? `${q.class} itself` : g.name, answer(g.met), gateText(g)));
		const open = q.needs || [];
		needsTitle.hidden = needs.hidden = !open.length;
		keyed(needs, open, (t) => t, (t) => h('li', { text: t }));
		facts(facts_, [
			['status', STATUS[q.status] || q.status || '–'],
			['asked by', q.asker || '–'],
			['last asked', q.asked ? seconds(q.asked_s || 0) : '–'],
			['so since', q.since_tick ? seconds(q.since_s) : '–'],
			['control went to', q.won || '–'],
			['suppressed by', q.suppressed_by || '–'],
		]);
		const first = q.before || [];
		asked.hidden = !first.length;
		setText(sum, `Asked before it: ${first.length}`);
		keyed(before, first, (b) => b.id, line(pick), drawAsked);
	}

	return {
		element,
		draw,
		fail(text) {
			draw({ text });
			setAttr(said, 'data-tone', 'bad');
		},
	};
}
