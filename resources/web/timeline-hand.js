// Hands on the timeline: pointer, wheel, pinch and keys.

const STEP_S = 1;
const TICK_S = 0.06;

// wireTimeline connects the canvas to t, {view, drawing, zoom, pan, goTo, all, ends, at}.
export function wireTimeline(canvas, tip, t) {
	const down = new Map(); // pointers, by ID
	const xOf = (event) => event.clientX - canvas.getBoundingClientRect().left;
	const yOf = (event) => event.clientY - canvas.getBoundingClientRect().top;

	canvas.addEventListener('wheel', (event) => {
		event.preventDefault();
		const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
		if (Math.abs(sideways) > Math.abs(event.deltaY) || event.shiftKey) t.pan(sideways * t.drawing.perPixel());
		else t.zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 300))), t.drawing.timeOf(xOf(event)));
	}, { passive: false });

	canvas.addEventListener('pointerdown', (event) => {
		if (event.button !== 0) return;
		canvas.setPointerCapture(event.pointerId);
		down.set(event.pointerId, { x: xOf(event), pan: event.shiftKey });
		if (down.size === 1 && !event.shiftKey) t.goTo(t.drawing.timeOf(xOf(event)));
	});
	canvas.addEventListener('pointermove', (event) => {
		const was = down.get(event.pointerId);
		if (!was) {
			hover(event);
			return;
		}
		const x = xOf(event);
		if (down.size === 2) {
			const other = [...down].find(([id]) => id !== event.pointerId)[1];
			const apart = Math.abs(was.x - other.x);
			const now = Math.abs(x - other.x);
			if (apart > 8 && now > 8) t.zoom(apart / now, t.drawing.timeOf(other.x));
		} else if (was.pan) t.pan((was.x - x) * t.drawing.perPixel());
		else t.goTo(t.drawing.timeOf(x));
		down.set(event.pointerId, { ...was, x });
	});
	for (const name of ['pointerup', 'pointercancel']) canvas.addEventListener(name, (event) => down.delete(event.pointerId));
	canvas.addEventListener('pointerleave', () => { tip.hidden = true; });

	function hover(event) {
		const text = t.drawing.at(xOf(event), yOf(event));
		tip.hidden = !text;
		if (!text) return;
		if (tip.textContent !== text) tip.textContent = text;
		const box = canvas.parentElement.getBoundingClientRect();
		const x = Math.min(event.clientX - box.left + 14, box.width - tip.offsetWidth - 8);
		const y = Math.min(event.clientY - box.top + 16, box.height - tip.offsetHeight - 8);
		tip.style.transform = `translate(${Math.max(0, x)}px, ${Math.max(0, y)}px)`;
	}

	canvas.addEventListener('keydown', (event) => {
		if (event.ctrlKey || event.altKey || event.metaKey) return;
		const step = event.shiftKey ? 10 * STEP_S : STEP_S;
		const span = t.view.to - t.view.from;
		const act = {
			ArrowLeft: () => t.goTo(t.at() - step),
			ArrowRight: () => t.goTo(t.at() + step),
			ArrowDown: () => t.goTo(t.at() - TICK_S),
			ArrowUp: () => t.goTo(t.at() + TICK_S),
			PageUp: () => t.pan(-span / 2),
			PageDown: () => t.pan(span / 2),
			Home: () => t.goTo(t.ends()[0]),
			End: () => t.goTo(t.ends()[1]),
			'+': () => t.zoom(0.5, t.at()),
			'=': () => t.zoom(0.5, t.at()),
			'-': () => t.zoom(2, t.at()),
			0: () => t.all(),
		}[event.key];
		if (!act) return;
		event.preventDefault();
		act();
	});
}
