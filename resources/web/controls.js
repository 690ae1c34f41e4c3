// Everything the user can ask for, and the answers.
import { post } from './api.js';
import { byId, h, keyed, setAttr, setText } from './dom.js';
import { send, toast } from './toast.js';

// What the simulated robot can break, besides its devices, and how (hardware/sim).
const PARTS = ['bus', 'enable', 'encoders', 'feedback', 'heartbeat', 'sense'];
const KINDS = ['nack', 'absent', 'brownout', 'frozen', 'garbage', 'slow', 'stuck', 'unplug', 'wrong-id'];
const OTHER = 'other…';
export const runBehavior = (id, times = 1) => send('/v1/run-behavior', { id, times }, id);

function secondsOf(input) {
	const v = Number(input.value);
	return Number.isFinite(v) && v > 0 ? v : 1;
}

// intentData reads the optional JSON; undefined means none, null means it was wrong and said so.
function intentData() {
	const field = byId('intent-data');
	const text = field.value.trim();
	field.setAttribute('aria-invalid', 'false');
	if (!text) return undefined;
	try {
		const data = JSON.parse(text);
		if (data && typeof data === 'object' && !Array.isArray(data)) return data;
		throw new Error('an object is expected');
	} catch (err) {
		field.setAttribute('aria-invalid', 'true');
		toast(false, `Intent data: ${err.message}`);
		return null;
	}
}

function sendIntent(name) {
	const data = intentData();
	if (data !== null) send('/v1/intent', data === undefined ? { name } : { name, data }, name);
}

function wireActs(current) {
	byId('act-lift').addEventListener('click', () => {
		const held = current() && current().world && current().world.robot.held;
		const act = held ? 'putdown' : 'pickup';
		send('/v1/world', { act }, held ? 'put down' : 'pick up');
	});
	for (const button of document.querySelectorAll('[data-act]')) {
		button.addEventListener('click', () => {
			const body = { act: button.dataset.act };
			if ('timed' in button.dataset) body.seconds = secondsOf(byId('act-seconds'));
			if ('named' in button.dataset && byId('act-name').value.trim()) body.name = byId('act-name').value.trim();
			send('/v1/world', body, button.textContent);
		});
	}
}

function wireFaults() {
	byId('heal').addEventListener('click', () => send('/v1/faults/clear', {}, 'heal'));
	const kind = byId('fault-kind');
	kind.append(...[...KINDS, OTHER].map((k) => h('option', { text: k, value: k })));
	const other = h('input', { type: 'text', 'aria-label': 'Other kind of fault', placeholder: 'kind', autocomplete: 'off' });
	other.hidden = true;
	kind.after(other);
	kind.addEventListener('change', () => {
		other.hidden = kind.value !== OTHER;
		if (!other.hidden) other.focus();
	});
	byId('fault-form').addEventListener('submit', (event) => {
		event.preventDefault();
		const name = kind.value === OTHER ? other.value.trim() : kind.value;
		const device = byId('fault-device').value;
		send('/v1/fault', { device, kind: name, seconds: secondsOf(byId('fault-seconds')) }, `${device} ${name}`);
	});
}

// timesOf reads how often; 0, which the field offers between -1 and 1, is once for the daemon.
function timesOf(input) {
	const v = Number(input.value);
	return Number.isInteger(v) ? v : 1;
}

// again says how often a behavior of the operator still runs.
const again = (n) => (n < 0 ? 'again and again' : n ? `and ${n} more` : 'for the last time');

// wireLife wires stage, self test and checks; it returns what draws them. The stage in the field is the robot's until somebody
// picks another one.
function wireLife(current) {
	const stage = byId('stage');
	let shown = '';
	byId('stage-form').addEventListener('submit', (event) => {
		event.preventDefault();
		shown = '';
		send('/v1/stage', { stage: stage.value }, 'stage');
	});
	byId('self-test').addEventListener('click', () => send('/v1/selftest', { on: !(current() && current().self_test) }, 'self test'));
	byId('checks').addEventListener('click', () => send('/v1/checks', { on: !(current() && current().checks) }, 'checks'));
	return (state) => {
		keyed(stage, state.stages, (name) => name, (name) => h('option', { value: name, text: name }));
		if (shown !== state.stage && document.activeElement !== stage) stage.value = shown = state.stage;
		setAttr(byId('self-test'), 'aria-pressed', Boolean(state.self_test));
		setAttr(byId('checks'), 'aria-pressed', Boolean(state.checks));
		setText(byId('run-note'), state.run.id ? `Runs ${state.run.id} ${again(state.run.again)}.` : '-1 runs it again and again.');
	};
}

