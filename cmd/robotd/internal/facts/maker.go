package facts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/feed"
	"github.com/robotd/robotd/cmd/robotd/internal/why"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/metrics/record"
)

// place is where a value stands in the stream.
type place struct{ topic, key string }

// A maker turns captured ticks into messages: it keeps what it said last about each topic and key, and says what changed.
type maker struct {
	opts  *Options
	tick  uint64
	at    time.Duration
	stamp stamp
	batch []record.Message
	last  map[place]any    // comparable values
	text  map[place][]byte // JSON of the others

	events  uint64 // so far
	lines   uint64
	catalog *catalog.Catalog // of the newest tick

	layers    []rawLayer
	questions *why.Maker
	teller    *why.Teller
	situation why.Situation // of this tick
	said      *atomic.Pointer[sentenceValue]
	actions   map[actions.Tag]actions.Info
	known     map[actions.Tag]bool // scratch
	devices   []feed.DeviceCounts
	faults    map[string]string // injected, by device
	noted     map[string]bool   // keys of the warning log
	static    worldStatic
	anchor    feed.Anchor // of the odometry in the world
	timing    timingValue
	second    int64
	pending   string
	active    string
	stop      control.StopState
}

func newMaker(o *Options, said *atomic.Pointer[sentenceValue]) *maker {
	return &maker{
		opts: o, last: map[place]any{}, text: map[place][]byte{}, questions: why.NewMaker(o.Start), teller: why.NewTeller(), said: said,
		actions: map[actions.Tag]actions.Info{},
		known:   map[actions.Tag]bool{}, faults: map[string]string{}, noted: map[string]bool{},
	}
}

// make returns the messages of one tick.
func (m *maker) make(b *raw) []record.Message {
	m.tick, m.at, m.stamp, m.batch = b.tick, b.at, stampOf(m.opts.Start.Add(b.at)), nil
	if m.catalog != b.catalog {
		m.catalog = b.catalog
		m.teller.Learn(b.catalog)
		m.set(topicLife, "", lifeOf(m.opts.Setup, b.catalog))
	}
	m.makeEvents(b)
	m.makeStack(b)
	m.makeActions(b)
	m.makeDevices(b)
	m.makeBody(b)
	m.makeMind(b)
	m.makeTroubles(b)
	m.makeSentence(b)
	if b.truth != nil {
		m.makeWorld(b)
	}
	m.makeTiming(b)
	return m.batch
}

// put says v if it is not what was said last.
func put[T comparable](m *maker, topic, key string, v T) (changed bool) {
	p := place{topic, key}
	if last, ok := m.last[p].(T); ok && last == v {
		return false
	}
	m.last[p] = v
	m.say(topic, key, v)
	return true
}

// set says v if its JSON is not what was said last.
func (m *maker) set(topic, key string, v any) (changed bool) {
	data := encode(v)
	p := place{topic, key}
	if bytes.Equal(m.text[p], data) {
		return false
	}
	m.text[p] = data
	m.batch = append(m.batch, record.Message{Tick: m.tick, At: m.at, Topic: topic, Key: key, Data: data})
	return true
}

// say says v without a comparison.
func (m *maker) say(topic, key string, v any) {
	m.batch = append(m.batch, record.Message{Tick: m.tick, At: m.at, Topic: topic, Key: key, Data: encode(v)})
}

// gone says that a key has no value any more.
func (m *maker) gone(topic, key string) {
	p := place{topic, key}
	delete(m.last, p)
	delete(m.text, p)
	m.batch = append(m.batch, record.Message{Tick: m.tick, At: m.at, Topic: topic, Key: key})
}

// tell says that something happened.
func (m *maker) tell(at time.Duration, e eventValue) {
	m.events++
	m.batch = append(m.batch, record.Message{Tick: m.tick, At: m.at, Topic: topicEvent, Key: strconv.FormatUint(m.events, 10), Data: encode(timedEvent{seconds(at), e}), Instant: true})
}

type timedEvent struct {
	AtS float64 `json:"at_s"`
	eventValue
}

// encode makes JSON. The values are of this package, and their numbers are finite.
func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("facts: %T: %v", v, err))
	}
	return data
}

func round(v, fraction float64) float64 { return feed.Round(v, fraction) }

func roundPose(p hardware.Pose) hardware.Pose {
	return hardware.Pose{XMM: round(p.XMM, 10), YMM: round(p.YMM, 10), HeadingRad: round(p.HeadingRad, 1000)}
}

// since is an instant in seconds since the robot's start; 0 for the zero time.
func (m *maker) since(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return seconds(t.Sub(m.opts.Start))
}
