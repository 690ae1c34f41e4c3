// Plots of any number that the robot's memory or a recording has, drawn by uPlot.
import uPlot from './vendor/uplot/uPlot.esm.js';
import { byId, fixed, h, keyed, seconds, setAttr, setText } from './dom.js';
import { read, write } from './kept.js';

const KEEP = 'robotd-plots';
const FIRST = ['battery', 'range', 'wheel_left,wheel_right', 'tick'];
const MOST = 8;
const LOOK_MS = 1000;
const POINTS = 600;
const TOLD_S = 3; // the time of a tick is told once a second, and with the next look
const WINDOWS = [[30, '30 s'], [120, '2 min'], [600, '10 min'], [3600, '1 hour']];
const HUES = ['--accent', '--warn', '--good', '--bad', '--dim'];

const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function build(element) {
	element.replaceChildren(
		h('div', { class: 'panel plots-head' },
			h('label', { class: 'inline', for: 'plot-add' }, 'Add ', h('select', { id: 'plot-add' })),
			h('label', { class: 'inline' }, 'window ', h('select', { id: 'plot-window' }, ...WINDOWS.map(([s, text]) => h('option', { value: s, text })))),
			h('p', { id: 'plot-note', class: 'dim small', role: 'status' })),
		h('ul', { id: 'plots', class: 'plots', 'aria-label': 'Plots' }));
}

// wanted are the plots that the reader chose, each with names that share it.
function wanted() {
	try {
		const kept = JSON.parse(read(KEEP));
		if (Array.isArray(kept) && kept.length && kept.every((n) => typeof n === 'string')) return kept;
	} catch {
		write(KEEP, null);
	}
	return null;
}

// broken returns the times and values of a number, with a hole where it had none for longer than a span of time.
function broken(series, longest) {
	const t = [];
	const v = [];
	series.t.forEach((at, i) => {
		if (i && at - series.t[i - 1] > longest) {
			t.push(series.t[i - 1] + longest / 2);
			v.push(null);
		}
		t.push(at);
		v.push(series.last[i]);
	});
	return [t, v];
}

