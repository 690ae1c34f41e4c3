// Tick latency and the counters.
import { byId, facts, fixed, micros, s, setAttr, setText } from './dom.js';

const WIDTH = 360;
const HEIGHT = 90;
const SLOTS = 120;

// niceCeiling is the next 1, 2 or 5 times a power of ten, so that the scale does not jitter.
function niceCeiling(v) {
	const base = 10 ** Math.floor(Math.log10(Math.max(v, 1)));
	for (const m of [1, 2, 5]) if (v <= m * base) return m * base;
	return 10 * base;
}

// newLatency draws the sparkline once and returns the view.
export function newLatency() {
	const svg = byId('spark');
	const grid = s('path', { class: 'spark-grid', d: `M0 ${HEIGHT / 2}H${WIDTH}M0 .5H${WIDTH}M0 ${HEIGHT - 0.5}H${WIDTH}` });
	const area = s('path', { class: 'spark-area' });
	const line = s('path', { class: 'spark-line' });
	const p99 = s('path', { class: 'spark-p99' });
	svg.append(grid, area, line, p99);

	function spark(l) {
		const values = l.history_us.slice(-SLOTS);
		const top = niceCeiling(Math.max(l.p99_us || 0, ...values, 1) * 1.05);
		const y = (v) => fixed(HEIGHT - Math.min(1, v / top) * (HEIGHT - 2) - 1, 1);
		const x = (i) => fixed((SLOTS - values.length + i) / (SLOTS - 1) * WIDTH, 1);
		const d = values.map((v, i) => `${i ? 'L' : 'M'}${x(i)} ${y(v)}`).join('');
		setAttr(line, 'd', d);
		setAttr(area, 'd', values.length ? `${d}L${WIDTH} ${HEIGHT}L${x(0)} ${HEIGHT}z` : '');
		setAttr(p99, 'd', `M0 ${y(l.p99_us || 0)}H${WIDTH}`);
		setText(byId('spark-top'), micros(top));
		setAttr(svg, 'aria-label', `Duration of the last ${values.length} ticks, median ${micros(l.p50_us || 0)}, 99 percent below ${micros(l.p99_us || 0)}`);
	}

	return (state) => {
		const l = state.latency;
		const c = state.counters;
		spark(l);
		const budget = state.period_ms * 1000;
		const tone = (us) => (us > budget ? 'bad' : us > budget / 2 ? 'warn' : '');
		const some = (n, name) => (n ? name : '');
		setText(byId('latency-sum'), `period ${fixed(state.period_ms, state.period_ms < 10 ? 1 : 0)} ms`);
		facts(byId('latency'), [
			['last', micros(l.last_us || 0), tone(l.last_us)],
			['median', micros(l.p50_us || 0), tone(l.p50_us)],
			['p99', micros(l.p99_us || 0), tone(l.p99_us)],
			['max', micros(l.max_us || 0), tone(l.max_us)],
			['late p99', micros(l.late_p99_us || 0), tone(l.late_p99_us)],
			['missed', l.missed || 0, some(l.missed, 'warn')],
			['skipped', l.skipped || 0, some(l.skipped, 'warn')],
		]);
		facts(byId('counters'), [
			['panics', c.panics || 0, some(c.panics, 'bad')],
			['hangs', c.hangs || 0, some(c.hangs, 'bad')],
			['violations', c.violations || 0, some(c.violations, 'bad')],
			['cycles', c.cycles || 0, some(c.cycles, 'bad')],
			['refusals', c.refusals || 0, some(c.refusals, 'warn')],
			['misuses', c.misuses || 0, some(c.misuses, 'warn')],
			['warnings', c.warnings || 0, some(c.warnings, 'warn')],
			['restarts', c.restarts || 0, some(c.restarts, 'warn')],
			['resumed', c.resumed || 0],
			['falls', c.falls || 0, some(c.falls, 'bad')],
			['dockings', c.dockings || 0, some(c.dockings, 'good')],
			['driven', fixed(c.distance_m, 1) + ' m'],
		]);
	};
}
