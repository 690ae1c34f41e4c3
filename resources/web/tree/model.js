// The outline of the delegate graph: pure data, no document. Each behavior is opened once, where it is nearest to the bottom of the
// stack; every other place is a link to it.

// words is what a search looks through: not the names of other behaviors, or each would be found at those who list it too.
function words(n, byId) {
	const params = JSON.stringify(n.params || {}, (_, v) => (typeof v === 'string' && byId.has(v) ? '' : v));
	return [n.id, n.class, n.label, n.state, n.doc, n.file, params].join(' ').toLowerCase();
}

// children lists whom a behavior may give control to, in the order of asking, then whom it only asks, then its own anonymous ones.
function children(node, byId, owned) {
	const ids = [...(node.delegates || []), ...(node.links || []), ...(owned.get(node.id) || [])];
	return [...new Set(ids)].filter((id) => byId.has(id));
}

// homes chooses for each behavior the place where it is opened: breadth first, an anonymous one always under its owner.
function homes(roots, kids, byId) {
	const home = new Map();
	const queue = [...roots];
	for (const id of roots) home.set(id, '');
	for (let i = 0; i < queue.length; i++) {
		for (const id of kids.get(queue[i])) {
			const owner = byId.get(id).owner;
			if (home.has(id) || (owner && byId.has(owner) && owner !== queue[i])) continue;
			home.set(id, queue[i]);
			queue.push(id);
		}
	}
	return home;
}

// newOutline makes the rows of a tree of /v1/tree: {rows, byId, at}, where at maps an ID to the index of the row that opens it.
// A row is {index, id, node, parent, parentID, level, pos, size, link, asksOnly, end, text}; rows from index + 1 to end are below it.
export function newOutline(tree) {
	const byId = new Map(tree.nodes.map((n) => [n.id, n]));
	const owned = new Map();
	for (const n of tree.nodes) if (n.owner) owned.set(n.owner, [...(owned.get(n.owner) || []), n.id]);
	const kids = new Map(tree.nodes.map((n) => [n.id, children(n, byId, owned)]));
	const named = new Set([...kids.values()].flat());
	const roots = [...(byId.has(tree.base) ? [tree.base] : []), ...tree.nodes.map((n) => n.id).filter((id) => !named.has(id) && id !== tree.base)];
	let home = homes(roots, kids, byId);
	for (const n of tree.nodes) { // only behaviors in a circle that nothing leads to
		if (home.has(n.id)) continue;
		roots.push(n.id);
		home = homes(roots, kids, byId);
	}
	const rows = [];
	const at = new Map();

	function add(id, parent, pos, size) {
		const node = byId.get(id);
		const parentID = parent ? parent.id : '';
		const link = home.get(id) !== parentID || at.has(id);
		const row = { index: rows.length, id, node, parent, parentID, level: parent ? parent.level + 1 : 1, pos, size, link, text: words(node, byId) };
		row.asksOnly = Boolean(parent) && !(parent.node.delegates || []).includes(id);
		rows.push(row);
		if (!link) {
			at.set(id, row.index);
			const below = kids.get(id);
			below.forEach((kid, i) => add(kid, row, i + 1, below.length));
		}
		row.end = rows.length;
	}
	roots.forEach((id, i) => add(id, null, i + 1, roots.length));
	return { rows, byId, at, askers: askersOf(tree.nodes) };
}

function askersOf(nodes) {
	const askers = new Map();
	for (const n of nodes) for (const id of n.delegates || []) askers.set(id, [...(askers.get(id) || []), n.id]);
	return askers;
}

// unfolded returns the rows that are not below a folded one.
export function unfolded(rows, folded) {
	const seen = [];
	for (let i = 0; i < rows.length;) {
		seen.push(rows[i]);
		i = folded.has(rows[i].id) && !rows[i].link ? rows[i].end : i + 1;
	}
	return seen;
}

// matching returns the rows that fit, and those above them. Links to a behavior do not count: it is found where it is opened.
export function matching(rows, fits) {
	const keep = new Set();
	for (const row of rows) {
		if (row.link || !fits(row)) continue;
		for (let r = row; r && !keep.has(r); r = r.parent) keep.add(r);
	}
	return rows.filter((r) => keep.has(r));
}

// newLight tells for each row what the robot does with its behavior: light(row) is {live, entry, layer}.
// live is "control", "path" (the stack goes through this very row), "also" (active, but reached by another row), "scope" or "".
export function newLight(state) {
	const stack = (state && state.stack) || [];
	const depth = new Map(stack.map((layer, i) => [layer.id, i]));
	const scope = new Map(((state && state.scope) || []).map((e) => [e.id, e]));
	return (row) => {
		const i = depth.get(row.id);
		if (i !== undefined) {
			const below = i === 0 ? '' : stack[i - 1].id;
			if (below === row.parentID || (i === 0 && !row.link)) return { live: stack[i].in_control ? 'control' : 'path', layer: stack[i] };
			return { live: 'also', layer: stack[i] };
		}
		const entry = scope.get(row.id);
		if (entry && (!row.link || entry.asker === row.parentID)) return { live: 'scope', entry };
		return { live: '' };
	};
}
