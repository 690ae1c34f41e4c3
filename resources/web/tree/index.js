// The tree view: the delegate graph as an outline in the order of asking, lit by what the robot does, and a panel for one behavior.
// The outline is a tree of the ARIA authoring practices; only the rows that can be seen are in the document.
import { byId, h, setAttr, setText } from '../dom.js';
import { newDetail } from './detail.js';
import { newList } from './list.js';
import { matching, newLight, newOutline, unfolded } from './model.js';
import { drawRow, makeRow } from './row.js';

const RETRY_MS = 5000;

const LEGEND = [
	['control', 'has it', 'has control now'], ['path', 'active', 'on the stack: the live path'], ['yes', 'yes', 'was asked and wants control'],
	['no', 'no', 'was asked and declines; the reason stands beside it'], ['unknown', '–', 'may be asked, but was not in the last second'], ['link', '↪', 'a second place of a behavior, opened elsewhere'],
];

function legend() {
	return h('section', { class: 'panel tr-legend', 'aria-label': 'Legend' }, h('h2', { text: 'Choose a behavior' }),
		h('p', { class: 'dim', text: 'Click one, or move with the arrows and press Enter: why it is or is not wanted, when it was active, and how it is set.' }),
		h('ul', {}, ...LEGEND.map(([kind, word, text]) => h('li', {}, h('span', { class: 'tr-wants', 'data-kind': kind, text: word }), h('span', { text })))));
}

