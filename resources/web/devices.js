// The device table.
import { age, byId, h, keyed, setAttr, setText } from './dom.js';

const COUNTS = [['restarts', 'restarts'], ['reinits', 're-inits'], ['retries', 'retries'], ['errors', 'errors']];

function row(d) {
	const cell = (cls, label) => h('td', { role: 'cell', class: cls, 'data-label': label });
	return h('tr', { role: 'row' },
		h('th', { role: 'rowheader', scope: 'row' }, h('span', { class: 'dot' }), h('span', { class: 'name', text: d.name }), h('span', { class: 'quality' }), h('span', { class: 'fault' })),
		cell('value', 'value'), cell('num age', 'age'), ...COUNTS.map(([, label]) => cell('num count-cell', label)), cell('cause', 'last cause'));
}

// drawDevices shows one row a device.
export function drawDevices(state) {
	keyed(byId('device-rows'), state.devices, (d) => d.name, row, (node, d) => {
		const [name, value, old, ...rest] = node.children;
		const [dot, , quality, fault] = name.children;
		setAttr(node, 'data-quality', d.quality);
		setAttr(dot, 'title', d.quality);
		setText(quality, d.why ? `${d.quality}: ${d.why}` : d.quality);
		setText(fault, d.fault || '');
		fault.hidden = !d.fault;
		setAttr(fault, 'title', d.fault ? `injected fault: ${d.fault}` : '');
		setText(value, d.value || '–');
		setAttr(value, 'title', d.value || '');
		setText(old, d.quality === 'absent' ? '–' : age(d.age_ms));
		COUNTS.forEach(([field], i) => {
			setText(rest[i], d[field] || 0);
			setAttr(rest[i], 'data-zero', d[field] ? 'no' : 'yes');
		});
		setText(rest[4], d.cause || '–');
		setAttr(rest[4], 'data-zero', d.cause ? 'no' : 'yes');
	});
	const bad = state.devices.filter((d) => d.quality !== 'ok').length;
	setText(byId('devices-sum'), !state.devices.length ? 'none' : bad ? `${bad} of ${state.devices.length} not ok` : `all ${state.devices.length} ok`);
	setAttr(byId('devices-sum'), 'data-tone', bad ? 'bad' : 'good');
	const dead = state.devices.filter((d) => d.quality === 'failed' || d.quality === 'absent').length;
	byId('devices-mark').hidden = !dead;
	setText(byId('devices-mark'), dead);
	setAttr(byId('devices-mark'), 'title', `${dead} failed or absent`);
}
