package control

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
)

// maxStreams bounds the readers that follow the feed at once. A page takes one; more are tabs that somebody forgot.
const maxStreams = 16

// ErrTooManyStreams refuses a follower beyond the limit.
var ErrTooManyStreams = errors.New("too many open streams (limit 16): close a page")

// A Feed hands the newest picture from the tick to any number of readers. The tick never waits for a reader: it stores a
// pointer and closes a channel. Readers that are slow miss pictures.
type Feed struct {
	newest  atomic.Pointer[Frame]
	wanted  atomic.Bool  // somebody waits for the next picture
	streams atomic.Int32 // followers

	mu   sync.Mutex
	next chan struct{} // closed by the next Publish
}

// NewFeed returns a feed without a picture.
func NewFeed() *Feed { return &Feed{next: make(chan struct{})} }

// Wanted reports whether a picture published now would be looked at.
func (f *Feed) Wanted() bool { return f.wanted.Load() || f.streams.Load() > 0 }

// Publish makes p the newest picture.
func (f *Feed) Publish(p *Frame) {
	f.newest.Store(p)
	f.wanted.Store(false)
	f.mu.Lock()
	close(f.next)
	f.next = make(chan struct{})
	f.mu.Unlock()
}

// Newest is the newest picture, however old; nil before the first.
func (f *Feed) Newest() *Frame { return f.newest.Load() }

// Next waits for the picture after this call.
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

// Follow declares a reader of many pictures; release ends it.
func (f *Feed) Follow() (release func(), err error) {
	if f.streams.Add(1) > maxStreams {
		f.streams.Add(-1)
		return nil, ErrTooManyStreams
	}
	return sync.OnceFunc(func() { f.streams.Add(-1) }), nil
}

// A Frame is one picture. What the tick need not do itself is done when the first reader asks, on its goroutine.
type Frame struct {
	complete func() *State
	once     sync.Once
	state    *State
	json     []byte
}

// NewFrame returns a picture that complete finishes. It is called at most once.
func NewFrame(complete func() *State) *Frame { return &Frame{complete: complete} }

func (f *Frame) finish() {
	f.once.Do(func() {
		f.state = f.complete()
		b, err := json.Marshal(f.state)
		if err != nil { // a float that is no number; the page shows the error instead of old data
			b, _ = json.Marshal(Answer{Error: "state: " + err.Error()})
		}
		f.json = b
		f.complete = nil
	})
}

// State is the picture. Not to be modified.
func (f *Frame) State() *State {
	f.finish()
	return f.state
}

// JSON is the picture as one line of JSON. Not to be modified.
func (f *Frame) JSON() []byte {
	f.finish()
	return f.json
}
