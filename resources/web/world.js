// The world from above. Millimeters, x to the right, y up; SVG has y down, so y changes sign on the way in.
import { at, byId, deg, facts, fixed, keyed, s, setAttr, setText, wrap } from './dom.js';
import { newFace } from './face.js';
import { newPlacing } from './place.js';
import { dark, newRobot, rgb } from './robot.js';
import { JUMP_MM, newTrail } from './trail.js';

const MARGIN_MM = 80; // around the table
const OPEN_MM = 900; // height of the view of a real robot, which has no table
const RANGE_MAX_MM = 400;

// inside reports whether a point lies in a polygon (even-odd rule).
function inside(poly, x, y) {
	let is = false;
	for (let i = 0, j = poly.length - 1; i < poly.length; j = i++) {
		const [xi, yi] = poly[i];
		const [xj, yj] = poly[j];
		if ((yi > y) !== (yj > y) && x < (xj - xi) * (y - yi) / (yj - yi) + xi) is = !is;
	}
	return is;
}

// newWorld draws into #world. place(x, y, heading) is called when the user puts the robot somewhere.
export function newWorld(place) {
	const svg = byId('world');
	const still = matchMedia('(prefers-reduced-motion: reduce)');
	const robot = newRobot();
	const portrait = newFace();
	const layer = (name) => s('g', { class: name });
	const floor = layer('floor');
	const things = layer('things');
	const trail = newTrail();
	const sensors = layer('sensors');
	const people = layer('people');
	const labels = layer('labels');
	const cone = s('path', { class: 'cone' });
	const ray = s('path', { class: 'ray' });
	const hit = s('circle', { class: 'hit', r: 6 });
	const dots = layer('cliffs');
	const bubble = s('g', { class: 'bubble' }, s('path'), s('text'));
	const badge = s('g', { class: 'badge' }, s('rect', { rx: 9, height: 18, y: -9 }), s('text', { 'text-anchor': 'middle', y: 4 }));
	const ruler = s('g', { class: 'ruler' }, s('path'), s('text', { y: -7, 'text-anchor': 'middle' }));
	sensors.append(cone, ray, hit);
	labels.append(badge, bubble);
	svg.append(
		s('defs', {},
			s('pattern', { id: 'grid', width: 100, height: 100, patternUnits: 'userSpaceOnUse' }, s('path', { class: 'gridline', d: 'M100 0H0V100' })),
			s('pattern', { id: 'hatch', width: 24, height: 24, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' }, s('path', { class: 'hatchline', d: 'M0 0V24' }))),
		floor, things, trail.node, people, sensors, robot.node, dots, labels, ruler);
	byId('portrait').append(s('rect', { class: 'screen', width: 100, height: 50, rx: 10 }), portrait.node);
	const lamps = Array.from({ length: 5 }, (_, i) => s('circle', { class: 'lamp', cx: 12 + 19 * i, cy: 10, r: 7 }));
	byId('lights').append(...lamps);

	let view = { x: 0, y: 0, w: OPEN_MM, h: OPEN_MM };
	let floorKey = '';
	let unit = 1; // millimeters per CSS pixel
	let state = null;
	let shown = null; // pose on screen, glides towards the true one
	let said = null;

	const here = () => (state.world ? state.world.robot : state.body.pose);
	newPlacing(svg, () => state && here(), place);

	function setView(next) {
		view = next;
		setAttr(svg, 'viewBox', `${fixed(view.x, 1)} ${fixed(view.y, 1)} ${fixed(view.w, 1)} ${fixed(view.h, 1)}`);
		svg.style.aspectRatio = next.w / next.h; // through the object model: a style attribute would need a laxer policy
		measure();
	}

	function measure() {
		const box = svg.getBoundingClientRect();
		if (box.width > 0) unit = Math.max(view.w / box.width, view.h / box.height);
	}

	function drawFloor() {
		const w = state.world;
		const key = w ? JSON.stringify(w.table) : 'open';
		if (key === floorKey) return;
		floorKey = key;
		setAttr(svg, 'data-open', w ? 'no' : 'yes');
		const big = { x: -20000, y: -20000, width: 40000, height: 40000 };
		if (!w || w.table.length < 3) {
			floor.replaceChildren(s('rect', { class: 'open', ...big }), s('rect', { fill: 'url(#grid)', ...big }),
				s('path', { class: 'axes', d: 'M-20000 0H20000M0 -20000V20000' }));
			things.replaceChildren();
			setView({ x: -OPEN_MM * 0.7, y: -OPEN_MM / 2, w: OPEN_MM * 1.4, h: OPEN_MM });
			return;
		}
		const xs = w.table.map((p) => p[0]);
		const ys = w.table.map((p) => -p[1]);
		const x = Math.min(...xs) - MARGIN_MM;
		const y = Math.min(...ys) - MARGIN_MM;
		const d = 'M' + w.table.map((p) => `${p[0]} ${-p[1]}`).join('L') + 'z';
		floor.replaceChildren(s('rect', { class: 'void', ...big }), s('rect', { fill: 'url(#hatch)', ...big }),
			s('path', { class: 'apron', d, transform: 'translate(0 14)' }), s('path', { class: 'table', d }), s('path', { d, fill: 'url(#grid)' }), s('path', { class: 'rim', d }));
		setView({ x, y, w: Math.max(...xs) + MARGIN_MM - x, h: Math.max(...ys) + MARGIN_MM - y });
	}

	function drawThings() {
		const w = state.world;
		if (!w) return;
		const all = [];
		if (w.charger) all.push({ kind: 'charger', pose: w.charger });
		w.cubes.forEach((pose) => all.push({ kind: 'cube', pose }));
		w.obstacles.forEach((pose) => all.push({ kind: 'box', pose }));
		keyed(things, all, (t) => t.kind, ({ kind, pose }) => {
			if (kind === 'charger') {
				return s('g', { class: 'charger' }, s('rect', { x: -55, y: -42, width: 110, height: 84, rx: 9 }),
					s('rect', { class: 'wall', x: -55, y: -42, width: 20, height: 84, rx: 7 }), s('path', { class: 'rail', d: 'M-24 -27H46M-24 27H46' }),
					s('path', { class: 'bolt', d: 'M14 -20L-4 3H8L2 20L22 -5H9z' }), s('title', { text: 'Charger' }));
			}
			if (kind === 'cube') {
				return s('g', { class: 'cube' }, s('rect', { x: -22.5, y: -22.5, width: 45, height: 45, rx: 6 }), s('rect', { class: 'inner', x: -13, y: -13, width: 26, height: 26, rx: 4 }), s('title', { text: 'Cube' }));
			}
			const l = pose.length_mm || 50;
			const b = pose.width_mm || 50;
			return s('g', { class: 'box' }, s('rect', { x: -l / 2, y: -b / 2, width: l, height: b, rx: 4 }), s('path', { d: `M${-l / 2} ${-b / 2}L${l / 2} ${b / 2}M${l / 2} ${-b / 2}L${-l / 2} ${b / 2}` }), s('title', { text: 'Obstacle' }));
		}, (node, t) => {
			setAttr(node, 'transform', at(t.pose));
			if (t.kind === 'charger') setAttr(node, 'data-on', state.body.charging ? 'yes' : 'no');
		});
	}

	function drawPeople() {
		const pad = 34 * unit;
		const size = unit * Math.min(1, Math.max(0.75, view.w / unit / 560));
		const clamp = (v, lo, hi) => Math.max(lo, Math.min(hi, v));
		keyed(people, state.world ? state.world.faces : [], (f) => f.id,
			() => s('g', { class: 'person' }, s('circle', { class: 'halo', r: 17 }), s('circle', { class: 'head', r: 13 }),
				s('path', { class: 'smile', d: 'M-5.5 3.5q5.5 6 11 0' }), s('circle', { class: 'pupil', cx: -4.5, cy: -3, r: 1.8 }), s('circle', { class: 'pupil', cx: 4.5, cy: -3, r: 1.8 }),
				s('text', { y: 30, 'text-anchor': 'middle' })),
			(node, f) => {
				const x = clamp(f.x_mm, view.x + pad, view.x + view.w - pad);
				const y = clamp(-f.y_mm, view.y + 22 * unit, view.y + view.h - 38 * unit);
				setAttr(node, 'transform', `translate(${fixed(x, 1)} ${fixed(y, 1)}) scale(${fixed(size, 3)})`);
				setText(node.lastChild, f.name || 'someone');
			});
	}

	function drawCliffs() {
		const w = state.world;
		keyed(dots, w ? w.cliffs : [], () => 'cliff', () => s('circle'), (node, [x, y]) => {
			setAttr(node, 'cx', fixed(x, 1));
			setAttr(node, 'cy', fixed(-y, 1));
			setAttr(node, 'r', fixed(Math.max(2.5, 2 * unit), 2));
			setAttr(node, 'class', inside(w.table, x, y) ? 'on-table' : 'over-void');
		});
	}

	// lines breaks a sentence for the bubble.
	function lines(text) {
		const out = [''];
		for (const word of text.split(/\s+/)) {
			const last = out[out.length - 1];
			if (last && (last + ' ' + word).length > 24) out.push(word);
			else out[out.length - 1] = last ? last + ' ' + word : word;
		}
		return out.length > 4 ? [...out.slice(0, 3), out[3] + ' …'] : out;
	}

	function drawBubble() {
		const text = state.body.says || '';
		setAttr(bubble, 'visibility', text ? 'visible' : 'hidden');
		if (text === said) return;
		said = text;
		const label = bubble.lastChild;
		const rows = lines(text);
		label.replaceChildren(...rows.map((row, i) => s('tspan', { x: 0, dy: i ? 16 : 0, text: row })));
		const w = Math.max(24, label.getBBox().width) / 2 + 12;
		const h = rows.length * 16 + 12;
		setAttr(label, 'y', -12 - h + 18);
		setAttr(bubble.firstChild, 'd', `M0 0L-7 -12H${10 - w}a10 10 0 0 1 -10 -10V${-2 - h}a10 10 0 0 1 10 -10H${w - 10}a10 10 0 0 1 10 10V-22a10 10 0 0 1 -10 10H7z`);
		bubble.size = { w, h: h + 14 };
	}

	function badgeText() {
		const w = state.world;
		if (w && w.robot.fallen) return 'fallen off';
		if (w && w.robot.held) return state.body.treads && state.body.treads !== 'OnTreads' ? `held · ${state.body.treads}` : 'held';
		if (state.body.treads && state.body.treads !== 'OnTreads') return state.body.treads;
		return state.body.charging ? 'charging' : '';
	}

	function drawBadge() {
		const text = badgeText();
		setAttr(badge, 'visibility', text ? 'visible' : 'hidden');
		setAttr(badge, 'data-tone', text === 'charging' ? 'good' : 'bad');
		if (badge.lastChild.textContent === text) return;
		setText(badge.lastChild, text);
		const w = badge.lastChild.getBBox().width + 16;
		setAttr(badge.firstChild, 'width', fixed(w, 1));
		setAttr(badge.firstChild, 'x', fixed(-w / 2, 1));
	}

	function drawStrip() {
		const b = state.body;
		portrait.show(b.face);
		setText(byId('face-name'), b.face || 'neutral');
		setAttr(byId('portrait'), 'aria-label', `Face of the robot: ${b.face || 'neutral'}`);
		const found = state.world && state.world.range_mm > 0;
		facts(byId('body-facts'), [
			['position', `${fixed(here().x_mm, 0)}, ${fixed(here().y_mm, 0)} mm`],
			['heading', fixed(deg(wrap(here().heading_rad)), 0) + '°'],
			['head', fixed(deg(b.head_rad || 0), 0) + '°'],
			['lift', fixed(b.lift_mm, 0) + ' mm'],
			...(state.world ? [['range', found ? fixed(state.world.range_mm, 0) + ' mm' : 'free']] : []),
			['back', b.touched ? 'touched' : 'not touched', b.touched ? 'good' : ''],
		]);
		lamps.forEach((lamp, i) => {
			const c = b.lights[i];
			setAttr(lamp, 'fill', dark(c) ? 'var(--lamp-off)' : rgb(c));
			setAttr(lamp, 'data-on', dark(c) ? 'no' : 'yes');
		});
	}

	// follow keeps a robot without a table in sight.
	function follow() {
		if (state.world) return;
		const p = here();
		const cx = view.x + view.w / 2;
		const cy = view.y + view.h / 2;
		if (Math.abs(p.x_mm - cx) > OPEN_MM * 0.35 || Math.abs(-p.y_mm - cy) > OPEN_MM * 0.35) setView({ ...view, x: p.x_mm - view.w / 2, y: -p.y_mm - view.h / 2 });
	}

	// pose moves everything that hangs on the robot.
	function pose() {
		const { x, y, a } = shown;
		robot.node.setAttribute('transform', `translate(${fixed(x, 2)} ${fixed(-y, 2)}) rotate(${fixed(-deg(a), 2)})`);
		const w = state.world;
		const { nose } = robot.size;
		const lost = !w || w.robot.held || w.robot.fallen;
		const far = w && w.range_mm > 0 ? w.range_mm : RANGE_MAX_MM;
		const px = (r, off) => fixed(x + Math.cos(a + off) * r, 1) + ' ' + fixed(-y - Math.sin(a + off) * r, 1);
		setAttr(sensors, 'visibility', lost ? 'hidden' : 'visible');
		setAttr(dots, 'visibility', !w || w.robot.held ? 'hidden' : 'visible');
		if (!lost) {
			setAttr(cone, 'd', `M${px(nose, 0)}L${px(nose + far, 0.11)}L${px(nose + far, -0.11)}z`);
			setAttr(ray, 'd', `M${px(nose, 0)}L${px(nose + far, 0)}`);
			setAttr(sensors, 'data-found', w.range_mm > 0 ? 'yes' : 'no');
			const [hx, hy] = px(nose + far, 0).split(' ');
			setAttr(hit, 'cx', hx);
			setAttr(hit, 'cy', hy);
			setAttr(hit, 'r', fixed(3.5 * unit, 2));
		}
		const clear = robot.size.reach;
		if (bubble.size) {
			const half = bubble.size.w * unit;
			const bx = Math.max(view.x + half, Math.min(view.x + view.w - half, x));
			const top = -y - clear - bubble.size.h * unit < view.y ? view.y + (bubble.size.h + 4) * unit : -y - clear;
			setAttr(bubble, 'transform', `translate(${fixed(bx, 1)} ${fixed(top, 1)}) scale(${fixed(unit, 3)})`);
		}
		setAttr(badge, 'transform', `translate(${fixed(x, 1)} ${fixed(-y + clear + 12 * unit, 1)}) scale(${fixed(unit, 3)})`);
		const bar = 200 / unit;
		setAttr(ruler, 'transform', `translate(${fixed(view.x + 14 * unit, 1)} ${fixed(view.y + view.h - 12 * unit, 1)}) scale(${fixed(unit, 3)})`);
		setAttr(ruler.firstChild, 'd', `M0 -4V0H${fixed(bar, 1)}V-4`);
		setAttr(ruler.lastChild, 'x', fixed(bar / 2, 1));
		setText(ruler.lastChild, '200 mm');
	}

	new ResizeObserver(() => {
		measure();
		if (state) {
			drawPeople();
			pose();
		}
	}).observe(svg);

	return {
		// update takes a new state.
		update(next) {
			state = next;
			drawFloor();
			drawThings();
			drawPeople();
			trail.add(state.time_s, here(), Boolean(state.world && (state.world.robot.held || state.world.robot.fallen)));
			drawCliffs();
			drawBubble();
			drawBadge();
			drawStrip();
			robot.update(state.body, state.world && state.world.robot);
			follow();
		},
		// glide moves the drawn robot towards its true pose; dt in seconds. It returns false when it has arrived.
		glide(dt) {
			if (!state) return false;
			const p = here();
			const far = !shown || Math.hypot(p.x_mm - shown.x, p.y_mm - shown.y) > JUMP_MM;
			const k = far || still.matches ? 1 : 1 - Math.exp(-dt / 0.06);
			if (!shown) shown = { x: p.x_mm, y: p.y_mm, a: p.heading_rad };
			shown.x += (p.x_mm - shown.x) * k;
			shown.y += (p.y_mm - shown.y) * k;
			shown.a += wrap(p.heading_rad - shown.a) * k;
			pose();
			return Math.hypot(p.x_mm - shown.x, p.y_mm - shown.y) > 0.2 || Math.abs(wrap(p.heading_rad - shown.a)) > 0.003;
		},
	};
}
