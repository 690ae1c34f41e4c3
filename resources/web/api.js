// Requests to robotd. None of these functions rejects: an answer is {ok, text} or {ok, data} or {ok: false, text}.

// PATIENCE_MS is how long an answer is waited for: longer than robotd needs at most, and not for ever if a link swallows what is sent.
const PATIENCE_MS = 12000;

// post sends one command.
export async function post(path, body, patience) {
	const reply = await ask(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }, patience);
	if (!reply.ok) return reply;
	return reply.data && reply.data.ok ? { ok: true, text: reply.data.text || 'done' } : { ok: false, text: (reply.data && reply.data.error) || `${path}: refused` };
}

// change asks for a change of the definitions, or tries one: data is there whether it was done or refused.
export const change = (path, body) => ask(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

// get reads one JSON value. Parameters that are null or undefined are left out.
export function get(path, parameters, signal) {
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(parameters || {})) if (value !== null && value !== undefined && value !== '') query.set(name, value);
	return ask(query.size ? `${path}?${query}` : path, { signal });
}

async function ask(path, options, patience = PATIENCE_MS) {
	const late = AbortSignal.timeout(patience);
	try {
		const reply = await fetch(path, { ...options, signal: options.signal ? AbortSignal.any([options.signal, late]) : late });
		const raw = await reply.text();
		let data;
		try {
			data = JSON.parse(raw);
		} catch {
			return { ok: false, status: reply.status, text: `${path}: ${reply.status} ${reply.statusText} ${raw.trim().slice(0, 200)}` };
		}
		if (reply.ok) return { ok: true, status: reply.status, data };
		return { ok: false, status: reply.status, data, text: (data && data.error) || `${path}: ${reply.status} ${reply.statusText}` };
	} catch (err) {
		if (err.name === 'AbortError') return { ok: false, aborted: true, text: 'not wanted any more' };
		return { ok: false, text: `${path}: no answer from robotd (${err.message})` };
	}
}
