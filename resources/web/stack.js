// The behavior stack, the running actions and the track locks.
import { byId, h, keyed, seconds, setAttr, setText } from './dom.js';
import { lacks } from './world/parts.js';
import { send } from './toast.js';

function layer(select) {
	return (e) => h('li', { class: 'layer' },
		h('span', { class: 'depth' }), h('div', { class: 'who' }, h('button', { type: 'button', class: 'id link', title: `Why ${e.id}?`, onclick: () => select(e.id) }), h('span', { class: 'dim small' })),
		h('div', { class: 'side' }, h('span', { class: 'time' }), h('span', { class: 'chip' })));
}

function drawStack(state, select) {
	const n = state.stack.length;
	const top = state.stack.map((entry, index) => ({ ...entry, index })).reverse();
	keyed(byId('stack'), top, (e) => e.index + ' ' + e.id, layer(select), (node, e) => {
		const [depth, who, side] = node.children;
		const [time, chip] = side.children;
		setAttr(node, 'class', e.in_control ? 'layer in-control' : 'layer');
		setText(depth, e.index);
		setText(who.firstChild, e.id);
		setAttr(node, 'aria-current', e.in_control); // the one in control
		setText(who.lastChild, e.class);
		setText(chip, e.state);
		chip.hidden = !e.state;
		setText(time, seconds(e.active_s));
	});
	setText(byId('stack-sum'), n === 1 ? '1 layer' : `${n} layers`);
}

function drawActions(state) {
	keyed(byId('actions'), state.actions, (a) => a.tag,
		(a) => h('li', {}, h('span', { class: 'slot', title: `slot ${a.slot}, tag ${a.tag}` }),
			h('div', { class: 'who' }, h('b', { class: 'id' }), h('span', { class: 'dim small' })),
			h('div', { class: 'side' }, h('span', { class: 'time' }), h('span', { class: 'locks' })),
			h('button', { type: 'button', class: 'end', title: `End ${a.name}`, 'aria-label': `End ${a.name}`, text: '×', onclick: () => send('/v1/actions/cancel', { tag: a.tag }, a.name) })),
		(node, a) => {
			const [slot, who, side] = node.children;
			setText(slot, a.slot);
			setText(who.firstChild, a.name);
			setText(who.lastChild, a.owner ? `${a.status} · ${a.owner}` : a.status);
			setAttr(node, 'data-pending', String(a.status).startsWith('pending') ? 'yes' : 'no');
			setText(side.firstChild, seconds(a.for_s));
			setText(side.lastChild, a.tracks.join(' '));
		});
	setAttr(byId('actions'), 'data-empty', state.actions.length ? '' : 'nothing is running');
	const n = state.actions.length;
	setText(byId('actions-sum'), n ? `${n}` : 'idle');
}

// The part that an action on a track moves or lights; a robot without it shows no such track.
const PART_OF = { HEAD: 'head', LIFT: 'lift', BACKPACK: 'lights', FACE: 'display', BODY: 'motors', AUDIO: 'speaker' };

// newTracks returns the view of the track locks; the chosen one tells who holds it.
function newTracks() {
	let picked = '';
	let last = [];

	function draw() {
		keyed(byId('tracks'), last, (t) => t.name,
			(t) => h('li', {}, h('button', { type: 'button', class: 'track', text: t.name, onclick: () => pick(t.name) })),
			(node, t) => {
				const button = node.firstChild;
				setAttr(button, 'data-held', t.holders.length ? 'yes' : 'no');
				setAttr(button, 'aria-pressed', String(picked === t.name));
				setAttr(button, 'title', t.holders.length ? t.holders.join(', ') : 'free');
				setAttr(button, 'aria-label', `${t.name}, ${t.holders.length ? 'held' : 'free'}`);
			});
		const track = last.find((t) => t.name === picked);
		if (!track) setText(byId('track-info'), 'Choose a track to see who holds it.');
		else setText(byId('track-info'), track.holders.length ? `${track.name} is held by ${track.holders.join(', ')}.` : `${track.name} is free.`);
	}

	function pick(name) {
		picked = picked === name ? '' : name;
		draw();
	}
	return {
		update(state) {
			last = state.tracks.filter((t) => !lacks(state, PART_OF[t.name]));
			draw();
		},
	};
}

// newStack returns what draws the stack. A layer shows its behavior in the tree.
export function newStack(api) {
	return (state) => drawStack(state, (id) => api.select && api.select(id));
}

// newActions returns what draws actions and tracks.
export function newActions() {
	const tracks = newTracks();
	return (state) => {
		drawActions(state);
		tracks.update(state);
	};
}
