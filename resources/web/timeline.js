// The timeline: what was on the stack, what the body did, what it showed and felt, and what went wrong, over time. It shows the memory
// of a running robot or a recording; the cursor of the page is drawn in it and moved by it.
import { byId, fixed, h, keyed, seconds, setAttr, setText } from './dom.js';
import { newTimelineDrawing } from './timeline-draw.js';
import { wireTimeline } from './timeline-hand.js';

const SPAN_S = 120; // at first
const LEAST_S = 2;
const PARTS = 200; // while it follows the robot, it is fetched anew when that part of the window has passed, but not more often than
const LEAST_MS = 1000;
const SETTLE_MS = 120; // after the last change of the window
const PLOTTED = /mood|happy|confident|social|stim|trust/i;
export const QUIET = new Set(['activated', 'deactivated', 'action', 'feature']); // events that the spans show
const LISTED = 80;
export const TONES = { failure: 'bad', lapse: 'bad', cycle: 'bad', stop: 'bad', fault: 'warn', slow: 'warn', restart: 'good', reinit: 'good', reset: 'good' };

function build(element) {
	const canvas = h('canvas', { id: 'timeline', tabindex: '0', role: 'slider', 'aria-label': 'Timeline: arrows move the cursor, plus and minus zoom, Home and End go to the ends', 'aria-valuemin': '0', 'aria-valuemax': '0', 'aria-valuenow': '0' });
	const button = (id, text, title, label) => h('button', { type: 'button', id, text, title, ...(label ? { 'aria-label': label } : {}) });
	element.replaceChildren(
		h('div', { class: 'panel p-timeline' },
			h('div', { class: 'tl-tools' }, h('p', { id: 'tl-here', class: 'tl-here' }),
				button('tl-out', '−', 'Zoom out', 'Zoom out'), button('tl-in', '+', 'Zoom in', 'Zoom in'), button('tl-all', 'All', 'Show everything'), button('tl-follow', 'Follow', 'Keep the newest in view')),
			h('div', { class: 'tl-box' }, canvas, h('p', { id: 'tl-note', class: 'tl-note' }), h('div', { id: 'tl-tip', class: 'tl-tip', hidden: '', 'aria-hidden': 'true' }))),
		h('section', { class: 'panel p-events', 'aria-labelledby': 'events-title' },
			h('h2', { id: 'events-title' }, 'What happened ', h('span', { id: 'events-sum', class: 'count' })),
			h('ul', { id: 'tl-events', class: 'tl-events', tabindex: '0', 'aria-labelledby': 'events-title' })));
	return canvas;
}