// mountTree puts the view into a slot. It returns {selected, select(id), search()}; onSelect is called after each choice by hand.
export function mountTree(element, api, bar, onSelect) {
	const box = h('div', { id: 'tree', class: 'tr-tree', role: 'tree', tabindex: '0', 'aria-label': 'Behaviors in the order in which they are asked' });
	const search = h('input', { id: 'tree-search', type: 'search', placeholder: 'Search ID, class, text', 'aria-label': 'Search the behaviors', 'aria-controls': 'tree' });
	const willing = h('input', { id: 'tree-scope', type: 'checkbox' });
	const fold = h('button', { id: 'tree-fold', type: 'button', 'aria-pressed': 'false', text: 'Live path only' });
	const sum = h('span', { id: 'tree-sum', class: 'count' });
	const root = h('div', { class: 'tr-view', 'data-open': 'no' },
		h('section', { class: 'panel tr-panel', 'aria-label': 'Delegates' }, h('div', { class: 'filter' }, search, h('label', { class: 'check' }, willing, ' in scope'), fold, sum), box));
	const detail = newDetail(api, bar, (id) => choose(id, true), () => choose('', true));
	root.append(legend(), detail.element);
	element.replaceChildren(root);

	let outline = null;
	let state = null;
	let light = newLight(null);
	let above = new Set(); // rows of active behaviors, and those above them
	let shown = [];
	let selected = '';
	let focus = -1; // index of a row of the outline
	let names = ''; // the definitions of the state for which the tree was fetched
	let retryAt = 0;
	let busy = false;
	const folded = new Set();
	const list = newList(box, {
		make: makeRow,
		keyOf: (row) => row.index,
		draw: (node, row) => drawRow(node, row, light(row), { folded: foldOf(row), selected: row.id === selected, focused: row.index === focus }),
		resized() { // the panel opened below, on a phone
			const here = shown.findIndex((r) => r.index === focus && r.id === selected);
			if (here >= 0) list.reveal(here);
		},
	});

	const foldable = (row) => row.end > row.index + 1;
	const searching = () => search.value.trim() !== '' || willing.checked;
	const onPath = () => fold.getAttribute('aria-pressed') === 'true';
	const foldOf = (row) => (!foldable(row) ? undefined : !searching() && (onPath() ? !above.has(row) : folded.has(row.id)));

	function fits(row) {
		const { live, entry, layer } = light(row);
		if (willing.checked && !live) return false;
		const text = search.value.trim().toLowerCase();
		return !text || row.text.includes(text) || ((entry && entry.why) || (layer && layer.state) || '').toLowerCase().includes(text);
	}

	function pathRows() {
		const rows = new Set();
		for (const row of outline.rows) if (!['', 'scope'].includes(light(row).live)) for (let r = row; r; r = r.parent) rows.add(r);
		return rows;
	}

	function rowsNow() {
		if (!outline) return [];
		if (searching()) return matching(outline.rows, fits);
		if (!onPath()) return unfolded(outline.rows, folded);
		above = pathRows();
		const off = new Set(outline.rows.filter((r) => foldOf(r)).map((r) => r.id));
		return unfolded(outline.rows, off);
	}

	function draw() {
		shown = rowsNow();
		list.set(shown);
		const there = document.getElementById(`tr-${focus}`);
		if (there) setAttr(box, 'aria-activedescendant', there.id);
		else box.removeAttribute('aria-activedescendant');
		if (!outline || !state) return;
		const hits = searching() ? `${shown.filter((r) => !r.link && fits(r)).length} of ` : '';
		setText(sum, `${hits}${outline.byId.size} · ${state.scope.filter((e) => e.wants === 'yes').length} want control`);
		setAttr(box, 'data-empty', shown.length ? '' : 'nothing matches');
	}

	async function fetchTree() {
		const wanted = state.definitions || state.behaviors.join(' '); // older recordings have names only
		if (busy || (outline && wanted === names) || performance.now() < retryAt) return;
		busy = true;
		const reply = await api.get('/v1/tree', api.store.cursor === null ? {} : { tick: state.tick });
		busy = false;
		if (!reply.ok || !Array.isArray(reply.data.nodes)) {
			retryAt = performance.now() + RETRY_MS;
			setAttr(box, 'data-empty', reply.text || 'robotd sent no tree');
			if (outline) { // it is of another time
				outline = null;
				draw();
			}
			return;
		}
		names = wanted;
		outline = newOutline(reply.data);
		show();
		draw();
		if (selected) toRow(outline.at.get(selected));
	}

	// show puts the chosen behavior into the panel.
	function show() {
		const node = outline && outline.byId.get(selected);
		setAttr(root, 'data-open', node ? 'yes' : 'no');
		if (outline) detail.show(node || null, outline);
	}

	// toRow moves the focus of the tree to a row, opening what is above it.
	function toRow(index) {
		const row = outline.rows[index];
		if (!row) return;
		focus = index;
		for (let r = row.parent; r; r = r.parent) folded.delete(r.id);
		if (!rowsNow().includes(row)) {
			search.value = '';
			willing.checked = false;
			setAttr(fold, 'aria-pressed', 'false');
		}
		draw();
		list.reveal(shown.indexOf(row));
		draw();
	}

	function choose(id, move) {
		selected = id;
		show();
		if (move && outline && outline.at.has(id)) toRow(outline.at.get(id));
		else draw();
		onSelect();
	}

	function toggle(row, closed) {
		if (!foldable(row) || searching()) return;
		if (onPath()) { // what is seen stays as it is
			for (const r of outline.rows) if (foldOf(r)) folded.add(r.id);
			setAttr(fold, 'aria-pressed', 'false');
		}
		if (closed) folded.add(row.id);
		else folded.delete(row.id);
		draw();
	}

	function rowOf(event) {
		const node = event.target.closest('.tr-row');
		return node && outline ? outline.rows[Number(node.id.slice(3))] : null;
	}

	box.addEventListener('click', (event) => {
		const row = rowOf(event);
		if (!row) return;
		focus = row.index;
		if (event.target.closest('.tr-twist') && foldable(row)) toggle(row, !foldOf(row));
		else choose(row.id, false);
	});

	box.addEventListener('keydown', (event) => {
		if (event.ctrlKey || event.altKey || event.metaKey || !shown.length) return;
		const here = shown.findIndex((r) => r.index === focus);
		const row = shown[here];
		const go = (to) => {
			focus = shown[Math.max(0, Math.min(shown.length - 1, to))].index;
			list.reveal(shown.findIndex((r) => r.index === focus));
			draw();
		};
		const act = {
			ArrowDown: () => go(here + 1),
			ArrowUp: () => go(here - 1),
			PageDown: () => go(here + list.page()),
			PageUp: () => go(here - list.page()),
			Home: () => go(0),
			End: () => go(shown.length - 1),
			ArrowRight: () => row && foldable(row) && (foldOf(row) ? toggle(row, false) : go(here + 1)),
			ArrowLeft: () => row && (foldable(row) && !foldOf(row) && !searching() ? toggle(row, true) : row.parent && go(shown.indexOf(row.parent))),
			Enter: () => row && choose(row.id, false),
			' ': () => row && choose(row.id, false),
			Escape: () => choose('', false),
		}[event.key];
		if (!act) return;
		event.preventDefault();
		act();
	});
	box.addEventListener('focus', () => {
		if (focus >= 0 || !shown.length) return;
		focus = shown[0].index;
		draw();
	});
	search.addEventListener('input', () => { box.scrollTop = 0; draw(); });
	search.addEventListener('keydown', (event) => {
		if (event.key === 'Escape' && search.value) search.value = '';
		else if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
		else if (shown.length) {
			const text = search.value.trim().toLowerCase();
			const hit = shown.find((r) => r.id.toLowerCase().includes(text)) || shown.find((r) => fits(r) && !r.link) || shown[0];
			focus = hit.index;
			box.focus();
			if (event.key === 'Enter') choose(hit.id, false);
		}
		event.preventDefault();
		draw();
	});
	willing.addEventListener('change', draw);
	fold.addEventListener('click', () => {
		setAttr(fold, 'aria-pressed', !onPath());
		draw();
	});

	api.store.subscribe((next) => {
		state = next;
		light = newLight(next);
		fetchTree();
		draw();
		detail.look();
	}, { tab: 'tree', keys: ['time_s', 'stack', 'scope', 'behaviors', 'definitions'] });
	api.store.onCursor(() => detail.again());

	return {
		stale() { names = ''; retryAt = 0; },
		get selected() { return selected; },
		select: (id) => { if (id !== selected) choose(id, true); },
		search: () => byId('tree-search').focus(),
	};
}
