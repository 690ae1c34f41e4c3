// The reference of behavior files, made from /v1/reference/markdown: the Markdown that robotd writes, and no other.

const root = document.getElementById('reference');

function el(name, props, ...children) {
  const e = Object.assign(document.createElement(name), props);
  e.append(...children);
  return e;
}

// words makes text with `code`, **bold** and [links](#there).
function words(text) {
  return text.replaceAll('\\|', '|').split(/(`[^`]*`|\*\*.*?\*\*|\[[^\]]*\]\(#[^)]*\))/).map((part) => {
    if (part.startsWith('`')) return el('code', {}, part.slice(1, -1));
    if (part.startsWith('**')) return el('b', {}, ...words(part.slice(2, -2)));
    const link = part.match(/^\[(.*)\]\((#.*)\)$/);
    return link ? el('a', { href: link[2] }, link[1]) : part;
  });
}

const anchor = (text) => text.toLowerCase().replaceAll(' ', '-');
const cells = (line) => line.slice(1, -1).split(/(?<!\\)\|/).map((c) => c.trim());

function table(lines) {
  const [head, , ...rows] = lines.map(cells);
  const t = el('table', {}, el('thead', {}, el('tr', {}, ...head.map((c) => el(c ? 'th' : 'td', {}, ...words(c))))));
  t.append(el('tbody', {}, ...rows.map((row) => el('tr', {}, ...row.map((c) => el('td', {}, ...words(c)))))));
  return t;
}

// parse makes a list of sections: a heading, and what stands below it.
function parse(text) {
  const sections = [];
  let body = root;
  const lines = text.split('\n');
  const take = (is) => {
    const taken = [];
    while (lines.length && is(lines[0])) taken.push(lines.shift());
    return taken;
  };
  while (lines.length) {
    const line = lines[0];
    const heading = line.match(/^(#{1,3}) (.*)$/);
    if (heading) {
      lines.shift();
      const level = heading[1].length;
      body = el('section', {}, el(`h${level}`, { id: anchor(heading[2]) }, ...words(heading[2])));
      sections.push({ body, name: heading[2].toLowerCase(), level });
      root.append(body);
    } else if (line.startsWith('```')) {
      lines.shift();
      body.append(el('pre', { tabIndex: 0 }, take((l) => !l.startsWith('```')).join('\n')));
      lines.shift();
    } else if (line.startsWith('|')) {
      body.append(table(take((l) => l.startsWith('|'))));
    } else if (line.startsWith('* ')) {
      body.append(el('ul', {}, ...take((l) => l.startsWith('* ')).map((l) => el('li', {}, ...words(l.slice(2))))));
    } else if (line === '') {
      lines.shift();
    } else {
      body.append(el('p', {}, ...words(take((l) => l !== '' && !/^(```|\||\* |#)/.test(l)).join(' '))));
    }
  }
  return sections;
}

// search shows the things whose name has the letters, and all sections without letters.
function search(sections) {
  const input = el('input', { type: 'search', placeholder: 'Search classes, conditions, files', ariaLabel: 'Search the reference' });
  input.addEventListener('input', () => {
    const letters = input.value.trim().toLowerCase();
    for (const s of sections) s.body.hidden = letters !== '' && !(s.level === 3 && s.name.includes(letters));
  });
  const form = el('form', { role: 'search' }, input);
  form.addEventListener('submit', (event) => event.preventDefault());
  root.prepend(form);
}

try {
  const answer = await fetch('/v1/reference/markdown');
  if (!answer.ok) throw new Error((await answer.json()).error || answer.statusText);
  const text = await answer.text();
  document.getElementById('wait').remove();
  search(parse(text));
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
} catch (e) {
  document.getElementById('wait').textContent = `The reference cannot be read: ${e.message}`;
}
