// What an operator lets the robot do by name: a form of one line, made from the table of the daemon.
import { get } from './api.js';
import { byId, h } from './dom.js';
import { wireDrive } from './drive.js';
import { send, toast } from './toast.js';

const FORM = 'do-form';

// hint shows the keys of an action as they are typed, required ones first.
function hint(kind) {
	const keys = [...kind.keys].sort((a, b) => Number(b.required) - Number(a.required));
	return keys.map((k) => (k.required ? `${k.name}=…` : `[${k.name}]`)).join(' ') || 'no parameters';
}

// pairs reads KEY=VALUE words; a value with spaces stands in double quotes. Null means that a word was none.
function pairs(text) {
	const params = {};
	for (const word of text.match(/\w+="[^"]*"|\S+/g) || []) {
		const at = word.indexOf('=');
		if (at < 1) return null;
		params[word.slice(0, at)] = word.slice(at + 1).replace(/^"(.*)"$/, '$1');
	}
	return params;
}

// wireActions fills the form and sends what it says.
export async function wireActions() {
	const answer = await get('/v1/actions');
	if (!answer.ok) { // a recording, or no daemon yet
		byId(FORM).hidden = true;
		byId('drive').hidden = true;
		return;
	}
	const known = answer.data.known;
	const name = byId('do-name');
	const params = byId('do-params');
	const show = () => setHint(params, known.find((k) => k.name === name.value));
	name.replaceChildren(...known.map((k) => h('option', { text: k.name, value: k.name, title: k.doc })));
	name.addEventListener('change', show);
	show();
	byId(FORM).inert = false;
	wireDrive();
	byId(FORM).addEventListener('submit', (event) => {
		event.preventDefault();
		const values = pairs(params.value);
		if (!values) toast(false, 'Parameters are written as key=value, with spaces between them.');
		else send('/v1/actions/do', { action: name.value, params: values, interrupt: byId('do-interrupt').checked }, name.value);
	});
}

function setHint(field, kind) {
	field.placeholder = hint(kind);
	field.title = [kind.doc, ...kind.keys.map((k) => `${k.name}: ${k.doc}${k.unit ? ` (${k.min} to ${k.max} ${k.unit})` : ''}`)].join('\n');
}