// mountPlots puts the plots into element.
export function mountPlots(element, api, bar) {
	const { store } = api;
	build(element);
	const plots = new Map(); // by their names
	let known = null; // name -> {unit, doc}
	let chosen = wanted();
	let busy = false;
	let lookedAt = 0;
	const visible = () => element.offsetParent !== null;

	function keep() {
		write(KEEP, JSON.stringify(chosen));
		layout();
		lookedAt = 0;
		look();
	}

	function chart(box, names, data) {
		const axis = { stroke: () => color('--dim'), grid: { stroke: () => color('--line'), width: 1 }, ticks: { show: false }, font: '11px system-ui, sans-serif' };
		return new uPlot({
			width: Math.max(100, box.clientWidth), height: Math.max(80, box.clientHeight),
			legend: { show: false }, cursor: { y: false, sync: { key: 'robotd' }, drag: { x: false, y: false } },
			scales: { x: { time: false } },
			axes: [{ ...axis, size: 26, values: (_, ticks, index, space, step) => ticks.map((t) => seconds(t, step % 1 ? 1 : 0)) }, { ...axis, size: 52 }],
			series: [{}, ...names.map((name, i) => ({ label: name, stroke: () => color(HUES[i % HUES.length]), width: 1.5, points: { show: false }, spanGaps: false }))],
			hooks: { draw: [cursorLine] },
		}, data, box);
	}

	function cursorLine(u) {
		if (store.cursor === null) return;
		const x = u.valToPos(store.cursor, 'x', true);
		if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) return;
		u.ctx.save();
		u.ctx.strokeStyle = color('--accent');
		u.ctx.lineWidth = 2 * devicePixelRatio;
		u.ctx.beginPath();
		u.ctx.moveTo(x, u.bbox.top);
		u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
		u.ctx.stroke();
		u.ctx.restore();
	}

	function layout() {
		keyed(byId('plots'), chosen, (n) => n, (names) => {
			const close = h('button', { type: 'button', class: 'step', text: '×', 'aria-label': `Remove the plot of ${names}`, onclick: () => { chosen = chosen.filter((n) => n !== names); keep(); } });
			const box = h('div', { class: 'plot-box', role: 'img', 'aria-label': `${names.replaceAll(',', ', ')}: no value yet` });
			const item = h('li', { class: 'panel plot' }, h('div', { class: 'plot-top' }, h('h2', {}, ...names.split(',').map((n, i) => h('span', { class: `hue-${i % HUES.length}`, text: n })), h('span', { class: 'count' })), close), box);
			box.addEventListener('click', () => {
				const at = plots.get(names)?.u?.posToVal(plots.get(names).u.cursor.left, 'x');
				if (Number.isFinite(at)) store.setCursor(at);
			});
			plots.set(names, { box, item, sum: item.querySelector('.count'), u: null });
			return item;
		});
		for (const [names, p] of plots) {
			if (chosen.includes(names)) continue;
			if (p.u) p.u.destroy();
			plots.delete(names);
		}
		const left = [...(known || new Map()).keys()].filter((n) => !chosen.some((c) => c.split(',').includes(n)));
		keyed(byId('plot-add'), ['', ...left], (n) => n, (n) => h('option', { value: n, text: n ? `${n}${known.get(n).unit ? ` (${known.get(n).unit})` : ''}` : 'a number …' }));
		byId('plot-add').value = '';
		setAttr(byId('plots'), 'data-empty', chosen.length ? '' : 'choose a number above');
	}

	async function learn() {
		const reply = await api.get('/v1/series');
		setText(byId('plot-note'), reply.ok ? '' : reply.text);
		if (!reply.ok) return false;
		known = new Map(reply.data.map((n) => [n.name, n]));
		const has = (c) => c.split(',').every((n) => known.has(n));
		chosen = (chosen || FIRST).filter(has);
		if (!chosen.length) chosen = [...known.keys()].slice(0, 4);
		layout();
		return true;
	}

	// look fetches all plotted numbers in one request and draws them.
	async function look() {
		if (busy || !visible()) return;
		if (!bar.span()) {
			setAttr(byId('plots'), 'data-empty', bar.empty);
			return;
		}
		if (performance.now() - lookedAt < LOOK_MS) return;
		busy = true;
		lookedAt = performance.now();
		if (known || await learn()) {
			const span = Number(byId('plot-window').value);
			const [first, newest] = bar.span();
			const to = store.cursor === null ? newest : Math.min(newest, Math.max(store.cursor + span / 2, first + span));
			const from = Math.max(first, to - span);
			const names = chosen.flatMap((c) => c.split(','));
			const reply = names.length ? await api.get('/v1/series', { names: names.join(','), from: fixed(from, 3), to: fixed(to, 3), points: POINTS }) : { ok: true, data: { series: {} } };
			setText(byId('plot-note'), reply.ok ? '' : reply.text);
			if (reply.ok) for (const [key, p] of plots) draw(key.split(','), p, reply.data.series, from, to);
		}
		busy = false;
	}

	function draw(names, p, series, from, to) {
		const have = names.map((n) => series[n] || { t: [], last: [], unit: '' });
		const period = store.live && store.live.period_ms ? store.live.period_ms / 1000 : 0.06;
		const longest = 2.5 * Math.max((to - from) / POINTS, period); // the time of a tick does not hold until the next one
		const data = uPlot.join(have.map((s) => broken(s, longest)));
		if (!p.u) p.u = chart(p.box, names, data);
		else p.u.setData(data, false);
		p.u.setScale('x', { min: from, max: to });
		const text = have.map((s) => {
			let n = s.t.length - 1;
			while (store.cursor !== null && n > 0 && s.t[n] > store.cursor) n--;
			const old = s.t.length && (store.cursor === null ? to : store.cursor) - s.t[n] > longest + TOLD_S; // it has none at that instant
			return s.t.length && !old ? fixed(s.last[n], Math.abs(s.last[n]) < 10 ? 2 : 0) : 'no value';
		}).map((value, i) => (value === 'no value' || have[i].unit === have[i + 1]?.unit ? value : `${value} ${have[i].unit}`)).join(', ');
		setText(p.sum, text);
		setAttr(p.box, 'aria-label', `${names.join(', ')}: ${text}`);
	}

	byId('plot-window').value = '120';
	byId('plot-window').addEventListener('change', () => { lookedAt = 0; look(); });
	byId('plot-add').addEventListener('change', () => {
		const name = byId('plot-add').value;
		if (!name) return;
		chosen = [...chosen, name].slice(-MOST);
		keep();
	});
	new ResizeObserver(() => {
		for (const p of plots.values()) if (p.u && p.box.clientWidth) p.u.setSize({ width: p.box.clientWidth, height: p.box.clientHeight });
	}).observe(byId('plots'));
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { for (const p of plots.values()) if (p.u) p.u.redraw(); });
	store.subscribe(look, { tab: 'plots', keys: ['time_s'] });
	store.onCursor(() => {
		lookedAt = 0;
		look();
		for (const p of plots.values()) if (p.u) p.u.redraw(false);
	});
	setAttr(byId('plots'), 'data-empty', bar.history ? '' : bar.empty);
}
