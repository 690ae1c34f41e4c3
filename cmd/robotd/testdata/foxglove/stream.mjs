// Speaks to a robot by Foxglove's own client: node stream.mjs ws://127.0.0.1:8765. Prints what it got as JSON.
import protocol from '@foxglove/ws-protocol';
import WebSocket from 'ws';

const { FoxgloveClient } = protocol;

const client = new FoxgloveClient({ ws: new WebSocket(process.argv[2], [FoxgloveClient.SUPPORTED_SUBPROTOCOL]) });
const found = { name: '', capabilities: [], topics: [], services: [], messages: {}, parameters: [], answer: '', failure: '', errors: [] };
const topics = new Map();
const wanted = ['/stack', '/pose', '/scene', '/tf', '/log'];
let services = [];

function done() {
  console.log(JSON.stringify(found));
  process.exit(0);
}

function check() {
  if (wanted.every((t) => found.messages[t] > 0) && found.parameters.length > 0 && found.answer && found.failure) done();
}

client.on('serverInfo', (i) => { found.name = i.name; found.capabilities = i.capabilities; });
client.on('error', (e) => found.errors.push(String(e)));
client.on('status', (s) => { if (s.level > 0) found.errors.push(s.message); });
client.on('advertise', (channels) => {
  found.topics = channels.map((c) => c.topic);
  for (const c of channels) {
    JSON.parse(c.schema);
    if (wanted.includes(c.topic)) topics.set(client.subscribe(c.id), c.topic);
  }
  client.getParameters([], 'all');
});
client.on('message', (m) => {
  const topic = topics.get(m.subscriptionId);
  JSON.parse(new TextDecoder().decode(m.data));
  found.messages[topic] = (found.messages[topic] || 0) + 1;
  check();
});
client.on('parameterValues', (p) => { found.parameters = p.parameters.map((x) => x.name); check(); });
client.on('advertiseServices', (all) => {
  services = all;
  found.services = all.map((s) => s.name);
  const call = (name, body, callId) => {
    const data = new TextEncoder().encode(JSON.stringify(body));
    client.sendServiceCallRequest({ serviceId: services.find((s) => s.name === name).id, callId, encoding: 'json', data: new DataView(data.buffer) });
  };
  call('/world', { act: 'touch', seconds: 0.5 }, 1);
  call('/world', { act: 'tuch' }, 2);
});
client.on('serviceCallResponse', (r) => { found.answer = new TextDecoder().decode(r.data); check(); });
client.on('serviceCallFailure', (r) => { found.failure = r.message; check(); });
setTimeout(() => { found.errors.push('no answer to everything in time'); done(); }, 30000);
