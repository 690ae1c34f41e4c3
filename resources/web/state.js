// The link to robotd: states come in over Server-Sent Events, commands go out by POST.

const LISTS = ['stack', 'scope', 'behaviors', 'intents', 'stages', 'stats', 'actions', 'tracks', 'devices', 'log'];
const OBJECTS = ['run', 'intent', 'feature', 'mood', 'services', 'body', 'latency', 'counters', 'troubles'];
const SILENT_MS = 2500; // states come about ten times a second
const RETRY_MS = [500, 1000, 2000, 4000];

// normalize fills what a Go encoder leaves null, so that the views need no guards.
export function normalize(state) {
	for (const name of LISTS) state[name] ||= [];
	for (const name of OBJECTS) state[name] ||= {};
	state.body.pose ||= { x_mm: 0, y_mm: 0, heading_rad: 0 };
	state.body.lights ||= [];
	state.latency.history_us ||= [];
	for (const name of ['failures', 'slow_hooks', 'noted']) state.troubles[name] ||= [];
	state.mood.emotions ||= {};
	for (const name of ['vision', 'watchers', 'lights']) state.services[name] ||= [];
	for (const name of ['cube', 'trigger_word']) state.services[name] ||= {};
	state.services.cube.users ||= [];
	for (const a of state.actions) a.tracks ||= [];
	for (const t of state.tracks) t.holders ||= [];
	if (state.world) for (const name of ['table', 'cubes', 'obstacles', 'faces', 'cliffs']) state.world[name] ||= [];
	return state;
}

// connect opens the stream and keeps it open. onState gets each state; onLink gets {up, why, retryAt} on each change.
// It returns {retry} to try again without waiting.
export function connect(url, onState, onLink) {
	let source = null;
	let timer = 0;
	let failures = 0;
	let heardAt = 0;
	let up = null;

	const link = (next, why, retryAt) => {
		up = next;
		onLink({ up, why, retryAt });
	};

	function open() {
		clearTimeout(timer);
		if (source) source.close();
		heardAt = performance.now();
		source = new EventSource(url);
		source.onmessage = (event) => {
			heardAt = performance.now();
			let state;
			try {
				state = normalize(JSON.parse(event.data));
			} catch (err) {
				link(false, 'robotd sent a state that cannot be read: ' + err.message, 0);
				return;
			}
			failures = 0;
			if (up !== true) link(true, '', 0);
			onState(state);
		};
		source.onerror = () => lost('The connection to robotd broke.');
	}

	function lost(why) {
		source.close();
		source = null;
		const wait = RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)];
		link(false, why, performance.now() + wait);
		timer = setTimeout(open, wait);
	}

	setInterval(() => {
		if (source && performance.now() - heardAt > SILENT_MS) lost('robotd has gone silent.');
	}, 500);
	open();
	return { retry: open };
}

// post sends one command and resolves to {ok, text}. It never rejects.
export async function post(path, body) {
	try {
		const reply = await fetch(path, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify(body),
		});
		const raw = await reply.text();
		let parsed = {};
		try {
			parsed = JSON.parse(raw);
		} catch {
			return { ok: false, text: `${path}: ${reply.status} ${reply.statusText} ${raw.trim()}` };
		}
		if (reply.ok && parsed.ok) return { ok: true, text: parsed.text || 'done' };
		return { ok: false, text: parsed.error || `${path}: ${reply.status} ${reply.statusText}` };
	} catch (err) {
		return { ok: false, text: `${path}: no answer from robotd (${err.message})` };
	}
}
