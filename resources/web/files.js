// The files of the definitions: a list with where each comes from, an editor that is checked while somebody types, and the way back.
import { byId, h, keyed, setAttr, setText } from './dom.js';

const TYPED_MS = 300; // after the last letter
const LISTED = 100; // findings

// planText counts what becomes of the behaviors, and names those that do not stay as they are.
function planText(plan) {
	const parts = ['added', 'changed', 'restarted', 'removed'].filter((k) => plan[k] && plan[k].length).map((k) => `${k}: ${plan[k].join(', ')}`);
	for (const [key, name] of [['boot', 'boot configuration'], ['mood', 'mood data'], ['animations', 'animations']]) if (plan[key]) parts.push(name);
	return parts.length ? `${parts.join(' · ')} · ${(plan.untouched || []).length} untouched` : `no behavior changes, ${(plan.untouched || []).length} untouched`;
}

// mountFiles wires the view. onChange is called when the definitions changed.
export function mountFiles(api, onChange) {
	const text = byId('file-text');
	const search = byId('file-search');
	let files = [];
	let folder = '';
	let open = null; // the file as it is on disk
	let timer = 0;
	let asked = 0; // number of the newest check; older answers are dropped
	let loading = 0; // number of the newest file that was asked for
	let good = false; // the newest check passed

	const edited = () => open !== null && text.value !== open.text;
	const edit = () => ({ path: open.path, text: text.value, was: open.sum }); // a file that somebody else changed meanwhile stays as it is

	function buttons() {
		byId('file-apply').disabled = !edited() || !good || !folder;
		byId('file-revert').disabled = !edited();
		byId('file-remove').hidden = !open || open.from !== 'edited';
		text.disabled = open === null;
	}

	function draw() {
		const words = search.value.trim().toLowerCase();
		const shown = files.filter((f) => `${f.path} ${f.id || ''} ${f.class || ''}`.toLowerCase().includes(words));
		keyed(byId('file-rows'), shown, (f) => f.path,
			(f) => h('li', {}, h('button', { type: 'button', class: 'fl-row', onclick: () => load(f.path) }, h('span', { class: 'fl-path', text: f.path }), h('span', { class: 'fl-from' }))),
			(node, f) => {
				setText(node.querySelector('.fl-from'), f.differs ? `${f.from}, not what runs` : f.from);
				setAttr(node.firstChild, 'aria-current', String(open !== null && open.path === f.path));
			});
		setText(byId('file-sum'), words ? `${shown.length} of ${files.length} files` : `${files.length} files`);
	}

	function say(line, tone) {
		setText(byId('file-said'), line);
		setAttr(byId('file-said'), 'data-tone', tone || '');
	}

	// goTo puts the caret at a finding.
	function goTo(f) {
		const lines = text.value.split('\n');
		const line = Math.max(1, Math.min(f.line || 1, lines.length));
		const at = lines.slice(0, line - 1).reduce((n, l) => n + l.length + 1, 0) + Math.max(0, (f.col || 1) - 1);
		text.focus();
		text.setSelectionRange(at, at);
		text.scrollTop = (line - 4) * parseFloat(getComputedStyle(text).lineHeight || '18');
	}

	function findings(all) {
		const own = (f) => (open && f.file === open.path ? 0 : 1);
		const list = [...(all || [])].sort((a, b) => own(a) - own(b)).slice(0, LISTED);
		keyed(byId('file-findings'), list, (f) => `${f.file}:${f.line}:${f.col} ${f.code} ${f.message}`, (f) => {
			const where = `${open && f.file === open.path ? '' : `${f.file || ''}:`}${f.line || ''}:${f.col || ''}`.replace(/:+$/, '');
			const what = h('span', {}, h('b', { text: `${f.severity} ` }), f.message, f.hint ? ` — ${f.hint}` : '');
			return h('li', { 'data-tone': f.severity === 'error' ? 'bad' : 'warn' },
				open && f.file === open.path ? h('button', { type: 'button', class: 'link', text: where || 'file', onclick: () => goTo(f) }) : h('span', { class: 'small dim', text: where }), what);
		});
	}

	// told shows what came of a check or of a change.
	function told(c) {
		findings(c.findings);
		byId('file-rollback').disabled = !c.back;
		if (c.ok) say(`${c.result}: ${c.plan ? planText(c.plan) : c.text || ''}`, 'good');
		else say(c.error || c.result || 'no answer', 'bad');
	}

	async function check() {
		const number = ++asked;
		if (!edited()) {
			good = false;
			buttons();
			findings([]);
			say(open ? 'as it is on disk' : '');
			return;
		}
		say('checking …');
		const reply = await api.change('/v1/behaviors/check', edit());
		if (number !== asked) return;
		good = reply.data ? reply.data.ok === true : false;
		if (reply.data) told(reply.data);
		else say(reply.text, 'bad');
		buttons();
	}

	async function change(path, body) {
		clearTimeout(timer);
		asked++;
		say('…');
		const reply = await api.change(path, body);
		const mine = open && reply.data && reply.data.ok && body.path === open.path;
		if (mine && !body.remove) Object.assign(open, { text: body.text, sum: reply.data.sum }); // at once: what is typed from now on is a new edit
		if (reply.data && reply.data.result) {
			told(reply.data);
			if (reply.data.ok) onChange();
		} else say(reply.text || 'no answer', 'bad');
		const said = byId('file-said').textContent;
		const tone = byId('file-said').dataset.tone;
		await list();
		if (mine && body.remove) await load(body.path, true);
		else if (open) {
			known();
			draw();
			buttons();
		}
		say(said, tone);
		return reply;
	}

	async function load(path, quiet) {
		if (!quiet && edited() && !window.confirm(`Drop the changes of ${open.path}?`)) return;
		const number = ++loading;
		const before = text.value;
		const reply = await api.get('/v1/behaviors/file', { path });
		if (number !== loading || (!quiet && text.value !== before)) return; // another file is wanted, or somebody went on typing
		if (!reply.ok) {
			say(reply.text, 'bad');
			return;
		}
		open = { path: reply.data.path, from: reply.data.from, differs: reply.data.differs, text: reply.data.text || '', sum: reply.data.sum };
		text.value = open.text;
		open.text = text.value; // a field ends its lines in one way
		good = false;
		setText(byId('file-title'), path);
		origin();
		findings([]);
		if (!quiet) say('as it is on disk');
		draw();
		buttons();
	}

	// known takes over what the list says of the open file.
	function known() {
		const f = files.find((one) => one.path === open.path);
		if (f) Object.assign(open, { from: f.from, differs: f.differs });
		origin();
	}

	function origin() {
		const differs = open.differs ? ' · the robot runs another text: Reload takes this one' : '';
		setText(byId('file-origin'), `from ${open.from}${differs}${folder ? ` · edits go to ${folder}` : ' · nothing can be written'}`);
	}

	async function list() {
		const reply = await api.get('/v1/behaviors/files');
		if (!reply.ok) {
			setAttr(byId('file-rows'), 'data-empty', reply.text);
			return;
		}
		files = reply.data.files;
		folder = reply.data.folder;
		byId('file-rollback').disabled = !reply.data.back;
		draw();
	}

	text.addEventListener('input', () => {
		good = false;
		buttons();
		clearTimeout(timer);
		timer = setTimeout(check, TYPED_MS);
	});
	text.addEventListener('keydown', (event) => {
		if (!(event.ctrlKey || event.metaKey) || event.key !== 's') return;
		event.preventDefault();
		if (!byId('file-apply').disabled) byId('file-apply').click();
	});
	search.addEventListener('input', draw);
	byId('file-apply').addEventListener('click', () => change('/v1/behaviors/apply', edit()));
	byId('file-remove').addEventListener('click', () => {
		if (window.confirm(`Delete ${open.path} in ${folder}? Its text is gone then; a built-in file of that name takes its place.`)) change('/v1/behaviors/apply', { path: open.path, remove: true, was: open.sum });
	});
	addEventListener('beforeunload', (event) => { if (edited()) event.preventDefault(); });
	byId('file-rollback').addEventListener('click', () => change('/v1/behaviors/rollback', {}));
	byId('file-reload').addEventListener('click', () => change('/v1/behaviors/reload', {}));
	byId('file-revert').addEventListener('click', () => {
		text.value = open.text;
		check();
	});
	buttons();
	return { show: list };
}
