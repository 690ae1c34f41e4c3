// Keys for the whole page. Single letters can be switched off, because speech input types letters.
import { byId, h } from './dom.js';
import { read, write } from './kept.js';

const OFF = 'robotd-keys-off';
const TYPED = 'textarea, [contenteditable], input:not([type=range], [type=checkbox], [type=radio], [type=button])';

// newKeys takes rows [keys to press, what it does, function]. Keys in a field are the field's.
export function newKeys(rows) {
	const help = byId('help');
	const on = byId('keys-on');
	on.checked = read(OFF) === null;
	on.addEventListener('change', () => write(OFF, on.checked ? null : 'yes'));
	byId('keys').append(...rows.map(([keys, text]) => h('div', {}, h('dt', {}, ...keys.map((k) => h('kbd', { text: k === ' ' ? 'Space' : k }))), h('dd', { text }))));
	const open = () => help.showModal();
	byId('help-open').addEventListener('click', open);
	document.addEventListener('keydown', (event) => {
		if (!on.checked || help.open || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
		const taken = event.key === 'S' ? TYPED : `${TYPED}, input:not([type=range]), select, [role=application]`; // the stop works wherever nobody types
		if (event.target.closest(taken)) return;
		if (event.key === ' ' && event.target.closest('button, summary, a, [role=tab]')) return;
		const row = rows.find(([keys]) => keys.includes(event.key));
		if (!row) return;
		event.preventDefault();
		(row[2] || open)(event.key);
	});
}
