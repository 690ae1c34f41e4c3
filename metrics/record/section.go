package record

import (
	"encoding/binary"
	"math"

	"github.com/klauspost/compress/zstd"
)

// instants is the topic of the section that has the ticks and times at which something changed, and nothing else.
const instants = math.MaxUint64

// A splitter closes blocks: it sorts the entries by topic and compresses each section. Its memory is used again.
type splitter struct {
	packer *zstd.Encoder
	topics []column // by number
	times  column
	packed []byte
}

// A column is a section that is being made.
type column struct {
	raw   []byte
	place uint64 // of the newest entry in the block
	now   Instant
}

// begin empties a column.
func (c *column) begin(first Instant) { *c = column{raw: c.raw[:0], now: first} }

// moment appends an instant, which counts from the one before.
func (c *column) moment(now Instant) {
	c.raw = binary.AppendVarint(c.raw, int64(now.Tick-c.now.Tick))
	c.raw = binary.AppendVarint(c.raw, int64(now.At-c.now.At))
	c.now = now
}

// add appends an entry: how many places after the one before it stands in the block, kind, instant, key, data.
func (c *column) add(place uint64, h header, key, data []byte) {
	c.raw = binary.AppendUvarint(c.raw, place-c.place)
	c.raw = binary.AppendUvarint(c.raw, h.flags)
	c.moment(h.now)
	c.raw = appendBytes(c.raw, key)
	c.raw = appendBytes(c.raw, data)
	c.place = place
}

// close returns an open block closed.
func (s *splitter) close(b *block) *block {
	s.times.begin(b.first)
	for i := range s.topics {
		s.topics[i].begin(b.first)
	}
	r := fields{b.raw}
	for place := uint64(0); len(r.rest) > 0; place++ {
		h, topic, key, data := r.entry(b.first)
		for uint64(len(s.topics)) <= topic {
			s.topics = append(s.topics, column{now: b.first})
		}
		s.topics[topic].add(place, h, key, data)
		if h.kind() != repeated && (len(s.times.raw) == 0 || h.now != s.times.now) {
			s.times.moment(h.now)
		}
	}
	closed := &block{span: b.span}
	s.packed = s.packed[:0]
	s.pack(closed, instants, &s.times)
	for i := range s.topics {
		s.pack(closed, uint64(i), &s.topics[i])
	}
	closed.packed = append(make([]byte, 0, len(s.packed)), s.packed...)
	return closed
}

// cost is about how many bytes it keeps for the next block, but for those of the compressor.
func (s *splitter) cost() int {
	n := cap(s.times.raw) + cap(s.packed)
	for i := range s.topics {
		n += cap(s.topics[i].raw)
	}
	return n
}

func (s *splitter) pack(b *block, topic uint64, c *column) {
	if len(c.raw) > 0 {
		s.packed = s.packer.EncodeAll(c.raw, s.packed)
		b.sections = append(b.sections, section{topic, len(s.packed)})
	}
}

// A lane reads a section; it is at one of its entries.
type lane struct {
	fields
	entry
	place uint64
	now   Instant
	ended bool
}

// next moves to the next entry.
func (l *lane) next() {
	if l.ended = len(l.rest) == 0; l.ended {
		return
	}
	l.place += l.uint()
	h := header{flags: l.uint()}
	l.now = l.after(l.now)
	h.now = l.now
	key, data := l.bytes(), l.bytes()
	topic := l.Topic
	l.entry = entryOf(h, key, data)
	l.Topic = topic
}

// merge yields the entries of some sections in the order of the block.
func merge(lanes []lane, see func(*entry) bool) {
	for {
		var least *lane
		for i := range lanes {
			if l := &lanes[i]; !l.ended && (least == nil || l.place < least.place) {
				least = l
			}
		}
		if least == nil || !see(&least.entry) {
			return
		}
		least.next()
	}
}
