package record

import (
	"context"
	"slices"
	"sync"
	"time"
)

// A Live hands the messages of a running robot on to subscribers. Nobody waits for a subscriber: one that does not keep up loses the
// oldest messages and is told how many. It is safe for concurrent use.
type Live struct {
	mu     sync.Mutex
	values map[liveKey]Message // what holds now
	order  []liveKey           // of values, by first appearance
	subs   map[*Subscription]struct{}
}

type liveKey struct{ topic, key string }

// NewLive returns a Live that has seen nothing.
func NewLive() *Live {
	return &Live{values: map[liveKey]Message{}, subs: map[*Subscription]struct{}{}}
}

// Tick implements Sink.
func (l *Live) Tick(_ uint64, _ time.Duration, batch []Message) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range batch {
		l.keep(m)
	}
	for s := range l.subs {
		s.add(batch)
	}
}

// keep remembers a value, or that it is gone. Instants and the tape are no values.
func (l *Live) keep(m Message) {
	if m.Instant || m.Topic == Tape {
		return
	}
	k := liveKey{m.Topic, m.Key}
	_, known := l.values[k]
	switch {
	case m.Data == nil && known:
		delete(l.values, k)
		l.order = slices.DeleteFunc(l.order, func(o liveKey) bool { return o == k })
	case m.Data != nil:
		l.values[k] = m
		if !known {
			l.order = append(l.order, k)
		}
	}
}

// Subscribe begins to collect the messages of the topics, at most limit at a time; nil stands for all topics but the tape. The first
// ones are the values that hold now, beyond the limit if there are more.
func (l *Live) Subscribe(limit int, topics []string) *Subscription {
	s := &Subscription{from: l, limit: limit, wake: make(chan struct{}, 1)}
	if topics != nil {
		s.topics = map[string]bool{}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	s.choose(topics)
	l.subs[s] = struct{}{}
	return s
}

// A Subscription collects messages for one reader.
type Subscription struct {
	from  *Live
	limit int
	wake  chan struct{} // holds one while messages wait

	mu      sync.Mutex
	topics  map[string]bool // nil: all but the tape
	pending []Message
	dropped uint64
}

// Add adds topics, and begins with their values.
func (s *Subscription) Add(topics ...string) {
	s.from.mu.Lock()
	defer s.from.mu.Unlock()
	s.choose(topics)
}

// choose adds topics with their values; nil stands for all. The mutex of Live is held.
func (s *Subscription) choose(topics []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.from.order {
		if topics == nil || slices.Contains(topics, k.topic) && !s.topics[k.topic] {
			s.pending = append(s.pending, s.from.values[k])
		}
	}
	for _, t := range topics {
		s.topics[t] = true
	}
	s.signal()
}

// Remove drops topics. Messages of them that wait are left out.
func (s *Subscription) Remove(topics ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range topics {
		delete(s.topics, t)
	}
	s.pending = slices.DeleteFunc(s.pending, func(m Message) bool { return !s.wants(m.Topic) })
}

func (s *Subscription) wants(topic string) bool {
	if s.topics == nil {
		return topic != Tape
	}
	return s.topics[topic]
}

// add collects messages. The oldest go beyond the limit.
func (s *Subscription) add(batch []Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range batch {
		if s.wants(m.Topic) {
			s.pending = append(s.pending, m)
		}
	}
	if over := len(s.pending) - s.limit; over > 0 {
		s.dropped += uint64(over)
		s.pending = slices.Delete(s.pending, 0, over)
	}
	s.signal()
}

// signal wakes the reader if messages wait; mu is held.
func (s *Subscription) signal() {
	if len(s.pending) == 0 {
		return
	}
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Next waits for messages. It returns them, and how many were lost before them since the last call.
func (s *Subscription) Next(ctx context.Context) (batch []Message, lost uint64, err error) {
	for {
		select {
		case <-s.wake:
		case <-ctx.Done():
			return nil, 0, ctx.Err()
		}
		s.mu.Lock()
		batch, s.pending = s.pending, nil
		lost, s.dropped = s.dropped, 0
		s.mu.Unlock()
		if len(batch) > 0 {
			return batch, lost, nil
		}
	}
}

// Close ends the subscription.
func (s *Subscription) Close() {
	s.from.mu.Lock()
	defer s.from.mu.Unlock()
	delete(s.from.subs, s)
}
