// The link to robotd: states come in over Server-Sent Events, first a whole one, then the keys that changed.

const SILENT_MS = 4000; // robotd says something at least once a second
const RETRY_MS = [500, 1000, 2000, 4000];
const OLD_MS = 400; // a page that is seen again calls its old state live for no longer
const ASLEEP_MS = 3000; // a hidden page lets go of its stream after this long, and gets one whole state when it is seen again

// connect opens the stream and keeps it open. on.state(object) gets each whole state, on.change(object) the keys that changed,
// on.link({up, why, retryAt}) each change of the link. It returns {retry} to try again without waiting.
export function connect(url, on) {
	let source = null;
	let timer = 0;
	let failures = 0;
	let heardAt = 0;
	let up = null;
	let asleep = false;
	let sleepTimer = 0;

	const link = (next, why, retryAt) => {
		up = next;
		on.link({ up, why, retryAt });
	};

	function take(take) {
		return (event) => {
			heardAt = performance.now();
			let data;
			try {
				data = JSON.parse(event.data);
			} catch (err) {
				link(false, `robotd sent a state that cannot be read: ${err.message}.`, 0);
				return;
			}
			if (data.error && data.tick === undefined) {
				link(false, `robotd could not send its state: ${data.error}.`, 0);
				return;
			}
			failures = 0;
			take(data);
			if (up !== true) link(true, '', 0);
		};
	}

	function open() {
		clearTimeout(timer);
		if (source) source.close();
		heardAt = performance.now();
		source = new EventSource(url);
		source.addEventListener('state', take(on.state));
		source.addEventListener('change', take(on.change));
		source.addEventListener('quiet', () => { heardAt = performance.now(); });
		source.onerror = () => lost('The connection to robotd broke.');
	}

	function lost(why) {
		source.close();
		source = null;
		const wait = RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)];
		link(false, why, performance.now() + wait);
		timer = setTimeout(open, wait);
	}

	function sleep() {
		asleep = true;
		clearTimeout(timer);
		if (source) source.close();
		source = null;
	}

	function look() {
		clearTimeout(sleepTimer);
		if (document.hidden) sleepTimer = setTimeout(sleep, ASLEEP_MS);
		else if (asleep) {
			asleep = false;
			open();
			const since = heardAt;
			sleepTimer = setTimeout(() => { if (heardAt === since && up) link(false, 'Asking for the newest state.', 0); }, OLD_MS);
		}
	}
	document.addEventListener('visibilitychange', look);
	look(); // the page may have been loaded where nobody sees it
	let lookedAt = 0;
	setInterval(() => {
		const late = performance.now() - lookedAt > 1500; // the page itself stood still, and has not read what came meanwhile
		lookedAt = performance.now();
		if (late) heardAt = lookedAt;
		if (source && !document.hidden && performance.now() - heardAt > SILENT_MS) lost('robotd has gone silent.');
	}, 500);
	open();
	return { retry: () => !asleep && open() };
}
