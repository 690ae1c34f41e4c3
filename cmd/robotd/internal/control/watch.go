package control

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/robotd/robotd/metrics/record"
	"github.com/robotd/robotd/resources"
)

// watchWaiting is how many messages wait for a slow client. It loses the oldest beyond.
const watchWaiting = 4096

// A Watcher gives the facts of a running robot as they change.
type Watcher interface {
	// Live is where they come from; nil if nothing changes, as in a recording.
	Live() *record.Live
	// Topics lists the names of the topics.
	Topics() []string
}

// A WatchMessage is one fact that changed.
type WatchMessage struct {
	Tick  uint64          `json:"tick"`
	AtS   float64         `json:"at_s"`
	Topic string          `json:"topic"`
	Key   string          `json:"key,omitempty"` // within the topic
	Data  json.RawMessage `json:"data"`          // null: the key is gone
}

// ErrNotLive says that nothing changes in a recording.
var ErrNotLive = errors.New("this is a recording: nothing happens in it")

// watch streams the messages of topics: first the values that hold, then what changes. A client that does not keep up is told with
// `event: lost` how many messages it misses.
func (s *Server) watch(w http.ResponseWriter, r *http.Request) {
	topics, err := s.watchTopics(readQuery(r, "topics"))
	switch {
	case err == nil && s.robot.Live() == nil:
		deny(w, http.StatusConflict, ErrNotLive.Error())
		return
	case err != nil:
		deny(w, http.StatusBadRequest, err.Error())
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	if r.Method == http.MethodHead {
		return
	}
	out, err := s.open(w, r)
	if err != nil {
		deny(w, http.StatusTooManyRequests, err.Error())
		return
	}
	defer out.close()
	sub := s.robot.Live().Subscribe(watchWaiting, topics)
	defer sub.Close()
	for ok := out.begin(); ok && out.ctx.Err() == nil; {
		ok = out.forward(sub)
	}
}

// forward sends what waits, or that nothing did for a while.
func (o *stream) forward(sub *record.Subscription) bool {
	ctx, cancel := context.WithTimeout(o.ctx, streamQuiet)
	defer cancel()
	batch, lost, err := sub.Next(ctx)
	if err != nil {
		return o.ctx.Err() == nil && o.send("quiet", []byte("{}"))
	}
	var text bytes.Buffer
	if lost > 0 {
		fmt.Fprintf(&text, "event: lost\ndata: {\"messages\":%d}\n\n", lost)
	}
	for _, m := range batch {
		data := json.RawMessage(m.Data)
		if m.Data == nil {
			data = json.RawMessage("null")
		}
		line, err := json.Marshal(WatchMessage{m.Tick, m.At.Seconds(), m.Topic, m.Key, data})
		if err != nil { // no topic has other bytes than JSON
			continue
		}
		text.WriteString("event: message\ndata: ")
		text.Write(line)
		text.WriteString("\n\n")
	}
	return o.write(text.Bytes())
}

// watchTopics are the topics that a request names; nil stands for all.
func (s *Server) watchTopics(q *query) ([]string, error) {
	if q.err != nil || !q.has("topics") {
		return nil, q.err
	}
	topics := strings.Split(q.text("topics"), ",")
	known := s.robot.Topics()
	for i, t := range topics {
		topics[i] = "/" + strings.TrimPrefix(strings.TrimSpace(t), "/")
		if !slices.Contains(known, topics[i]) {
			return nil, fmt.Errorf("%s: topics: %w", q.path, resources.Unknown("topic", topics[i], known))
		}
	}
	return topics, nil
}
