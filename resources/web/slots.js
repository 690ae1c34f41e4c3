// Views that other modules draw into a slot of the page.
import { mount } from './world/index.js';

// mountWorld puts the world view into its slot.
export function mountWorld(element, api) {
	const view = mount(element, { act: (name, params) => api.post('/v1/world', { act: name, ...params }), toast: api.toast });
	api.store.subscribe(view.render, { tab: 'world', keys: ['body', 'world', 'devices', 'map'] });
}
