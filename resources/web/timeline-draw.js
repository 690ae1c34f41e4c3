// What the timeline looks like: lanes on a canvas. Spans narrower than a pixel are drawn as one.
import { fixed, seconds } from './dom.js';
import { QUIET, TONES } from './timeline.js';

const ROW = 20;
const AXIS = 22;
const MARKS = 22;
const PLOT = 62;
const GAP = 9;
const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];
const TINTS = 6;
const EMPTY = [];

function tintOf(name) {
	let n = 7;
	for (let i = 0; i < name.length; i++) n = (n * 31 + name.charCodeAt(i)) >>> 0;
	return n % TINTS;
}

// lanesOf lists the lanes from the top: what stands in each, and how tall it is.
function lanesOf(t, series) {
	const depth = Math.max(2, ...t.layers.map((l) => l.depth));
	const slots = [...new Set(t.actions.map((a) => a.slot))].sort((a, b) => a - b).slice(0, 6);
	const lanes = [{ kind: 'events', name: 'events', height: MARKS }];
	for (let d = depth; d >= 0; d--) lanes.push({ kind: 'spans', name: d === depth ? 'stack' : '', height: ROW, spans: t.layers.filter((l) => l.depth === d), text: (l) => l.id, gap: d === 0 });
	slots.forEach((slot, i) => lanes.push({ kind: 'spans', name: i ? '' : 'actions', height: ROW, spans: t.actions.filter((a) => a.slot === slot), text: (a) => a.name, gap: i === slots.length - 1 }));
	lanes.push({ kind: 'spans', name: 'face', height: ROW, spans: t.face, text: (f) => f.value, gap: !t.intents.length });
	if (t.intents.length) lanes.push({ kind: 'spans', name: 'intents', height: ROW, spans: t.intents, text: (v) => (v.state === 'pending' ? `${v.value}?` : v.value), gap: true });
	const names = Object.keys(series || {});
	const mood = names.filter((n) => n !== 'battery');
	if (mood.length) lanes.push({ kind: 'plot', name: 'mood', height: PLOT, lines: mood.map((n) => ({ name: n.replace(/^mood[._/]/, ''), ...series[n] })), least: -1, most: 1, gap: true });
	if (names.includes('battery')) lanes.push({ kind: 'plot', name: 'battery', height: PLOT * 0.7, lines: [{ name: '', ...series.battery }], gap: true });
	return lanes;
}

const after = (lane) => (lane.gap || lane.kind === 'events' ? GAP : 2);

// stand gives each lane its place. Lanes grow a little where there is room; the height they need is returned.
function stand(lanes, room) {
	const least = lanes.reduce((sum, l) => sum + l.height + after(l), AXIS);
	const grow = Math.max(1, Math.min(1.6, (room - AXIS) / (least - AXIS)));
	let y = AXIS;
	for (const lane of lanes) {
		lane.y = Math.round(y);
		lane.tall = Math.round(lane.height * grow);
		y += lane.tall + after(lane) * grow;
	}
	return least;
}

