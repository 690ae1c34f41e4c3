package record

import (
	"encoding/binary"
	"sync"
	"time"
	"unsafe"

	"github.com/klauspost/compress/zstd"
)

// A block is a segment of a [Memory]: bytes that only grow while it is open, compressed when it is closed.
type block struct {
	span
	head   int    // size of the keyframe
	raw    []byte // while it is open
	packed []byte // once it is closed
}

// Bits of the first number of an entry, above its kind.
const goneBit = 1 << 2

// add appends an entry: kind, tick and time before the block's end of time, topic, key, data.
func (b *block) add(e entry, number func(topic string) uint64) {
	flags := uint64(e.kind)
	if e.Data == nil {
		flags |= goneBit
	}
	b.raw = binary.AppendUvarint(b.raw, flags)
	b.raw = binary.AppendVarint(b.raw, int64(e.Tick-b.first.Tick))
	b.raw = binary.AppendVarint(b.raw, int64(e.At-b.first.At))
	b.raw = binary.AppendUvarint(b.raw, number(e.Topic))
	b.raw = binary.AppendUvarint(b.raw, uint64(len(e.Key)))
	b.raw = append(b.raw, e.Key...)
	b.raw = binary.AppendUvarint(b.raw, uint64(len(e.Data)))
	b.raw = append(b.raw, e.Data...)
}

// close returns the block compressed.
func (b *block) close(packer *zstd.Encoder) *block {
	packed := packer.EncodeAll(b.raw, nil)
	return &block{span: b.span, packed: append(make([]byte, 0, len(packed)), packed...)}
}

func (b *block) cost() int { return len(b.packed) + int(unsafe.Sizeof(*b)) }

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

func (s *stack) load(i int) (*segment, bool) {
	b := s.blocks[i]
	raw := b.raw
	if b.packed != nil {
		var err error
		if raw, err = unpacker().DecodeAll(b.packed, nil); err != nil {
			return nil, false
		}
	}
	seg := &segment{span: b.span}
	for len(raw) > 0 {
		var e entry
		e, raw = s.entry(b, raw)
		seg.entries = append(seg.entries, e)
	}
	return seg, true
}

// entry reads one entry. What it returns shares the bytes of the block.
func (s *stack) entry(b *block, raw []byte) (entry, []byte) {
	r := fields{raw}
	flags := r.uint()
	e := entry{kind: kind(flags &^ goneBit)}
	e.Tick = b.first.Tick + uint64(r.int())
	e.At = b.first.At + time.Duration(r.int())
	e.Topic = s.topics[r.uint()]
	e.Key = string(r.bytes())
	e.Data = r.bytes()
	if flags&goneBit != 0 {
		e.Data = nil
	}
	e.Instant = e.kind == happened
	return e, r.rest
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
