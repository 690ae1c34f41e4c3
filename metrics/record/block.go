package record

import (
	"encoding/binary"
	"sync"
	"time"
	"unsafe"

	"github.com/klauspost/compress/zstd"
)

// A block is a segment of a [Memory]. While it is open, its entries stand in order in bytes that only grow. Once it is closed, each topic
// has a compressed section of its own, so that who reads some topics unpacks no other.
type block struct {
	span
	head     int    // size of the keyframe
	raw      []byte // while it is open
	packed   []byte // once it is closed: its sections one after the other
	sections []section
}

// A section is the entries of one topic.
type section struct {
	topic uint64 // its number
	end   int    // in packed
}

// Bits of the first number of an entry, above its kind.
const goneBit = 1 << 2

// A header is what stands of an entry before its bytes. In an open block it counts from the block's first instant.
type header struct {
	flags uint64
	now   Instant
}

func (h *header) kind() kind { return kind(h.flags &^ goneBit) }

// add appends an entry: kind, tick and time after the block's first, topic, key, data.
func (b *block) add(e entry, number func(topic string) uint64) {
	flags := uint64(e.kind)
	if e.Data == nil {
		flags |= goneBit
	}
	b.raw = binary.AppendUvarint(b.raw, flags)
	b.raw = binary.AppendVarint(b.raw, int64(e.Tick-b.first.Tick))
	b.raw = binary.AppendVarint(b.raw, int64(e.At-b.first.At))
	b.raw = binary.AppendUvarint(b.raw, number(e.Topic))
	b.raw = appendBytes(b.raw, e.Key)
	b.raw = appendBytes(b.raw, e.Data)
}

func appendBytes[T string | []byte](to []byte, b T) []byte {
	return append(binary.AppendUvarint(to, uint64(len(b))), b...)
}

func (b *block) cost() int {
	return len(b.packed) + len(b.sections)*int(unsafe.Sizeof(section{})) + int(unsafe.Sizeof(*b))
}

// unpacker decompresses blocks and chunks; DecodeAll is safe for concurrent use.
var unpacker = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(maxChunk))
	if err != nil {
		panic(err) // the options are constants
	}
	return d
})

// A stack is a shelf of blocks.
type stack struct {
	topics []string
	blocks []*block
}

func (s *stack) len() int                { return len(s.blocks) }
func (s *stack) span(i int) (span, bool) { return s.blocks[i].span, true }

func (s *stack) walk(i int, want func(topic string) bool, see func(*entry) bool) (span, bool) {
	b := s.blocks[i]
	if b.packed == nil {
		s.walkOpen(b, want, see)
		return b.span, true
	}
	var lanes []lane
	from := 0
	for _, part := range b.sections {
		if part.topic != instants && want(s.topics[part.topic]) {
			raw, err := unpacker().DecodeAll(b.packed[from:part.end], nil)
			if err != nil {
				return b.span, false
			}
			l := lane{fields: fields{raw}, now: b.first}
			l.Topic = s.topics[part.topic]
			l.next()
			lanes = append(lanes, l)
		}
		from = part.end
	}
	merge(lanes, see)
	return b.span, true
}

func (s *stack) walkOpen(b *block, want func(topic string) bool, see func(*entry) bool) {
	wants := make([]bool, len(s.topics))
	for i, topic := range s.topics {
		wants[i] = want(topic)
	}
	r := fields{b.raw}
	for len(r.rest) > 0 {
		h, topic, key, data := r.entry(b.first)
		if !wants[topic] {
			continue
		}
		e := entryOf(h, key, data)
		e.Topic = s.topics[topic]
		if !see(&e) {
			return
		}
	}
}

func (s *stack) times(i int, see func(Instant) bool) bool {
	b := s.blocks[i]
	if b.packed == nil {
		for r := (fields{b.raw}); len(r.rest) > 0; {
			if h, _, _, _ := r.entry(b.first); h.kind() != repeated && !see(h.now) {
				break
			}
		}
		return true
	}
	from := 0
	for _, part := range b.sections {
		if part.topic == instants {
			raw, err := unpacker().DecodeAll(b.packed[from:part.end], nil)
			now := b.first
			for r := (fields{raw}); len(r.rest) > 0; {
				if now = r.after(now); !see(now) {
					break
				}
			}
			return err == nil
		}
		from = part.end
	}
	return true // nothing but a keyframe
}

// entryOf is an entry that shares the bytes of the block, which nobody modifies.
func entryOf(h header, key, data []byte) entry {
	e := entry{kind: h.kind()}
	e.Tick, e.At, e.Instant = h.now.Tick, h.now.At, e.kind == happened
	e.Key, e.Data = unsafe.String(unsafe.SliceData(key), len(key)), data
	if h.flags&goneBit != 0 {
		e.Data = nil
	}
	return e
}

// fields reads what add wrote. The bytes never left this process, so they are whole.
type fields struct{ rest []byte }

func (f *fields) uint() uint64 {
	v, n := binary.Uvarint(f.rest)
	f.rest = f.rest[n:]
	return v
}

func (f *fields) int() int64 {
	v, n := binary.Varint(f.rest)
	f.rest = f.rest[n:]
	return v
}

func (f *fields) bytes() []byte {
	n := f.uint()
	b := f.rest[:n:n]
	f.rest = f.rest[n:]
	return b
}

// after reads an instant that counts from another one.
func (f *fields) after(from Instant) Instant {
	tick, at := f.int(), f.int()
	return Instant{from.Tick + uint64(tick), from.At + time.Duration(at)}
}

// entry reads what add wrote.
func (f *fields) entry(first Instant) (h header, topic uint64, key, data []byte) {
	h.flags = f.uint()
	h.now = f.after(first)
	topic = f.uint()
	key, data = f.bytes(), f.bytes()
	return h, topic, key, data
}
