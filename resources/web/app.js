// The live page: one state in, the visible views drawn, at most once a frame.
import { send, toast } from './toast.js';
import { byId, setText } from './dom.js';
import { connect } from './link.js';
import { change, get, post } from './api.js';
import { newStore } from './store.js';
import { newTabs } from './tabs.js';
import { newCursorBar } from './cursor.js';
import { newHead } from './head.js';
import { newKeys } from './keys.js';
import { newActions, newStack } from './stack.js';
import { drawDevices } from './devices.js';
import { newLog } from './log.js';
import { newLatency } from './latency.js';
import { drawMind, drawMoodPanel } from './mind.js';
import { drawSettings } from './settings.js';
import { drawTroubles } from './troubles.js';
import { newControls } from './controls.js';
import { mountWorld } from './slots.js';
import { mountTree } from './tree/index.js';
import { mountTimeline } from './timeline.js';
import { mountPlots } from './plots.js';
import { newBudget } from './budget.js';
import { mountFiles } from './files.js';
import { wireActions } from './actions.js';

let asked = 0; // the frame that was asked for
let retryAt = 0;
let files = null;

const tabs = newTabs(byId('tabs'), (name) => {
	store.flush(); // before anything lays out the empty view
	writeHash();
	if (name === 'files' && files) files.show();
});
const store = newStore(() => { asked ||= requestAnimationFrame(frame); }, () => tabs.name);

function frame() {
	asked = 0;
	store.flush();
}

// What the views of other modules are given: the store, requests, and answers for people.
const api = { store, get, post, change, send, toast, showTab: (name) => tabs.show(name, true) };

const head = newHead();
const bar = newCursorBar(store);
store.subscribe(head.update);
store.subscribe(head.now, { now: true, keys: ['estop', 'stop', 'view'] });
store.subscribe(() => bar.update(), { keys: ['time_s'] });
store.subscribe(newStack(api), { tab: 'world', keys: ['stack'] });
store.subscribe(newActions(), { tab: 'world', keys: ['actions', 'tracks'] });
store.subscribe(drawMoodPanel, { tab: 'world', keys: ['mood'] });
store.subscribe(drawMind, { tab: 'mind' });
store.subscribe(drawSettings, { tab: 'mind', keys: ['settings'] });
store.subscribe(drawDevices, { keys: ['devices'] });
store.subscribe(drawTroubles, { tab: 'devices', keys: ['troubles'] });
store.subscribe(newLatency(), { tab: 'ticks', keys: ['latency', 'counters'] });
store.subscribe(newLog(api, bar), { tab: 'log', keys: ['log'] });
newControls(store);
wireActions();
mountWorld(byId('view-world'), api);
const tree = mountTree(byId('view-tree'), api, bar, () => writeHash());
api.select = (id) => {
	tree.select(id);
	tabs.show('tree', true);
};
files = mountFiles(api, () => tree.stale());
mountTimeline(byId('view-timeline'), api, bar);
mountPlots(byId('view-plots'), api, bar);
store.subscribe(newBudget(api, bar), { tab: 'ticks', keys: ['time_s'] });

// The address names the tab, the instant, and the behavior that the tree shows: #tab=tree&id=GreetFace&at=123.4
let known = location.hash; // was read, or written
function readHash() {
	known = location.hash;
	const wanted = new URLSearchParams(location.hash.slice(1));
	tabs.show(wanted.get('tab') || tabs.name || 'world');
	if (wanted.has('id')) tree.select(wanted.get('id'));
	if (wanted.has('at')) store.setCursor(Number(wanted.get('at')));
}

let hashTimer = 0;
function hash(cursor = store.cursor) {
	const at = cursor === null ? '' : `&at=${cursor.toFixed(2)}`;
	const id = tabs.name === 'tree' && tree.selected ? `&id=${encodeURIComponent(tree.selected)}` : '';
	return `#tab=${tabs.name}${id}${at}`;
}
// Browsers limit how often an address may change.
function writeHash() {
	hashTimer ||= setTimeout(() => {
		hashTimer = 0;
		if (location.hash !== known || known === hash()) return; // somebody asked for another one, and its event is on its way
		history.replaceState(null, '', hash());
		known = location.hash;
	}, 300);
}
addEventListener('hashchange', readHash);
store.onCursor(writeHash);
store.onCursor((at, problem) => { if (problem && !store.state) toast(false, problem); }); // the page is empty
readHash();

byId('link-here').addEventListener('click', async () => {
	const at = hash(store.cursor === null && store.live ? store.live.time_s : store.cursor);
	try {
		await navigator.clipboard.writeText(location.origin + location.pathname + at);
		toast(true, 'Copied a link to this instant.');
	} catch {
		toast(false, `The browser does not let this page write to the clipboard. The link is ${at}`);
	}
});

newKeys([
	[tabs.names.map((_, i) => String((i + 1) % 10)), 'show a tab', (key) => tabs.show(tabs.names[(Number(key) + 9) % 10], true)],
	[['l'], 'follow the robot, or hold this instant', () => bar.toggle()],
	[[',', '.'], 'one tick back or on', (key) => bar.stepTick(key === ',' ? -1 : 1)],
	[['[', ']'], 'ten seconds back or on', (key) => bar.step(key === '[' ? -10 : 10)],
	[['/'], 'search the behaviors', () => {
		tabs.show('tree');
		tree.search();
	}],
	[['S'], 'emergency stop', () => byId('estop').click()],
	[['?'], 'this list', null],
]);

const link = connect('/v1/events', {
	state: (state) => store.take(state),
	change: (keys) => store.change(keys),
	link(l) {
		retryAt = l.retryAt;
		head.link(l);
	},
});
byId('offline-retry').addEventListener('click', link.retry);
setInterval(() => {
	if (byId('offline').hidden) return;
	const left = Math.ceil((retryAt - performance.now()) / 1000);
	setText(byId('offline-wait'), retryAt && left > 0 ? `Trying again in ${left} s.` : 'Trying again …');
}, 250);
