// Words over the picture, as elements of the document so that they stay crisp and can be read aloud: what the robot says, how it is
// held, who the people are, where the robot believes to be.

const MAX_CHARS = 120;
const TILT_RAD = 0.05; // less is not worth a word

function label(host, cls) {
	const el = document.createElement('div');
	el.className = `w3-label ${cls}`;
	el.hidden = true;
	host.append(el);
	return el;
}

const text = (el, value) => {
	if (el.textContent !== value) el.textContent = value;
};

// badgeOf tells in a word or two what is unusual about how the robot stands.
export function badgeOf(state) {
	const w = state.world;
	const treads = state.body.treads || 'OnTreads';
	if (w && w.robot.fallen) return { text: 'fallen off', tone: 'bad' };
	if (w && w.robot.held) return { text: treads === 'OnTreads' ? 'held' : `held · ${treads}`, tone: 'warn' };
	if (treads !== 'OnTreads') return { text: treads, tone: 'warn' };
	if (state.body.charging) return { text: 'charging', tone: 'good' };
	const tilt = w && !state.body.on_charger ? Math.hypot(w.robot.pitch_rad || 0, w.robot.roll_rad || 0) : 0;
	if (tilt > TILT_RAD) return { text: `tilts by ${(tilt * 180 / Math.PI).toFixed(0)}°`, tone: 'warn' };
	return { text: '', tone: '' };
}

// newLabels returns {update(state, what), place(project)}; project(x, y, z) gives a point of the picture or null.
export function newLabels(host) {
	const says = label(host, 'w3-says');
	const badge = label(host, 'w3-badge');
	const belief = label(host, 'w3-belief');
	const range = label(host, 'w3-range');
	const people = new Map();
	const anchors = new Map(); // element to [x, y, z]

	function put(el, at, wanted) {
		el.hidden = !wanted;
		if (wanted) anchors.set(el, at);
		else anchors.delete(el);
	}

	function names(list) {
		const seen = new Set();
		for (const { id, name } of list) {
			seen.add(id);
			let el = people.get(id);
			if (!el) people.set(id, el = label(host, 'w3-name'));
			text(el, name || 'someone');
		}
		for (const [id, el] of people) {
			if (seen.has(id)) continue;
			anchors.delete(el);
			el.remove();
			people.delete(id);
		}
	}

	return {
		// update sets the words; speech is what the robot says aloud, reading the text at the beam.
		update(state, { speech, reading }) {
			const b = badgeOf(state);
			text(says, speech.length > MAX_CHARS ? speech.slice(0, MAX_CHARS) + ' …' : speech);
			text(badge, b.text);
			badge.dataset.tone = b.tone;
			text(range, reading);
			text(belief, 'believes');
			names(state.world ? state.world.faces : []);
		},
		// place hangs the words on what they belong to; the lowest foot pixels of the picture are not free.
		place(at, project, size, foot) {
			put(says, at.robotTop, says.textContent !== '');
			put(badge, at.robotFoot, badge.textContent !== '');
			put(belief, at.belief, Boolean(at.belief));
			put(range, at.range, Boolean(at.range) && range.textContent !== '');
			for (const [id, el] of people) put(el, at.people.get(id), at.people.has(id));
			let outs = 0; // names of people out of the picture stand above each other
			for (const [el, p] of anchors) {
				const q = project(p);
				const out = !q || q.x < -20 || q.y < -20 || q.x > size.w + 20 || q.y > size.h + 20;
				const person = el.classList.contains('w3-name');
				const keep = el === says || person; // who speaks and who is there stays in sight, even out of the picture
				if (person) el.dataset.out = out ? 'yes' : 'no';
				el.style.visibility = out && !keep ? 'hidden' : 'visible';
				if (out && !keep) continue;
				const half = out || keep ? Math.min(size.w / 2, el.offsetWidth / 2 + 6) : 0;
				const x = Math.max(half, Math.min(size.w - half, q ? q.x : size.w / 2));
				const y = keep ? Math.max(el.offsetHeight + 52, Math.min(size.h - 8 - foot - (out && person ? 26 * outs++ : 0), q ? q.y : size.h)) : Math.min(size.h - 4, q.y);
				el.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -100%)`;
			}
		},
	};
}
