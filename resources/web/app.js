// The live page: one state in, all views drawn, at most once a frame.
import { byId, fixed, seconds, setAttr, setText } from './dom.js';
import { connect } from './state.js';
import { newWorld } from './world.js';
import { newStack } from './stack.js';
import { drawDevices, drawLog } from './devices.js';
import { newLatency } from './latency.js';
import { drawMind } from './mind.js';
import { drawTroubles } from './troubles.js';
import { newControls, placeRobot, runBehavior } from './controls.js';

const LOW_CHARGE = 0.2;

let state = null;
let fresh = false;
let retryAt = 0;
let drawnAt = 0;
let moving = false;

const world = newWorld(placeRobot);
const views = [newStack(runBehavior), { update: drawMind }, { update: drawDevices }, { update: drawTroubles }, newLatency(), newControls(() => state), { update: drawLog }, { update: drawTop }];

function pill(id, text, tone) {
	const el = byId(id);
	el.hidden = !text;
	setText(el, text);
	setAttr(el, 'data-tone', tone || '');
}

function drawTop(st) {
	const b = st.body;
	setText(byId('robot-name'), st.robot || 'robotd');
	setText(byId('robot-version'), st.version ? `robotd ${st.version}` : 'robotd');
	document.title = `${b.face === 'asleep' ? 'zzz ' : ''}${st.robot || 'robotd'} – robotd`;
	pill('pill-mode', st.simulated ? 'simulated' : 'real robot', st.simulated ? '' : 'warn');
	pill('pill-treads', b.treads === 'OnTreads' ? (b.charging ? 'charging' : b.on_charger ? 'on charger' : 'on treads') : b.treads, b.treads === 'OnTreads' ? (b.on_charger ? 'good' : '') : 'warn');
	const charge = Math.max(0, Math.min(1, b.charge || 0));
	byId('pill-battery').hidden = false;
	setAttr(byId('pill-battery'), 'data-tone', b.battery === 'Low' || charge < LOW_CHARGE ? 'bad' : b.charging ? 'good' : '');
	setAttr(byId('battery-fill'), 'width', fixed(17.5 * charge, 1));
	setText(byId('battery-text'), `${fixed(charge * 100, 0)} % · ${fixed(b.volts, 2)} V${b.charging ? ' · charging' : ''}`);
	setAttr(byId('pill-battery'), 'title', `battery ${b.battery || 'Unknown'}`);
	const { pending, active } = st.intent;
	pill('pill-intent', [active && `intent ${active}`, pending && `pending ${pending}`].filter(Boolean).join(' · '), active ? 'good' : 'warn');
	pill('pill-clock', `${seconds(st.time_s)} · tick ${st.tick}`);
	const { number, mind, line } = st.stop;
	byId('stopped').hidden = !st.estop;
	setText(byId('stopped-why'), mind && line ? 'Nothing moves until you resume.' : line ? 'The wheels are off, but the mind is not stopped.' : 'The mind is stopped, but the line of the motors is free.');
	setAttr(byId('resume'), 'data-stop', number); // a resume ends the stop that the page shows, not a later one
	setAttr(byId('estop'), 'aria-pressed', st.estop);
}

function frame(now) {
	const dt = Math.min(0.25, (now - drawnAt) / 1000);
	drawnAt = now;
	if (fresh) {
		fresh = false;
		moving = true;
		world.update(state);
		for (const view of views) view.update(state);
	}
	if (moving) moving = world.glide(dt);
	requestAnimationFrame(frame);
}

const link = connect('/v1/events', (next) => {
	state = next;
	fresh = true;
}, ({ up, why, retryAt: at }) => {
	retryAt = at;
	pill('pill-link', up ? 'live' : 'not connected', up ? 'good' : 'bad');
	document.body.classList.toggle('offline', !up);
	byId('offline').hidden = up;
	setText(byId('offline-why'), why + (state ? ' What you see below is old.' : ''));
});

byId('offline-retry').addEventListener('click', link.retry);
setInterval(() => {
	const left = Math.ceil((retryAt - performance.now()) / 1000);
	setText(byId('offline-wait'), retryAt && left > 0 ? `Trying again in ${left} s.` : 'Trying again …');
}, 250);
requestAnimationFrame(frame);
