// Package record keeps what happened to a robot: a stream of facts that changed, tick by tick, in files and in memory. It knows no
// behaviors: a fact is a topic, a key and a JSON object. Readers of a recording and of the memory of a running robot use a [History].
package record

import (
	"io/fs"
	"time"
)

// A Message is one fact that changed.
type Message struct {
	Tick  uint64
	At    time.Duration // robot time since the life began
	Topic string        // such as "/stack"
	Key   string        // within the topic, such as a behavior ID; empty for a topic of one value
	// Data is one JSON object, for the topic [Tape] opaque bytes; nil says that the key is gone. It is not modified.
	Data []byte
	// Instant says that the message tells something that happened, and not a value that holds until the next one. It is in no keyframe.
	Instant bool
}

// Tape is the topic of what a replay needs.
const Tape = "/tape"

// SchemaVersion is the version of the topics that this program writes, and the newest that it reads: [Life.Schema].
const SchemaVersion = 1

// A Topic describes the messages of one name.
type Topic struct {
	Name       string // such as "/stack"
	SchemaName string // empty: "robotd." and the name
	Schema     string // JSON schema of the messages; empty for none
	Doc        string // one sentence
	Opaque     bool   // the messages are bytes and no JSON; their keys are not kept, and they are in no keyframe
}

// A Sink takes the messages of one tick, in order. Tick is called by one goroutine, never by the tick itself. The sink owns the batch.
type Sink interface {
	Tick(n uint64, at time.Duration, batch []Message)
}

// A Life describes who was recorded.
type Life struct {
	ID            string    `json:"id"` // unique
	Begin         time.Time `json:"begin"`
	Version       string    `json:"version"`
	Go            string    `json:"go"`
	Arch          string    `json:"arch"` // with its level, such as amd64/v1
	Robot         string    `json:"robot"`
	Base          string    `json:"base"`
	Seed          uint64    `json:"seed"`
	PeriodNS      int64     `json:"period_ns"`
	Simulated     bool      `json:"simulated"`
	Schema        int       `json:"schema"` // version of the topics
	ResourcesHash string    `json:"resources_hash"`
	// Foreign says that the resources were made for another robot, and loaded leniently.
	Foreign bool `json:"foreign,omitempty"`
}

// An Instant is a tick and when it was.
type Instant struct {
	Tick uint64        `json:"tick"`
	At   time.Duration `json:"at"`
}

// A Gap is a span of ticks that was not recorded.
type Gap struct {
	From, To Instant // both are missing
	Reason   string
}

// A History is a recording, or the memory of a running robot. It is safe for concurrent use.
type History interface {
	Life() Life
	// Span is the first and the last tick that can be read.
	Span() (first, last Instant)
	// Find returns the newest tick at or before a time; !ok if there is none.
	Find(at time.Duration) (tick uint64, ok bool)
	// At calls yield with the newest message of each key of the topics (nil: all but Tape) as of the end of a tick, until yield returns false. It
	// yields nothing and returns a [RangeError] for a tick beyond Span, and a [DamageError] if damage hides what held.
	At(tick uint64, topics []string, yield func(Message) bool) error
	// Scan calls yield with the messages of the topics from one tick to another, both included, in order. It leaves out keyframes, which
	// only repeat what holds.
	Scan(topics []string, from, to uint64, yield func(Message) bool) error
	Gaps() []Gap
	// Resources is the resource tree that the robot lived with.
	Resources() (fs.FS, error)
}
