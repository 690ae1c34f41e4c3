// What this browser keeps of the page's settings. One that keeps nothing, or forbids it, is no reason to stop.

// read is what was kept under a key; null if nothing was.
export function read(key) {
	try {
		return localStorage.getItem(key);
	} catch {
		return null;
	}
}

// write keeps a text; null forgets it.
export function write(key, text) {
	try {
		if (text === null) localStorage.removeItem(key);
		else localStorage.setItem(key, text);
	} catch { /* a browser that keeps nothing */ }
}
