// What moves the robot: mood, the purpose of what it does, and what behaviors hold of its body.
import { byId, deg, fixed, h, keyed, s, seconds, setAttr, setText, wrap } from './dom.js';

const HALF = 50; // of a meter, in its own units

function meter(name) {
	const bar = s('svg', { class: 'meter', viewBox: `0 0 ${2 * HALF} 8`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
		s('rect', { class: 'trough', width: 2 * HALF, height: 8 }), s('rect', { class: 'fill', height: 8 }), s('path', { class: 'zero', d: `M${HALF} 0V8` }));
	return h('div', { role: 'meter', 'aria-label': name, 'aria-valuemin': '-1', 'aria-valuemax': '1' }, h('span', { class: 'dim', text: name }), bar, h('span', { class: 'num' }));
}

// drawMood draws one bar for each emotion, to the right of the middle if it is positive.
function drawMood(mood) {
	const names = Object.keys(mood.emotions).sort();
	keyed(byId('mood'), names, (name) => name, meter, (node, name) => {
		const v = Math.max(-1, Math.min(1, mood.emotions[name]));
		const [, bar, text] = node.children;
		const fill = bar.children[1];
		setAttr(fill, 'x', fixed(v < 0 ? HALF + v * HALF : HALF, 1));
		setAttr(fill, 'width', fixed(Math.abs(v) * HALF, 1));
		setAttr(node, 'data-tone', v < 0 ? 'bad' : 'good');
		setAttr(node, 'aria-valuenow', fixed(v, 2));
		setText(text, (v < 0 ? '\u2212' : '+') + fixed(Math.abs(v), 2));
	});
	setText(byId('mind-sum'), mood.simple || '');
	setAttr(byId('mind-sum'), 'data-tone', mood.simple === 'Frustrated' ? 'warn' : '');
}

// pairs fills a list with rows [label, value, tone?]; what does not fit is cut, and told in full by the title.
function pairs(dl, rows) {
	keyed(dl, rows, (r) => r[0], (r) => h('div', {}, h('dt', { text: r[0] }), h('dd')), (node, [, value, tone]) => {
		setText(node.lastChild, value);
		setAttr(node, 'title', value);
		setAttr(node, 'data-tone', tone || '');
	});
}

// byHand lists what people set for good: features that differ from the files by intent, and reactions to conditions.
function byHand(set) {
	const gates = (set.features || []).filter((f) => f.override !== 'Default').map((f) => `${f.name} ${f.enabled ? 'on' : 'off'}`);
	return [...gates, ...(set.reactions || []).filter((r) => r.behavior).map((r) => `${r.condition}: ${r.behavior}`)].join(', ');
}

function drawPurpose(state) {
	const f = state.feature;
	const some = f.name && f.name !== 'NoFeature';
	pairs(byId('purpose'), [
		['feature', some ? f.name : 'none', some ? 'good' : ''],
		['since', some ? `${seconds(f.active_s || 0)}${f.source ? `, from ${f.source}` : ''}` : '–'],
		['stage', state.stage || '–'],
		['boot', state.boot || '–'],
		['mode', [state.self_test && 'self test', !state.checks && 'checks off'].filter(Boolean).join(', ') || 'as usual', state.checks && !state.self_test ? '' : 'warn'],
		['by hand', byHand(state.settings) || 'nothing', byHand(state.settings) ? 'warn' : ''],
	]);
}

// word says how the robot listens for its trigger word.
function word(w) {
	if (w.disabled_by) return [`deaf: ${w.disabled_by}`, 'warn'];
	if (w.pending) return ['heard', 'good'];
	if (w.response) return [`answers: ${w.response.get_in || w.response.sound || w.response.effect}`, ''];
	return ['listens', ''];
}

function drawServices(v) {
	const looks = v.vision.filter((m) => m.frequency !== 'Never').map((m) => `${m.mode} ${m.frequency}`.toLowerCase());
	const cube = v.cube.connected ? `${v.cube.state}, connected` : v.cube.state || 'idle';
	const lights = v.lights.map((l) => `${l.object} by ${l.by}`);
	pairs(byId('services'), [
		['looks for', looks.join(', ') || 'nothing'],
		['trigger', ...word(v.trigger_word)],
		['cube', v.cube.users.length ? `${cube}: ${v.cube.users.join(', ')}` : cube, v.cube.connected ? 'good' : ''],
		['power', v.power_save ? 'saved' : 'normal', v.power_save ? 'warn' : ''],
		['lights', lights.join(', ') || 'normal', lights.length ? 'good' : ''],
	]);
}

// place writes a pose the way people read it.
const place = (p) => `${fixed(p.x_mm, 0)}, ${fixed(p.y_mm, 0)} mm, ${fixed(deg(wrap(p.heading_rad || 0)), 0)}\u00b0`;

// drawBelief sets what the robot believes beside what is so; the truth is known only of a simulated robot.
function drawBelief(state) {
	const b = state.body;
	const truth = state.world && state.world.robot;
	pairs(byId('belief'), [
		['believed, from its start', place(b.pose)],
		['truth, on the table', truth ? place(truth) : 'not known of a real robot'],
		['treads', b.treads || '\u2013', b.treads === 'OnTreads' ? '' : 'warn'],
		['head', `${fixed(deg(b.head_rad || 0), 0)}\u00b0`],
		['lift', `${fixed(b.lift_mm, 0)} mm`],
		['back', b.touched ? 'touched' : 'not touched', b.touched ? 'good' : ''],
		['battery', `${b.battery || 'Unknown'}, ${fixed(b.volts, 2)} V, ${fixed(100 * (b.charge || 0), 0)} %${b.charging ? ', charging' : ''}`, b.battery === 'Low' ? 'bad' : ''],
	]);
}

// drawMoodPanel draws the mood.
export function drawMoodPanel(state) {
	drawMood(state.mood);
}

// drawMind draws what the robot is about, what it holds, and where it is.
export function drawMind(state) {
	drawPurpose(state);
	drawServices(state.services);
	drawBelief(state);
	pairs(byId('stats'), state.stats.map((n) => [n.name, n.count]));
}
