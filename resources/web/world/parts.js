// What the robot of a state has, and how large it is.

// isKit reports whether a state is that of a robot which is not built like R1.
export const isKit = (state) => Boolean(state.world?.robot.lacks?.length);

// lacks reports whether the robot of a state has not some part; a state that does not tell has all of them.
export const lacks = (state, part) => Boolean(state.parts?.lacks?.includes(part) || state.world?.robot.lacks?.includes(part));

// radiusOf is how far the outline of the robot reaches from the middle of its axle, in mm: 0 if nobody knows.
export function radiusOf(state) {
	const r = state.world?.robot;
	if (!r?.length_mm) return 0;
	const back = r.back_mm || r.length_mm / 2;
	return Math.hypot(Math.max(back, r.length_mm - back), r.width_mm / 2);
}
