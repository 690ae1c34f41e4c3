package record

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"
)

// The file format is MCAP with these conventions, version formatVersion:
//
//   - The file begins with one metadata record "robotd": format, part, life (JSON of [Life]), topics (JSON list of [topicName], whose order
//     gives the channel IDs), and with one attachment, resourcesName, unless the life has no resource tree.
//   - A topic has up to three channels of its name, one for each kind of message; the channel's metadata names the kind.
//   - Sequence is the tick (its lower 32 bits), publish time the time of the message. Log time is the time at which it was recorded: in a
//     keyframe that of the chunk's first tick.
//   - A chunk holds the messages of a run of ticks, at most a second, and ends with a message of markTopic. The first chunk of a file and
//     one each 10 s begin with a keyframe: all values that hold.
//   - JSON messages of a keyed topic begin with the field "_key"; "_gone" says that the key is gone.
//   - A metadata record "gap" before a chunk says which ticks before it were not recorded.
const (
	formatVersion = 1
	profile       = "x-robotd"
	metaLife      = "robotd"
	metaGap       = "gap"
	resourcesName = "resources.zip"
	markTopic     = "/recorder"
	tapeEncoding  = "x-robotd-tape"
	markChannel   = 1
	maxChunk      = 256 << 20
)

// A topicName is what a reader must know of a topic.
type topicName struct {
	Name   string `json:"name"`
	Opaque bool   `json:"opaque,omitempty"`
}

// channelID is the channel of the i-th topic for messages of a kind.
func channelID(topic int, k kind) uint16 { return uint16(markChannel + 1 + topic*int(kinds) + int(k)) }

// topicOf undoes channelID.
func topicOf(channel uint16) (topic int, k kind) {
	n := int(channel) - markChannel - 1
	return n / int(kinds), kind(n % int(kinds))
}

func (k kind) String() string { return [...]string{"changed", "repeated", "happened"}[k] }

// A mark ends a chunk.
type mark struct {
	FirstTick uint64 `json:"first_tick"`
	FirstNS   int64  `json:"first_ns"`
	LastTick  uint64 `json:"last_tick"`
	LastNS    int64  `json:"last_ns"`
	Keyframe  bool   `json:"keyframe"`
}

func markOf(s span) mark {
	return mark{s.first.Tick, int64(s.first.At), s.last.Tick, int64(s.last.At), s.key}
}

func (m mark) span() span {
	return span{first: Instant{m.FirstTick, time.Duration(m.FirstNS)}, last: Instant{m.LastTick, time.Duration(m.LastNS)}, key: m.Keyframe}
}

const markSchema = `{"title":"robotd./recorder","type":"object","description":"End of a chunk: the ticks that it covers",` +
	`"properties":{"first_tick":{"type":"integer"},"first_ns":{"type":"integer","description":"robot time of the first tick"},` +
	`"last_tick":{"type":"integer"},"last_ns":{"type":"integer"},"keyframe":{"type":"boolean","description":"the chunk begins with all values that hold"}}}`

const (
	keyPrefix  = `{"_key":`
	goneSuffix = `"_gone":true}`
)

// wrap appends a JSON message with its key.
func wrap(dst []byte, m *Message) []byte {
	if m.Key == "" {
		if m.Data == nil {
			return append(dst, "{"+goneSuffix...)
		}
		return append(dst, m.Data...)
	}
	dst = append(dst, keyPrefix...)
	dst = appendString(dst, m.Key)
	switch {
	case m.Data == nil:
		return append(dst, ","+goneSuffix...)
	case bytes.Equal(m.Data, []byte("{}")):
		return append(dst, '}')
	}
	return append(append(dst, ','), m.Data[1:]...)
}

// appendString appends a JSON string.
func appendString(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			text, _ := json.Marshal(s) // a string has no error
			return append(dst, text...)
		}
	}
	return strconv.AppendQuote(dst, s)
}

// unwrap undoes wrap and reuses the memory of data; !ok if the key is broken.
func unwrap(m *Message, data []byte) (ok bool) {
	if string(data) == "{"+goneSuffix {
		return true
	}
	rest, keyed := bytes.CutPrefix(data, []byte(keyPrefix))
	if !keyed {
		m.Data = data
		return true
	}
	end := stringEnd(rest)
	switch {
	case end < 0:
		return false
	case plain(rest[:end]):
		m.Key = string(rest[1 : end-1])
	case json.Unmarshal(rest[:end], &m.Key) != nil:
		return false
	}
	switch rest = rest[end:]; {
	case string(rest) == "}":
		m.Data = []byte("{}")
	case string(rest) != ","+goneSuffix:
		rest[0] = '{'
		m.Data = rest
	}
	return true
}

// plain reports whether a JSON string is its own content.
func plain(text []byte) bool {
	for _, c := range text {
		if c < ' ' || c > '~' || c == '\\' {
			return false
		}
	}
	return true
}

// stringEnd is the index after the JSON string that data begins with, -1 if it does not end or nothing follows.
func stringEnd(data []byte) int {
	for i := 1; i < len(data)-1; i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}
