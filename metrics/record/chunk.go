package record

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"time"

	"github.com/foxglove/mcap/go/mcap"
)

var errDamaged = errors.New("the chunk is damaged")

// read decodes the wanted topics of a chunk and verifies its checksum.
func (c *chunk) read(want func(topic string) bool) (*segment, error) {
	if c.length == 0 {
		return nil, errDamaged
	}
	b := make([]byte, c.length)
	if _, err := c.part.file.ReadAt(b, c.offset); err != nil {
		return nil, err
	}
	head, err := mcap.ParseChunk(b)
	if err != nil {
		return nil, err
	}
	if head.UncompressedSize > maxChunk {
		return nil, errDamaged
	}
	raw, err := unpacker().DecodeAll(head.Records, make([]byte, 0, head.UncompressedSize))
	if err != nil {
		return nil, err
	}
	if crc32.ChecksumIEEE(raw) != head.UncompressedCRC {
		return nil, errDamaged
	}
	return c.part.segment(raw, want)
}

// segment reads the records of a chunk, of messages those of the wanted topics. It shares the bytes.
func (s *source) segment(raw []byte, want func(topic string) bool) (*segment, error) {
	wants := make([]bool, len(s.topics))
	for i := range s.topics {
		wants[i] = want(s.topics[i].Name)
	}
	seg, begin, marked := &segment{}, s.life.beginNS(), false
	for len(raw) >= recordHead {
		op, length := mcap.OpCode(raw[0]), binary.LittleEndian.Uint64(raw[1:])
		if length > uint64(len(raw)-recordHead) {
			return nil, errDamaged
		}
		body := raw[recordHead : recordHead+length]
		raw = raw[recordHead+length:]
		if op != mcap.OpMessage {
			continue
		}
		var m mcap.Message
		if err := m.PopulateFrom(body, false); err != nil {
			return nil, err
		}
		if m.ChannelID == markChannel {
			var k mark
			if err := json.Unmarshal(m.Data, &k); err != nil {
				return nil, fmt.Errorf("mark: %w", err)
			}
			seg.span, marked = k.span(), true
			continue
		}
		if i, _ := topicOf(m.ChannelID); i >= 0 && i < len(wants) {
			if seg.topics.add(i); !wants[i] {
				continue
			}
		}
		e, err := s.entry(&m, begin)
		if err != nil {
			return nil, err
		}
		seg.entries = append(seg.entries, e)
	}
	if !marked {
		return nil, errDamaged
	}
	for i := range seg.entries { // the upper bits of the ticks
		e := &seg.entries[i]
		e.Tick = seg.last.Tick + uint64(int64(int32(uint32(e.Tick)-uint32(seg.last.Tick))))
	}
	return seg, nil
}

func (s *source) entry(m *mcap.Message, begin uint64) (entry, error) {
	i, k := topicOf(m.ChannelID)
	if i < 0 || i >= len(s.topics) {
		return entry{}, errDamaged
	}
	e := entry{kind: k}
	e.Tick, e.At = uint64(m.Sequence), time.Duration(m.PublishTime-begin)
	e.Topic, e.Instant = s.topics[i].Name, k == happened
	if s.topics[i].Opaque {
		e.Data = m.Data
	} else if !unwrap(&e.Message, m.Data) {
		return entry{}, errDamaged
	}
	return e, nil
}
