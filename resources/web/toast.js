// Answers to what the user asked for: a strip above the cursor bar, which covers nothing that can be used.
import { post } from './api.js';
import { byId, h } from './dom.js';

const GOOD_MS = 2800;
const BAD_MS = 12000;
const TOASTS = 4; // only the newest is seen

// toast shows an answer; errors stay longer and can be closed.
export function toast(ok, text) {
	const list = byId('toasts');
	const node = h('div', { class: ok ? 'toast' : 'toast error', role: ok ? 'status' : 'alert' }, h('span', { text }));
	node.append(h('button', { type: 'button', 'aria-label': 'Close', text: '×', onclick: () => node.remove() }));
	list.append(node);
	while (list.children.length > TOASTS) (list.querySelector('.toast:not(.error)') || list.firstChild).remove();
	setTimeout(() => node.remove(), ok ? GOOD_MS : BAD_MS);
}

// send posts a command and shows the answer.
export async function send(path, body, what) {
	const answer = await post(path, body);
	toast(answer.ok, answer.ok ? `${what}: ${answer.text}` : answer.text);
	return answer.ok;
}
