// The robot from above: a little tracked vehicle, nose along +x, drawn for 90 by 60 mm and scaled to its true size.
import { s, setAttr } from './dom.js';
import { newFace } from './face.js';

const DRAWN_LENGTH = 90;
const DRAWN_WIDTH = 60;
const AXLE = 10; // the pose is that of the wheels' axle, so much in front of the body's middle
const LIFT_LOW = 32;
const LIFT_HIGH = 92;

export const rgb = (c) => `rgb(${c.r || 0} ${c.g || 0} ${c.b || 0})`;
export const dark = (c) => !(c && (c.r || c.g || c.b));

function tread(y) {
	const cleats = [];
	for (let x = -36; x <= 36; x += 8) cleats.push(s('path', { d: `M${x} ${y - 6}v12`, class: 'cleat' }));
	return s('g', {}, s('rect', { class: 'tread', x: -43, y: y - 7.5, width: 84, height: 15, rx: 6 }), ...cleats);
}

// newRobot returns {node, update(body, robot), size}. The node's own origin is the robot's pose; world.js moves it.
export function newRobot() {
	const face = newFace();
	face.node.setAttribute('transform', 'translate(36 -17.5) rotate(90) scale(.35 .43)');
	const lights = [];
	for (let i = 0; i < 5; i++) lights.push(s('circle', { class: 'lamp', cx: -29, cy: -13 + 6.5 * i, r: 3 }));
	const lift = s('g', { class: 'lift' },
		s('path', { class: 'arm', d: 'M-4 -25H44M-4 25H44' }),
		s('rect', { class: 'fork', x: 43, y: -27, width: 6, height: 54, rx: 3 }));
	const touch = s('circle', { class: 'touch', cx: -8, cy: 0, r: 14 });
	const body = s('g', { transform: `translate(${-AXLE} 0)` },
		tread(-22.5), tread(22.5),
		lift,
		s('rect', { class: 'hull', x: -42, y: -21, width: 80, height: 42, rx: 13 }),
		s('rect', { class: 'back', x: -36, y: -17, width: 44, height: 34, rx: 8 }),
		touch, ...lights,
		s('rect', { class: 'screen', x: 11, y: -20, width: 26, height: 40, rx: 8 }),
		face.node,
		s('circle', { class: 'nose', cx: 40.5, cy: 0, r: 2.2 }));
	const scaled = s('g', {}, body);
	const shadow = s('ellipse', { class: 'shadow', cx: -AXLE, cy: 0, rx: 48, ry: 34 });
	const node = s('g', { class: 'robot' }, shadow, scaled);
	const size = { nose: 0, reach: 0 }; // millimeters from the pose to the front and to the farthest corner

	function update(state, robot) {
		const sx = ((robot && robot.length_mm) || DRAWN_LENGTH) / DRAWN_LENGTH;
		const sy = ((robot && robot.width_mm) || DRAWN_WIDTH) / DRAWN_WIDTH;
		size.nose = (DRAWN_LENGTH / 2 - AXLE) * sx;
		size.reach = (DRAWN_LENGTH / 2 + AXLE) * Math.max(sx, sy);
		const held = Boolean(robot && robot.held);
		const fallen = Boolean(robot && robot.fallen);
		const grow = held ? 1.25 : fallen ? 0.85 : 1;
		const roll = fallen ? ' rotate(24)' : '';
		setAttr(scaled, 'transform', `scale(${sx * grow} ${sy * grow})${roll}`);
		setAttr(shadow, 'transform', held ? 'translate(10 16) scale(1.15)' : `scale(${sx} ${sy})`);
		setAttr(node, 'class', `robot${held ? ' held' : ''}${fallen ? ' fallen' : ''}${state.touched ? ' touched' : ''}`);
		// Seen from above, a raised lift comes nearer to the eye: closer to the hull and broader.
		const up = Math.max(0, Math.min(1, ((state.lift_mm || LIFT_LOW) - LIFT_LOW) / (LIFT_HIGH - LIFT_LOW)));
		setAttr(lift, 'transform', `translate(${3 - 6 * up} 0) scale(1 ${1 + 0.12 * up})`);
			face.show(state.face);
		for (let i = 0; i < 5; i++) {
			const c = state.lights[i];
			setAttr(lights[i], 'fill', dark(c) ? 'var(--lamp-off)' : rgb(c));
			setAttr(lights[i], 'data-on', dark(c) ? 'no' : 'yes');
		}
	}
	return { node, update, size };
}
