// The breath of a face: the eyes go slowly up and down, as on the robot's display (hardware/device/breath.go).

const DEEP = 3; // pixels of the deepest breath
const IN = 0.4; // the part of a breath that comes in, and where it has gone out
const OUT = 0.9;
const GAP_MS = 1000; // the longest time between two looks that counts
const STEPS = 2; // of a pixel: what is finer is not worth drawing

// waveAt is how full the lungs are at a phase, from 0 to 1.
function waveAt(phase) {
	if (phase < IN) return (1 - Math.cos(Math.PI * phase / IN)) / 2;
	if (phase < OUT) return (1 + Math.cos(Math.PI * (phase - IN) / (OUT - IN))) / 2;
	return 0;
}

// newBreath returns {rise([perMinute, depth], now)}: how many pixels the eyes are raised. A rate that changes bends the breath and does not
// break it.
export function newBreath() {
	let phase = 0;
	let at = 0;
	return {
		rise(breath, now) {
			const passed = Math.min(Math.max(now - at, 0), GAP_MS);
			at = now;
			const [rate, depth] = breath || [0, 0];
			if (!rate || !depth) return phase = 0;
			phase = (phase + passed / 60000 * rate) % 1;
			return Math.round(DEEP * depth * waveAt(phase) * STEPS) / STEPS;
		},
	};
}