// mountTimeline puts the timeline into element.
export function mountTimeline(element, api, bar) {
	const { store } = api;
	const canvas = build(element);
	const view = { from: 0, to: SPAN_S, span: SPAN_S, follow: true }; // span is what the reader chose; a young life is shown whole
	const data = { timeline: null, series: null, from: 0, to: -1 };
	const drawing = newTimelineDrawing(canvas);
	let names = null;
	let fetchedAt = 0;
	let busy = false;
	let begun = false;
	let timer = 0;

	const visible = () => element.offsetParent !== null;
	const newest = () => (bar.span() || [0, store.live ? store.live.time_s : 0])[1];
	const oldest = () => (bar.span() || [0])[0];

	async function load() {
		if (busy || !bar.span()) return;
		busy = true;
		const pad = (view.to - view.from) / 2;
		const from = Math.max(oldest(), view.from - pad);
		const to = Math.max(from, view.follow ? newest() : Math.min(newest(), view.to + pad));
		const reply = await api.get('/v1/timeline', { from: fixed(from, 3), to: fixed(to, 3) });
		if (!names) {
			const list = await api.get('/v1/series');
			names = list.ok ? list.data.map((n) => n.name) : null;
		}
		if (reply.ok) {
			Object.assign(data, { timeline: reply.data, from, to });
			const wanted = (names || []).filter((n) => n === 'battery' || PLOTTED.test(n)).slice(0, 8);
			const series = wanted.length ? await api.get('/v1/series', { names: wanted.join(','), from: fixed(from, 3), to: fixed(to, 3), points: 600 }) : null;
			data.series = series && series.ok ? series.data.series : null;
		}
		fetchedAt = performance.now();
		busy = false;
		setText(byId('tl-note'), reply.ok ? '' : reply.text);
		draw();
		list();
	}

	// due fetches what the window shows and the data lacks; at once, or when the window has come to rest.
	function due() {
		if (!visible()) return;
		const span = view.to - view.from;
		const stale = view.follow && performance.now() - fetchedAt > Math.max(LEAST_MS, 1000 * span / PARTS);
		const outside = view.from < data.from && data.from > oldest() + 0.1 || view.to > data.to && !view.follow && data.to < newest() - 0.1;
		if (!stale && !outside) return;
		timer ||= setTimeout(() => { // it is not put off: a robot that lives draws more often than that
			timer = 0;
			load();
		}, stale ? 0 : SETTLE_MS);
	}

	function draw() {
		if (!visible()) return;
		const now = newest();
		if (!begun && bar.history) {
			begun = true;
			if (!bar.history.live) view.span = now - oldest(); // a recording is shown whole
		}
		if (view.follow) {
			view.to = now;
			view.from = Math.max(Math.min(oldest(), now - LEAST_S * 5), now - view.span);
		}
		canvas.dataset.drawn = drawing.draw(view, data, { now, live: !bar.history || bar.history.live, cursor: store.cursor });
		const at = store.cursor === null ? now : store.cursor;
		setAttr(canvas, 'aria-valuemin', fixed(oldest(), 1));
		setAttr(canvas, 'aria-valuemax', fixed(now, 1));
		setAttr(canvas, 'aria-valuenow', fixed(at, 1));
		setAttr(canvas, 'aria-valuetext', seconds(at));
		setAttr(byId('tl-follow'), 'aria-pressed', view.follow);
		const note = byId('tl-note');
		if (!bar.span()) setText(note, bar.empty);
		else if (note.textContent === bar.empty || note.textContent === 'Reading …') setText(note, '');
		due();
	}

	function list() {
		const events = data.timeline ? (data.timeline.events || []).filter((e) => !QUIET.has(e.kind) && e.at_s >= view.from && e.at_s <= view.to) : [];
		const shown = events.slice(-LISTED).reverse();
		keyed(byId('tl-events'), shown, (e) => `${e.at_s} ${e.kind} ${e.who} ${e.text}`, (e) => h('li', { 'data-tone': TONES[e.kind] || '' },
			h('button', { type: 'button', class: 'link when', text: seconds(e.at_s), onclick: () => goTo(e.at_s) }), h('span', { class: 'kind', text: e.kind }), h('span', { class: 'what' }, h('b', { text: e.who }), ` ${e.text}`)));
		setAttr(byId('tl-events'), 'data-empty', shown.length ? '' : 'nothing but its usual doings in this window');
		setText(byId('events-sum'), events.length > LISTED ? `the newest ${LISTED} of ${events.length}` : `${events.length} in this window`);
	}

	function here(state) {
		const parts = state.stack.map((e) => e.id);
		setText(byId('tl-here'), `${seconds(state.time_s)}  ${parts.join(' › ')}${state.actions.length ? `  ·  ${state.actions.map((a) => a.name).join(', ')}` : ''}`);
		setAttr(byId('tl-here'), 'title', byId('tl-here').textContent);
	}

	// goTo moves the cursor of the page; the window comes along if it must.
	function goTo(at) {
		const reach = bar.span();
		if (!reach) return;
		at = Math.max(reach[0], Math.min(reach[1], at));
		store.setCursor(at >= reach[1] - 0.05 && bar.history.live ? null : at);
		if (at < view.from || at > view.to) pan(at - (view.from + view.to) / 2);
	}

	// zoom makes the window k times as long around an instant.
	function zoom(k, around) {
		const whole = Math.max(LEAST_S, newest() - oldest());
		const span = Math.max(LEAST_S, Math.min(whole * 1.05, (view.to - view.from) * k));
		const share = (around - view.from) / (view.to - view.from);
		view.span = span;
		if (!view.follow) {
			view.from = around - share * span;
			view.to = view.from + span;
		}
		draw();
		list();
	}

	function pan(by) {
		const span = view.to - view.from;
		const last = newest();
		const to = Math.max(oldest() + span * 0.2, Math.min(last + span * 0.2, view.to + by));
		view.follow = to >= last && by > 0 && (!bar.history || bar.history.live);
		view.to = to;
		view.from = to - span;
		draw();
		list();
	}

	function all() {
		view.from = oldest();
		view.to = Math.max(view.from + LEAST_S, newest());
		view.span = view.to - view.from;
		view.follow = !bar.history || bar.history.live;
		draw();
		list();
	}

	byId('tl-in').addEventListener('click', () => zoom(0.5, middle()));
	byId('tl-out').addEventListener('click', () => zoom(2, middle()));
	byId('tl-all').addEventListener('click', all);
	byId('tl-follow').addEventListener('click', () => {
		view.follow = !view.follow;
		draw();
	});
	const middle = () => (store.cursor !== null && store.cursor > view.from && store.cursor < view.to ? store.cursor : (view.from + view.to) / 2);
	wireTimeline(canvas, byId('tl-tip'), { view, drawing, zoom, pan, goTo, all, ends: () => bar.span() || [0, 0], at: () => (store.cursor === null ? newest() : store.cursor) });
	new ResizeObserver(() => draw()).observe(canvas.parentElement);
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
		drawing.recolor();
		draw();
	});
	store.onCursor((at) => {
		if (at !== null && (at < view.from || at > view.to)) {
			view.follow = false;
			const span = view.to - view.from;
			view.from = at - span / 2;
			view.to = at + span / 2;
		}
		if (at === null && !view.follow && view.to < newest() - (view.to - view.from)) view.follow = true;
		draw();
	});
	store.subscribe((state) => {
		here(state);
		draw();
	}, { tab: 'timeline', keys: ['time_s'] });
	return { draw, load };
}
