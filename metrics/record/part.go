package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"math"
	"strconv"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"
)

// A sinkFile is what a part writes to: an *os.File.
type sinkFile interface {
	io.WriteCloser
	Sync() error
	Truncate(size int64) error
}

// A part is one file that is being written. After an error it is good for nothing but close.
type part struct {
	file     sinkFile
	size     int64        // of what is in the file
	head     int64        // of what it begins with
	pending  bytes.Buffer // what the MCAP writer wrote since the last flush
	w        *mcap.Writer
	opts     *mcap.WriterOptions // of w, which reads them whenever it writes a message
	begin    uint64              // of the life, in nanoseconds
	topics   []Topic
	declared map[uint16]bool
	json     []byte
}

// A head is what every part of a life begins with.
type head struct {
	life   Life
	topics []Topic
	tree   []byte // zip; nil for none
}

// newPart writes the head of a file.
func newPart(file sinkFile, h *head, number int, packer *chunkPacker) (*part, error) {
	p := &part{file: file, begin: h.life.beginNS(), topics: h.topics, declared: map[uint16]bool{}}
	p.opts = &mcap.WriterOptions{
		IncludeCRC: true, Chunked: true, ChunkSize: math.MaxInt64,
		Compressor: mcap.NewCustomCompressor(mcap.CompressionZSTD, packer),
	}
	w, err := mcap.NewWriter(&p.pending, p.opts)
	if err != nil {
		return nil, err
	}
	p.w = w
	if err := p.begins(h, number); err != nil {
		return nil, err
	}
	err = p.flush()
	p.head = p.size
	return p, err
}

// begins writes who was recorded, and the resources.
func (p *part) begins(h *head, number int) error {
	life, err := json.Marshal(h.life)
	if err != nil {
		return err
	}
	names := make([]topicName, len(h.topics))
	for i, t := range h.topics {
		names[i] = topicName{t.Name, t.Opaque}
	}
	topics, err := json.Marshal(names)
	if err != nil {
		return err
	}
	if err := p.w.WriteHeader(&mcap.Header{Profile: profile, Library: "robotd " + h.life.Version}); err != nil {
		return err
	}
	err = p.w.WriteMetadata(&mcap.Metadata{Name: metaLife, Metadata: map[string]string{
		"format": strconv.Itoa(formatVersion), "part": strconv.Itoa(number), "life": string(life), "topics": string(topics),
	}})
	if err != nil || h.tree == nil {
		return err
	}
	return p.w.WriteAttachment(&mcap.Attachment{
		LogTime: p.begin, CreateTime: p.begin, Name: resourcesName, MediaType: "application/zip", DataSize: uint64(len(h.tree)), Data: bytes.NewReader(h.tree),
	})
}

// flush writes what is pending in one piece. A file keeps nothing of a piece that fails.
func (p *part) flush() error {
	n, err := p.file.Write(p.pending.Bytes())
	if err == nil && n < p.pending.Len() {
		err = io.ErrShortWrite
	}
	if err != nil {
		_ = p.file.Truncate(p.size)
		return err
	}
	p.size += int64(n)
	p.pending.Reset()
	return nil
}

// gap tells of ticks that are missing before the next chunk. No chunk is open.
func (p *part) gap(g Gap) error {
	return p.w.WriteMetadata(&mcap.Metadata{Name: metaGap, Metadata: map[string]string{
		"from_tick": strconv.FormatUint(g.From.Tick, 10), "from_ns": strconv.FormatInt(int64(g.From.At), 10),
		"to_tick": strconv.FormatUint(g.To.Tick, 10), "to_ns": strconv.FormatInt(int64(g.To.At), 10), "reason": g.Reason,
	}})
}

// add writes one message of the i-th topic into the open chunk, whose first tick is now.
func (p *part) add(topic int, e *entry, now Instant) error {
	t := &p.topics[topic]
	id := channelID(topic, e.kind)
	if err := p.declare(id, t, e.kind); err != nil {
		return err
	}
	p.json = p.json[:0]
	if t.Opaque {
		p.json = append(p.json, e.Data...)
	} else {
		p.json = wrap(p.json, &e.Message)
	}
	return p.w.WriteMessage(&mcap.Message{
		ChannelID: id, Sequence: uint32(e.Tick), LogTime: p.begin + uint64(max(e.At, now.At)), PublishTime: p.begin + uint64(e.At), Data: p.json,
	})
}

// declare writes schema and channel before the first message of a channel.
func (p *part) declare(id uint16, t *Topic, k kind) error {
	if p.declared[id] {
		return nil
	}
	p.declared[id] = true
	c := &mcap.Channel{ID: id, Topic: t.Name, MessageEncoding: "json", Metadata: map[string]string{"kind": k.String()}}
	if t.Doc != "" {
		c.Metadata["doc"] = t.Doc
	}
	switch {
	case t.Opaque:
		c.MessageEncoding = tapeEncoding
	case t.Schema != "":
		c.SchemaID = schemaID(id)
		if err := p.w.WriteSchema(&mcap.Schema{ID: c.SchemaID, Name: cmp.Or(t.SchemaName, "robotd."+t.Name), Encoding: "jsonschema", Data: []byte(t.Schema)}); err != nil {
			return err
		}
	}
	return p.w.WriteChannel(c)
}

// schemaID is the schema of a channel: that of its topic.
func schemaID(channel uint16) uint16 {
	if channel == markChannel {
		return 1
	}
	topic, _ := topicOf(channel)
	return uint16(topic) + 2
}

// end closes the open chunk with a mark and writes it.
func (p *part) end(s span) error {
	mark := Topic{Name: markTopic, Schema: markSchema, Doc: "The ticks of a chunk"}
	if err := p.declare(markChannel, &mark, changed); err != nil {
		return err
	}
	text, err := json.Marshal(markOf(s))
	if err != nil {
		return err
	}
	now := p.begin + uint64(s.last.At)
	p.opts.ChunkSize = -1 // the chunk ends with this message
	err = p.w.WriteMessage(&mcap.Message{ChannelID: markChannel, Sequence: uint32(s.last.Tick), LogTime: now, PublishTime: now, Data: text})
	p.opts.ChunkSize = math.MaxInt64
	if err != nil {
		return err
	}
	return p.flush()
}

// close completes the file: index and footer. No chunk is open.
func (p *part) close() error {
	if err := p.w.Close(); err != nil {
		return err
	}
	return p.flush()
}

// A chunkPacker is the compressor of all parts of a writer.
type chunkPacker struct{ *zstd.Encoder }

// Reset drops what an abandoned part left.
func (c *chunkPacker) Reset(w io.Writer) { c.Encoder.Reset(w) }

func newChunkPacker() *chunkPacker { return &chunkPacker{newPacker(chunkWindow)} }
