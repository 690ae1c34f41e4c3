// Reads a recording with Foxglove's reference reader, from its begin and by its index, and prints how many messages it found. JSON messages
// are parsed. A file without an end, which a killed process leaves, has no index.
import { McapIndexedReader, McapStreamReader } from "@mcap/core";
import { decompress } from "fzstd";
import { readFileSync } from "node:fs";

const data = readFileSync(process.argv[2]);
const decompressHandlers = { zstd: (bytes, size) => decompress(bytes, new Uint8Array(Number(size))) };
const found = { streamed: 0, indexed: 0, whole: false, first: 0, tape: 0, schemas: [], attachments: [] };

const stream = new McapStreamReader({ decompressHandlers, validateCrcs: true, includeChunks: false });
stream.append(data);
const channels = new Map();
for (let record; (record = stream.nextRecord()); ) {
  if (record.type === "Channel") channels.set(record.id, record);
  if (record.type === "Attachment") found.attachments.push(record.name);
  if (record.type === "Schema" && !found.schemas.includes(record.name)) {
    JSON.parse(new TextDecoder().decode(record.data));
    found.schemas.push(record.name);
  }
  if (record.type !== "Message") continue;
  const channel = channels.get(record.channelId);
  found.streamed++;
  if (channel.metadata.get("kind") !== "repeated" && channel.topic !== "/recorder") found.first++;
  if (channel.messageEncoding === "json") JSON.parse(new TextDecoder().decode(record.data));
  if (channel.topic === "/tape") found.tape++;
}
found.whole = stream.done();

if (found.whole) {
  const readable = {
    size: async () => BigInt(data.length),
    read: async (offset, length) => data.subarray(Number(offset), Number(offset + length)),
  };
  const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
  let last = 0n;
  for await (const message of reader.readMessages()) {
    if (message.logTime < last) throw new Error(`message ${found.indexed} is older than the one before`);
    last = message.logTime;
    found.indexed++;
  }
}
console.log(JSON.stringify(found));
