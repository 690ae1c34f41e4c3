// The reference of the control API, made from /v1/openapi.json.

const root = document.getElementById('docs');

function el(name, text, ...children) {
  const e = document.createElement(name);
  if (text) e.textContent = text;
  e.append(...children);
  return e;
}

// typeOf is a short text of a schema, with a link to each type of the document.
function typeOf(schema) {
  if (!schema) return document.createTextNode('any');
  if (schema.$ref) return link(schema.$ref.split('/').pop());
  if (schema.allOf) return typeOf(schema.allOf[0]);
  if (schema.type === 'array') return el('span', '', 'list of ', typeOf(schema.items));
  if (schema.type === 'object' && schema.additionalProperties?.type) return el('span', '', 'object of ', typeOf(schema.additionalProperties));
  return document.createTextNode(schema.type || 'any');
}

function link(name) {
  const a = el('a', name);
  a.href = `#${name}`;
  a.addEventListener('click', () => { document.getElementById(name).open = true; });
  return a;
}

function table(rows) {
  const t = el('table');
  for (const [name, schema, text] of rows) {
    t.append(el('tr', '', el('th', '', el('code', name)), el('td', '', typeOf(schema)), el('td', text || '')));
  }
  return t;
}

const fields = (schema) => Object.entries(schema.properties || {}).map(([k, p]) => [k, p, p.description]);

function operation(path, method, op) {
  const d = el('details', '', el('summary', '', el('code', `${method.toUpperCase()} ${path}`), el('span', op.summary)));
  if (op.parameters) d.append(el('h3', 'Query'), table(op.parameters.map((p) => [p.name, p.schema, p.description])));
  const body = op.requestBody?.content['application/json'].schema;
  if (body) d.append(el('p', '', 'Body: ', body.$ref ? typeOf(body) : el('code', '{}')));
  const [kind, answer] = Object.entries(op.responses['200'].content)[0];
  d.append(el('p', '', 'Answer: ', kind === 'application/json' ? typeOf(answer.schema) : el('code', kind)));
  return d;
}

function show(doc) {
  document.getElementById('wait').remove();
  root.append(el('p', doc.info.description), el('p', '', 'As OpenAPI: ', Object.assign(el('a', '/v1/openapi.json'), { href: '/v1/openapi.json' })));
  const tags = new Map();
  for (const [path, item] of Object.entries(doc.paths)) {
    for (const [method, op] of Object.entries(item)) {
      const tag = op.tags[0];
      if (!tags.has(tag)) tags.set(tag, []);
      tags.get(tag).push(operation(path, method, op));
    }
  }
  for (const [tag, ops] of tags) root.append(el('h2', tag), ...ops);
  const types = el('section', '', el('h2', 'types'));
  types.className = 'types';
  for (const [name, schema] of Object.entries(doc.components.schemas)) {
    const d = el('details', '', el('summary', '', el('code', name), el('span', schema.description || '')), table(fields(schema)));
    d.id = name;
    types.append(d);
  }
  root.append(types);
}

try {
  const answer = await fetch('/v1/openapi.json');
  if (!answer.ok) throw new Error(answer.statusText);
  show(await answer.json());
} catch (e) {
  document.getElementById('wait').textContent = `The document cannot be read: ${e.message}`;
}
