// The mouth of a robot that speaks: wide for a vowel, closed for the lips' own letters and in pauses, as on its display
// (hardware/device/voice.go).

const STEPS = 4;
const LETTER_MS = 70; // a calm speaker's pace
const MORE_MS = 400;

// openAt is how far the mouth is open, 0 to STEPS, so many milliseconds after a text began.
function openAt(text, ms) {
	const letters = [...text];
	const r = (letters[Math.floor(ms / (MORE_MS + LETTER_MS * letters.length) * letters.length)] || ' ').toLowerCase();
	if ('aeiouyäöüáéíóú'.includes(r)) return STEPS;
	return 'bmp'.includes(r) || !/[\p{L}\p{N}]/u.test(r) ? 0 : STEPS / 2;
}

// newMouth returns {hear(text, number, now), at(now)}: at is how far it is open, -1 while nobody speaks.
export function newMouth() {
	let key = '';
	let text = '';
	let began = 0;
	return {
		hear(next, number, now) {
			if (`${number} ${next}` === key) return;
			[key, text, began] = [`${number} ${next}`, next, now];
		},
		at: (now) => (text ? openAt(text, Math.max(0, now - began)) : -1),
	};
}

// drawMouth draws an ellipse below and between the eyes, on a display of 128 by 64.
export function drawMouth(c, open) {
	c.beginPath();
	c.ellipse(64, 54, 9, 1.2 + 6.3 * open / STEPS, 0, 0, 2 * Math.PI);
	c.fill();
}
