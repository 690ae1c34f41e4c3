// The data store: the newest state of the robot, the instant that the page shows, and who wants to know.
//
// The cursor is the instant that the whole page shows: null follows the robot, a number is a robot time in seconds. Views never ask
// which of the two they draw; they are given the state to draw.
import { get } from './api.js';

const LISTS = ['stack', 'scope', 'behaviors', 'intents', 'stages', 'stats', 'actions', 'tracks', 'devices', 'log'];
const OBJECTS = ['run', 'intent', 'feature', 'settings', 'mood', 'services', 'body', 'latency', 'counters', 'troubles', 'stop'];
const FILL = {
	body: (v) => {
		v.pose ||= { x_mm: 0, y_mm: 0, heading_rad: 0 };
		v.lights ||= [];
	},
	latency: (v) => { v.history_us ||= []; },
	troubles: (v) => { for (const name of ['failures', 'slow_hooks', 'noted']) v[name] ||= []; },
	mood: (v) => { v.emotions ||= {}; },
	services: (v) => {
		for (const name of ['vision', 'watchers', 'lights']) v[name] ||= [];
		for (const name of ['cube', 'trigger_word']) v[name] ||= {};
		v.cube.users ||= [];
	},
	actions: (v) => { for (const a of v) a.tracks ||= []; },
	tracks: (v) => { for (const t of v) t.holders ||= []; },
	world: (v) => { for (const name of ['table', 'cubes', 'obstacles', 'faces', 'cliffs']) v[name] ||= []; },
};

// normalize fills what a Go encoder leaves null, so that the views need no guards.
function normalize(state) {
	for (const name of LISTS) state[name] ||= [];
	for (const name of OBJECTS) state[name] ||= {};
	for (const [name, fill] of Object.entries(FILL)) if (state[name]) fill(state[name]);
	return state;
}

// newStore returns the store. tabOf() is the visible tab; wake() asks for a frame in which flush is called.
export function newStore(wake, tabOf) {
	const readers = new Set();
	const cursorReaders = new Set();
	let live = null; // newest state of the robot
	let past = null; // state at the cursor, once it has come
	let cursor = null;
	let fetching = null; // an instant
	let problem = '';

	const shown = () => (cursor === null ? live : past);

	// mark notes that keys changed (null: all of them) for everyone who reads one of them, or only for those who read the newest state.
	function mark(keys, now = false) {
		for (const r of readers) {
			if (now && !r.now) continue;
			if (keys && r.keys && !r.keys.some((k) => keys.includes(k))) continue;
			r.stale = true;
		}
		wake();
	}

	async function fetchPast() {
		if (fetching !== null) return; // the newest wanted instant is taken up when this one has come
		while (cursor !== null && fetching !== cursor) {
			fetching = cursor;
			const reply = await get('/v1/state', { at: fetching.toFixed(3) });
			if (cursor === null) break;
			problem = reply.ok ? '' : reply.text;
			if (reply.ok) past = normalize(reply.data);
			mark(null);
			tellCursor();
		}
		fetching = null;
	}

	const tellCursor = () => { for (const fn of cursorReaders) fn(cursor, problem); };

	return {
		// state is what the page shows, live the robot's newest; both null before the first.
		get state() { return shown(); },
		get live() { return live; },
		get cursor() { return cursor; },
		// problem is why there is no state of the instant at the cursor.
		get problem() { return problem; },

		// subscribe calls fn(state, {live}) in the next frame after one of the keys changed (all keys without a list), but only while
		// the tab is visible if one is named. With now it is given the robot's newest state, wherever the cursor is. It returns a function
		// that ends this.
		subscribe(fn, { tab, keys, now = false } = {}) {
			const reader = { fn, tab, keys, now, stale: Boolean(now ? live : shown()) };
			readers.add(reader);
			if (reader.stale) wake();
			return () => readers.delete(reader);
		},

		// onCursor calls fn(seconds or null, problem) when the cursor moved or its state could not be had.
		onCursor(fn) {
			cursorReaders.add(fn);
			return () => cursorReaders.delete(fn);
		},

		// setCursor shows another instant; null follows the robot again.
		setCursor(at) {
			if (at !== null && !Number.isFinite(at)) return;
			if (at === cursor) return;
			cursor = at === null ? null : Math.max(0, at);
			problem = '';
			if (cursor === null) {
				past = null;
				mark(null);
			} else fetchPast();
			tellCursor();
		},

		// take replaces the newest state, change replaces some of its keys; a null value takes a key away.
		take(state) {
			live = normalize(state);
			mark(null, cursor !== null);
		},
		change(keys) {
			if (!live) return;
			live = { ...live, ...keys };
			for (const [name, value] of Object.entries(keys)) if (value === null) delete live[name];
			normalize(live);
			mark(Object.keys(keys), cursor !== null);
		},

		// flush calls every reader that is due.
		flush() {
			const tab = tabOf();
			for (const r of readers) {
				const state = r.now ? live : shown();
				if (!state || !r.stale || (r.tab && r.tab !== tab)) continue;
				r.stale = false;
				r.fn(state, { live: r.now || cursor === null });
			}
		},
		wake,
	};
}
