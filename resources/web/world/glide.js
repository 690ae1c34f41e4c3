// A glide takes numbers from where they are shown to where the newest state has them, at a steady speed over about one
// state's time: states come ten times a second, frames sixty times.

const TAU = 2 * Math.PI;
const LEAST = [0.15, 0.004]; // of a millimeter and of a radian; less is noise that cannot be seen
const turn = (from, to) => from + ((to - from) % TAU + 3 * Math.PI) % TAU - Math.PI;

export class Glide {
	// angles are the indices of the values that are radians and wrap around; jump(from, to) tells when to snap.
	constructor(size, angles = [], jump = () => false) {
		this.from = new Float64Array(size);
		this.to = new Float64Array(size);
		this.at = new Float64Array(size);
		this.angles = angles;
		this.jump = jump;
		this.began = 0;
		this.span = 0;
		this.fresh = true;
	}

	// aim sets where to go; span in milliseconds, 0 goes there at once.
	aim(values, now, span) {
		const snap = this.fresh || span <= 0 || this.jump(this.at, values);
		this.fresh = false;
		if (this.span === 0 && values.every((v, i) => Math.abs(v - this.to[i]) < LEAST[this.angles.includes(i) ? 1 : 0])) return;
		this.to.set(values);
		if (snap) {
			this.at.set(values);
			this.from.set(values);
			this.span = 0;
			return;
		}
		this.from.set(this.at);
		for (const i of this.angles) this.to[i] = turn(this.from[i], values[i]);
		this.began = now;
		this.span = span;
	}

	// hold shows values that come from elsewhere, from which the next aim goes on.
	hold(values) {
		this.at.set(values);
		this.to.fill(NaN);
		this.span = 0;
	}

	// sample works out the values of now and reports whether they still move.
	sample(now) {
		if (this.span === 0) return false;
		const k = Math.min(1, Math.max(0, (now - this.began) / this.span));
		for (let i = 0; i < this.at.length; i++) this.at[i] = this.from[i] + (this.to[i] - this.from[i]) * k;
		if (k < 1) return true;
		this.span = 0;
		return false;
	}
}

// A Pace estimates the time between two states, so that a glide ends just when the next state is due.
export class Pace {
	constructor() {
		this.mean = 100;
		this.last = 0;
	}

	next(now) {
		const gap = now - this.last;
		this.last = now;
		if (gap > 20 && gap < 600) this.mean += (gap - this.mean) * 0.1;
		return Math.min(300, this.mean * 1.15);
	}
}

// ease is the share of the way to go in dt seconds for a motion that needs about tau seconds.
export const ease = (dt, tau) => 1 - Math.exp(-dt / tau);