const STOP_MS = 1500; // without an answer in this time nobody knows whether the robot has stopped
const STOP_AGAIN_MS = 500;

// stop asks for the emergency stop until robotd has answered. Until then the page says that it does not know: the link may be gone.
async function stop() {
	const button = byId('estop');
	const unsure = byId('stop-unsure');
	if (button.dataset.asks) return;
	button.dataset.asks = 'yes';
	setText(button, 'STOPPING');
	for (;;) {
		const answer = await post('/v1/estop', {}, STOP_MS);
		unsure.hidden = answer.ok || Boolean(answer.status);
		if (answer.ok || answer.status) {
			toast(answer.ok, answer.ok ? `emergency stop: ${answer.text}` : answer.text);
			break;
		}
		await new Promise((done) => { setTimeout(done, STOP_AGAIN_MS); });
	}
	setText(button, 'E-STOP');
	delete button.dataset.asks;
}

// wireCommands wires what is sent by one button.
function wireCommands() {
	byId('estop').addEventListener('click', stop);
	byId('resume').addEventListener('click', (event) => send('/v1/resume', { stop: Number(event.currentTarget.dataset.stop) }, 'resume'));
	byId('cancel').addEventListener('click', () => send('/v1/cancel', {}, 'cancel'));
	byId('run-form').addEventListener('submit', (event) => {
		event.preventDefault();
		runBehavior(byId('run-id').value.trim(), timesOf(byId('run-times')));
	});
}

const option = (name) => h('option', { value: name, text: name });

// drawBroken lists the injected faults of each device.
function drawBroken(state) {
	const broken = state.devices.filter((d) => d.fault);
	keyed(byId('broken'), broken, (d) => d.name, (d) => h('li', {}, h('b', { text: d.name }), h('span', { class: 'fault' })), (node, d) => setText(node.lastChild, d.fault));
	setAttr(byId('broken'), 'data-empty', broken.length ? '' : 'no device is broken by hand');
	byId('heal').disabled = !state.simulated;
}

// newControls wires every control and returns what draws them.
export function newControls(store) {
	const current = () => store.live;
	wireActs(current);
	wireFaults();
	wireCommands();
	const drawLife = wireLife(current);
	const drawIntents = (state) => {
		const text = byId('intent-filter').value.trim().toLowerCase();
		const shown = state.intents.filter((name) => name.toLowerCase().includes(text));
		keyed(byId('intents'), shown, (name) => name, (name) => h('button', { type: 'button', class: 'intent', text: name.replaceAll('_', ' '), title: name, onclick: () => sendIntent(name) }),
			(node, name) => setAttr(node, 'data-state', name === state.intent.active ? 'active' : name === state.intent.pending ? 'pending' : ''));
		setAttr(byId('intents'), 'data-empty', shown.length ? '' : 'no intent matches');
	};
	byId('intent-filter').addEventListener('input', () => current() && drawIntents(current()));

	store.subscribe((state) => {
		byId('acts').hidden = !state.world;
		const takes = state.parts?.acts;
		for (const button of document.querySelectorAll('[data-act]')) button.hidden = Boolean(takes) && !takes.includes(button.dataset.act);
		const held = Boolean(state.world && state.world.robot.held);
		setText(byId('act-lift'), held ? 'Put down' : 'Pick up');
		setAttr(byId('act-lift'), 'data-on', held ? 'yes' : 'no');
	}, { tab: 'world', keys: ['world', 'parts'] });
	store.subscribe((state) => {
		keyed(byId('behavior-ids'), state.behaviors, (id) => id, option);
		keyed(byId('fault-device'), state.parts?.breaks || [...state.devices.map((d) => d.name), ...PARTS], (name) => name, option);
		for (const el of byId('fault-form').elements) el.disabled = !state.simulated;
		byId('fault-note').hidden = state.simulated;
		drawIntents(state);
		drawLife(state);
		drawBroken(state);
	}, { tab: 'tools', keys: ['behaviors', 'devices', 'parts', 'intents', 'intent', 'stage', 'stages', 'self_test', 'checks', 'run'] });
}
