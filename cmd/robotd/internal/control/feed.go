package control

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
)

// maxStreams bounds the readers that follow the feed at once. Each open page takes one.
const maxStreams = 16

// ErrTooManyStreams refuses a follower beyond the limit.
var ErrTooManyStreams = errors.New("too many open streams (limit 16): close a page")

// A Feed hands the newest state view from the tick to any number of readers. The tick never waits for a reader: it stores a
// pointer and closes a channel. Slow readers miss state views.
type Feed struct {
	newest  atomic.Pointer[Frame]
	wanted  atomic.Bool  // a reader waits for the next state view
	streams atomic.Int32 // followers

	mu   sync.Mutex
	next chan struct{} // closed by the next Publish
}

// NewFeed returns a feed without a state view.
func NewFeed() *Feed { return &Feed{next: make(chan struct{})} }

// Wanted reports whether a reader would take a state view published now.
func (f *Feed) Wanted() bool { return f.wanted.Load() || f.streams.Load() > 0 }

// Publish makes p the newest state view.
func (f *Feed) Publish(p *Frame) {
	f.newest.Store(p)
	f.wanted.Store(false)
	f.mu.Lock()
	close(f.next)
	f.next = make(chan struct{})
	f.mu.Unlock()
}

// Newest returns the newest state view, however old; nil before the first.
func (f *Feed) Newest() *Frame { return f.newest.Load() }

// Next waits for the first state view published after this call.
func (f *Feed) Next(ctx context.Context) (*Frame, error) {
	f.mu.Lock()
	next := f.next
	f.mu.Unlock()
	f.wanted.Store(true)
	select {
	case <-next:
		return f.newest.Load(), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Follow registers a reader of many state views; release ends it.
func (f *Feed) Follow() (release func(), err error) {
	if f.streams.Add(1) > maxStreams {
		f.streams.Add(-1)
		return nil, ErrTooManyStreams
	}
	return sync.OnceFunc(func() { f.streams.Add(-1) }), nil
}

// A Frame is one state view. The first reader completes it on its own goroutine, so the tick does only the part that needs it.
type Frame struct {
	complete func() *State
	once     sync.Once
	state    *State
	split    []part // nil if the state view cannot be encoded
	json     []byte
}

// NewFrame returns a frame that complete finishes. Complete is called at most once.
func NewFrame(complete func() *State) *Frame { return &Frame{complete: complete} }

func (f *Frame) finish() {
	f.once.Do(func() {
		f.state = f.complete()
		f.complete = nil
		parts, err := partsOf(f.state)
		if err != nil { // a float that is no number; the page shows the error instead of old data
			f.json, _ = json.Marshal(Answer{Error: "state: " + err.Error()})
			return
		}
		f.split, f.json = parts, join(parts)
	})
}

// State returns the state view. Callers must not modify it.
func (f *Frame) State() *State {
	f.finish()
	return f.state
}

// JSON returns the state view as one line of JSON. Callers must not modify it.
func (f *Frame) JSON() []byte {
	f.finish()
	return f.json
}

// parts returns the state view key by key, nil if it cannot be encoded. Callers must not modify it.
func (f *Frame) parts() []part {
	f.finish()
	return f.split
}