// newTimelineDrawing returns {draw(view, data, {now, live, cursor}), which returns the number of spans that it drew, at(x, y), timeOf(x), recolor()}.
export function newTimelineDrawing(canvas) {
	const g = canvas.getContext('2d');
	let colors = null;
	let lanes = EMPTY;
	let laid = null; // what the lanes were made of
	let size = { w: 0, h: 0, left: 70 };
	let scale = { from: 0, k: 1 };
	let last = { now: 0, live: true };

	function recolor() {
		const style = getComputedStyle(document.documentElement);
		const v = (name) => style.getPropertyValue(`--${name}`).trim();
		colors = { ink: v('ink'), dim: v('dim'), line: v('line'), sunken: v('sunken'), panel: v('panel'), accent: v('accent'), good: v('good'), warn: v('warn'), bad: v('bad'), accentInk: v('accent-ink'), tints: Array.from({ length: TINTS }, (_, i) => v(`tint-${i}`)), font: style.getPropertyValue('font-family') || 'system-ui' };
	}

	function measure(height) {
		const w = canvas.parentElement.clientWidth;
		const box = canvas.parentElement.clientHeight;
		const h = Math.max(height, box);
		const ratio = devicePixelRatio || 1;
		if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
			canvas.width = Math.round(w * ratio);
			canvas.height = Math.round(h * ratio);
			canvas.style.width = `${w}px`;
			canvas.style.height = `${h}px`;
		}
		g.setTransform(ratio, 0, 0, ratio, 0, 0);
		size = { w, h, left: w < 600 ? 54 : 70 };
	}

	const x = (t) => size.left + (t - scale.from) * scale.k;

	function axis(view) {
		const step = STEPS.find((s) => s * scale.k >= 70) || 7200;
		g.textBaseline = 'middle';
		g.textAlign = 'center';
		for (let t = Math.ceil(view.from / step) * step; t <= view.to; t += step) {
			const at = Math.round(x(t)) + 0.5;
			g.strokeStyle = colors.line;
			g.beginPath();
			g.moveTo(at, AXIS - 4);
			g.lineTo(at, size.h);
			g.stroke();
			g.fillStyle = colors.dim;
			if (t >= 0) g.fillText(seconds(t, step < 1 ? 1 : 0), at, AXIS / 2);
		}
	}

	function spans(lane, end) {
		let drawnTo = -1;
		let count = 0;
		g.textAlign = 'left';
		for (const s of lane.spans) {
			const a = Math.max(size.left, x(s.from_s));
			const b = Math.min(size.w, x(Math.min(s.to_s ?? end, end)));
			if (b < size.left || a > size.w || b <= drawnTo) continue;
			const w = Math.max(1, b - a - 1);
			drawnTo = a + w;
			count++;
			const text = lane.text(s);
			g.fillStyle = colors.tints[tintOf(text)];
			g.fillRect(a, lane.y, w, lane.tall);
			if (w < 26) continue;
			g.save();
			g.beginPath();
			g.rect(a, lane.y, w - 2, lane.tall);
			g.clip();
			g.fillStyle = colors.ink;
			g.fillText(text, a + 5, lane.y + lane.tall / 2 + 0.5);
			g.restore();
		}
		return count;
	}

	function marks(lane, events) {
		g.fillStyle = colors.sunken;
		g.fillRect(size.left, lane.y, size.w - size.left, lane.tall);
		let before = -9;
		for (const e of events) {
			const tone = TONES[e.kind];
			const at = x(e.at_s);
			if (at < size.left || at > size.w || QUIET.has(e.kind)) continue;
			if (!tone && at - before < 2) continue;
			before = at;
			g.fillStyle = tone ? colors[tone] : colors.accent;
			if (tone === 'bad' || tone === 'warn') {
				g.beginPath();
				g.arc(at, lane.y + lane.tall / 2, 5, 0, 2 * Math.PI);
				g.fill();
			} else g.fillRect(at - 1, lane.y + 4, 2, lane.tall - 8);
		}
	}

	function plot(lane) {
		g.fillStyle = colors.sunken;
		g.fillRect(size.left, lane.y, size.w - size.left, lane.tall);
		let least = lane.least;
		let most = lane.most;
		if (least === undefined) {
			least = Math.min(...lane.lines.map((l) => Math.min(...l.min)));
			most = Math.max(...lane.lines.map((l) => Math.max(...l.max)));
			if (!(most - least > 0.02)) [least, most] = [least - 0.1, most + 0.1];
		}
		const y = (v) => lane.y + lane.tall - 3 - (v - least) / (most - least) * (lane.tall - 6);
		const hues = [colors.accent, colors.warn, colors.good, colors.bad, colors.dim];
		g.save();
		g.beginPath();
		g.rect(size.left, lane.y, size.w - size.left, lane.tall);
		g.clip();
		lane.lines.forEach((line, i) => {
			g.strokeStyle = hues[i % hues.length];
			g.lineWidth = 1.5;
			g.beginPath();
			let v = 0;
			line.t.forEach((t, n) => {
				if (n) g.lineTo(x(t), y(v)); // a value holds until the next
				v = line.last[n];
				g.lineTo(x(t), y(v));
			});
			if (line.t.length) g.lineTo(x(last.now), y(v));
			g.stroke();
		});
		g.restore();
		g.lineWidth = 1;
		g.textAlign = 'right';
		g.fillStyle = colors.dim;
		if (lane.least === undefined && Number.isFinite(most)) {
			g.strokeStyle = colors.sunken;
			g.lineWidth = 4;
			for (const [v, at] of [[most, lane.y + 8], [least, lane.y + lane.tall - 8]]) {
				g.strokeText(fixed(v, 2), size.w - 4, at);
				g.fillText(fixed(v, 2), size.w - 4, at);
			}
			g.lineWidth = 1;
		}
		g.textAlign = 'left';
		let at = size.left + 6;
		lane.lines.forEach((line, i) => {
			if (!line.name) return;
			g.fillStyle = hues[i % hues.length];
			g.fillText(line.name.toLowerCase(), at, lane.y + 8);
			at += g.measureText(line.name).width + 12;
		});
	}

	function gaps(list) {
		for (const gap of list || EMPTY) {
			const a = Math.max(size.left, x(gap.from_s));
			const b = Math.min(size.w, x(gap.to_s));
			if (b <= a) continue;
			g.fillStyle = colors.panel;
			g.fillRect(a, AXIS, b - a, size.h);
			g.strokeStyle = colors.line;
			g.beginPath();
			for (let d = a - size.h; d < b; d += 8) {
				g.moveTo(Math.max(a, d), AXIS + Math.max(0, a - d));
				g.lineTo(Math.min(b, d + size.h), AXIS + Math.min(size.h, b - d));
			}
			g.stroke();
			g.fillStyle = colors.dim;
			g.textAlign = 'left';
			if (b - a > 60) g.fillText(`not recorded: ${gap.reason}`, a + 6, AXIS + 10);
		}
	}

	function line(t, color, label) {
		const at = Math.round(x(t)) + 0.5;
		if (at < size.left || at > size.w) return;
		g.strokeStyle = color;
		g.lineWidth = 2;
		g.beginPath();
		g.moveTo(at, AXIS - 4);
		g.lineTo(at, size.h);
		g.stroke();
		g.lineWidth = 1;
		if (!label) return;
		const w = g.measureText(label).width + 12;
		const left = Math.max(size.left, Math.min(size.w - w, at - w / 2));
		g.fillStyle = color;
		g.fillRect(left, 2, w, AXIS - 5);
		g.fillStyle = colors.accentInk;
		g.textAlign = 'center';
		g.fillText(label, left + w / 2, AXIS / 2);
	}

	function draw(view, data, { now, live, cursor }) {
		if (!colors) recolor();
		last = { now, live };
		if (data.timeline && (laid === null || laid.t !== data.timeline || laid.s !== data.series)) {
			laid = { t: data.timeline, s: data.series };
			for (const name of ['layers', 'actions', 'face', 'intents', 'events']) laid.t[name] ||= [];
			lanes = lanesOf(laid.t, laid.s);
		}
		measure(stand(lanes, canvas.parentElement.clientHeight));
		scale = { from: view.from, k: (size.w - size.left) / (view.to - view.from) };
		g.clearRect(0, 0, size.w, size.h);
		g.font = `12px ${colors.font}`;
		axis(view);
		let drawn = 0;
		if (laid) {
			for (const lane of lanes) {
				if (lane.kind === 'spans') drawn += spans(lane, now);
				else if (lane.kind === 'plot') plot(lane);
				else marks(lane, laid.t.events);
			}
			gaps(laid.t.gaps);
			g.textAlign = 'left';
			g.fillStyle = colors.dim;
			for (const lane of lanes) g.fillText(lane.name, 0, lane.y + Math.min(ROW, lane.tall) / 2);
		}
		if (cursor !== null) line(cursor, colors.accent, seconds(cursor));
		else if (live) line(now, colors.good, '');
		return drawn;
	}

	// at names what stands at a place of the canvas.
	function at(px, py) {
		const t = timeOf(px);
		const lane = lanes.find((l) => py >= l.y && py <= l.y + l.tall);
		if (!lane || px < size.left) return null;
		if (lane.kind === 'spans') {
			const s = lane.spans.find((v) => v.from_s <= t && (v.to_s ?? last.now) >= t);
			if (!s) return null;
			const to = s.to_s ?? last.now;
			return `${lane.text(s)}: ${seconds(s.from_s)} – ${s.to_s === null ? 'now' : seconds(to)} (${seconds(to - s.from_s)})${s.owner ? `, for ${s.owner}` : ''}${s.result ? `, ${s.result}` : ''}`;
		}
		if (lane.kind === 'events') {
			const near = laid.t.events.filter((e) => Math.abs(x(e.at_s) - px) < 7 && TONES[e.kind] !== undefined);
			return near.length ? near.slice(0, 4).map((e) => `${seconds(e.at_s)} ${e.kind}: ${e.who} ${e.text}`).join('\n') : null;
		}
		return lane.lines.map((l) => {
			let n = l.t.length - 1;
			while (n > 0 && l.t[n] > t) n--;
			return l.t.length ? `${l.name || lane.name} ${fixed(l.last[n], 2)}${l.unit ? ` ${l.unit}` : ''}` : '';
		}).filter(Boolean).join('\n');
	}

	const timeOf = (px) => scale.from + (px - size.left) / scale.k;
	return { draw, at, timeOf, recolor, perPixel: () => 1 / scale.k };
}
