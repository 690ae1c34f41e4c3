// The head of the page: the face, one sentence, what holds the robot back, and the state of the link.
import { byId, fixed, h, keyed, setAttr, setText } from './dom.js';
import { mountFace } from './world/face.js';
import { lacks } from './world/parts.js';

const LOW_CHARGE = 0.2;
const RANK = { error: 0, warn: 1, info: 2 };
const TONE = { error: 'bad', warn: 'warn', info: '' };
const SAFETY = { cliff: 'wheels held', motors: 'it cannot drive', imu: 'falls and lifts go unnoticed' };

function pill(id, text, tone, title) {
	const el = byId(id);
	el.hidden = !text;
	setText(el, text);
	setAttr(el, 'data-tone', tone || '');
	if (title !== undefined) setAttr(el, 'title', title);
}

// sentenceOf says what the robot does and why; an older recording has no sentence of its own.
function sentenceOf(state) {
	if (state.sentence && state.sentence.text) return state.sentence;
	const top = state.stack[state.stack.length - 1];
	if (!top) return { text: 'Nothing is on the stack', why: '' };
	return { text: top.state ? `${top.id}: ${top.state}` : top.id, why: state.stack.slice(0, -1).map((e) => e.id).join(' › ') };
}

// bannersOf lists what holds the robot back, the worst first: what the robot says itself, and every device that does not work.
function bannersOf(state) {
	const said = Array.isArray(state.banner) ? state.banner : [];
	const list = said.map((b) => ({ level: b.level in RANK ? b.level : 'warn', text: b.text }));
	const kit = Boolean(state.world?.robot?.lacks?.length); // what a kit never had is no trouble
	for (const d of state.devices) {
		if (d.quality !== 'failed' && (d.quality !== 'absent' || kit)) continue;
		if (said.some((b) => b.text.includes(d.name))) continue;
		const so = SAFETY[d.name];
		list.push({ level: so ? 'error' : 'warn', text: `${d.name} ${d.quality}${so ? `: ${so}` : ''}` });
	}
	return list.sort((a, b) => RANK[a.level] - RANK[b.level]);
}

// allWell is said unless anything else is.
function allWell() {
	byId('all-well').hidden = !['stopped', 'stop-unsure', 'offline'].every((id) => byId(id).hidden) || byId('held-back').children.length > 0;
}

// drawStop tells of an emergency stop: of the robot's own, whatever instant the page shows, for that is the one that Resume ends.
function drawStop(state) {
	const { number, mind, line } = state.stop;
	byId('stopped').hidden = !state.estop;
	setText(byId('stopped-why'), mind && line ? 'Nothing moves until you resume.' : line ? 'The wheels are off, but the mind is not stopped.' : 'The mind is stopped, but the line of the motors is free.');
	setAttr(byId('resume'), 'data-stop', number); // a resume ends the stop that the page shows, not a later one
	setAttr(byId('estop'), 'aria-pressed', state.estop);
	allWell();
}

function drawBanners(state) {
	const list = bannersOf(state).filter((b) => !(state.estop && /emergency stop/i.test(b.text)));
	keyed(byId('held-back'), list, (b) => b.text, (b) => h('li', { class: 'held', text: b.text, title: b.text }), (node, b) => setAttr(node, 'data-tone', TONE[b.level]));
	allWell();
}

function drawPills(st) {
	const b = st.body;
	const where = b.treads === 'OnTreads' ? (b.charging ? 'charging' : b.on_charger ? 'on charger' : 'on treads') : b.treads;
	pill('pill-mode', st.view ? 'recording' : st.simulated ? 'simulated' : 'real robot', st.simulated && !st.view ? '' : 'warn');
	pill('pill-treads', where, b.treads === 'OnTreads' ? (b.on_charger ? 'good' : '') : 'warn');
	const { pending, active } = st.intent;
	pill('pill-intent', [active && `intent ${active}`, pending && `pending ${pending}`].filter(Boolean).join(' · '), active ? 'good' : 'warn');
	const charge = Math.max(0, Math.min(1, b.charge || 0));
	byId('pill-battery').hidden = lacks(st, 'battery');
	setAttr(byId('pill-battery'), 'data-tone', b.battery === 'Low' || charge < LOW_CHARGE ? 'bad' : b.charging ? 'good' : '');
	setAttr(byId('battery-fill'), 'width', fixed(17.5 * charge, 1));
	setText(byId('battery-text'), `${fixed(charge * 100, 0)} %`);
	setAttr(byId('pill-battery'), 'title', `battery ${b.battery || 'Unknown'}, ${fixed(b.volts, 2)} V`);
}

// newHead returns {update(state), now(state), link({up, why})}; now is given the robot's newest state.
export function newHead() {
	const face = mountFace(byId('face'));
	let linked = false;
	let past = false;
	let viewing = false; // a recording
	const drawLink = () => (linked ? pill('pill-link', past ? 'past' : viewing ? 'end' : 'live', past ? 'warn' : viewing ? '' : 'good') : pill('pill-link', 'offline', 'bad'));
	return {
		update(state, { live }) {
			if (past === live || viewing !== Boolean(state.view)) {
				[past, viewing] = [!live, Boolean(state.view)];
				drawLink();
			}
			byId('face').hidden = lacks(state, 'display');
			if (!byId('face').hidden) face.render(state);
			const sentence = sentenceOf(state);
			setText(byId('sentence'), sentence.text);
			setAttr(byId('sentence'), 'title', sentence.text);
			setText(byId('sentence-why'), sentence.why || '');
			setAttr(byId('sentence-why'), 'title', sentence.why || '');
			setText(byId('robot-name'), state.robot || 'robotd');
			setText(byId('robot-version'), `robotd ${state.version || ''}`);
			const title = `${state.body.face === 'asleep' ? 'zzz ' : ''}${state.robot || 'robotd'} – robotd`;
			if (document.title !== title) document.title = title;
			drawPills(state);
			drawBanners(state);
			if (viewing) drawStop(state);
			document.body.classList.toggle('viewing', viewing);
			for (const id of ['tab-files', 'tab-tools']) byId(id).hidden = viewing; // a recording takes no commands, and its files stay
		},
		now(state) {
			if (!state.view) drawStop(state);
		},
		link({ up, why }) {
			linked = up;
			drawLink();
			document.body.classList.toggle('offline', !up);
			byId('offline').hidden = up;
			setText(byId('offline-why'), why);
			if (!up) byId('all-well').hidden = true; // until the next state
		},
	};
}
