// Views that other modules draw into a slot of the page.
import * as world from './world.js';

// mountWorld puts the world view into its slot. A module of a view exports mount(element, api) and render(state, {live}).
export function mountWorld(element, api) {
	if (world.mount) {
		world.mount(element, api);
		api.store.subscribe(world.render, { tab: 'world' });
		return;
	}
	const place = (x, y, heading) => api.send('/v1/world', { act: 'place', x_mm: Math.round(x), y_mm: Math.round(y), heading_rad: Math.round(heading * 1000) / 1000 }, 'place');
	const view = world.newWorld(place);
	let before = 0;
	const glide = (now) => {
		const dt = Math.min(0.25, (now - before) / 1000);
		before = now;
		if (view.glide(dt)) requestAnimationFrame(glide);
		else before = 0;
	};
	api.store.subscribe((state) => {
		view.update(state);
		if (!before) view.glide(0.016);
		if (!before) requestAnimationFrame((now) => { before = now - 16; glide(now); });
	}, { tab: 'world' });
}
