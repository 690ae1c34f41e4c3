// The tabs, by the pattern of the ARIA authoring practices: arrows move and show, Home and End go to the ends.

// newTabs wires a tablist. onShow(name) is called for each tab that becomes visible. It returns {show, name}.
export function newTabs(list, onShow) {
	const tabs = [...list.querySelectorAll('[role=tab]')];
	const names = tabs.map((t) => t.dataset.tab);
	let shown = '';

	function show(name, focus) {
		const index = Math.max(0, names.indexOf(name));
		if (names[index] === shown) return;
		shown = names[index];
		tabs.forEach((tab, i) => {
			tab.setAttribute('aria-selected', String(i === index));
			tab.tabIndex = i === index ? 0 : -1;
			document.getElementById(tab.getAttribute('aria-controls')).hidden = i !== index;
		});
		if (focus) tabs[index].focus();
		// Not scrollIntoView: it would also move the page.
		const box = tabs[index];
		if (box.offsetLeft < list.scrollLeft || box.offsetLeft + box.offsetWidth > list.scrollLeft + list.clientWidth) list.scrollLeft = box.offsetLeft - 24;
		onShow(shown);
	}

	list.addEventListener('click', (event) => {
		const tab = event.target.closest('[role=tab]');
		if (tab) show(tab.dataset.tab);
	});
	list.addEventListener('keydown', (event) => {
		const open = names.filter((_, i) => !tabs[i].hidden);
		const at = open.indexOf(shown);
		const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: open.length - 1 }[event.key];
		if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
		event.preventDefault();
		show(open[(to + open.length) % open.length], true);
	});
	return { show, names, get name() { return shown; } };
}
