package control

import (
	"context"
	"net/http"
	"time"
)

// A stream is an answer of server-sent events. It has one owner.
type stream struct {
	ctx   context.Context // ends with the client, or with the server
	w     http.ResponseWriter
	out   *http.ResponseController
	slow  time.Duration // a client that does not take an event in this time is dropped
	close func()
}

// open makes the answer to a request a stream. There are a few at once.
func (s *Server) open(w http.ResponseWriter, r *http.Request) (*stream, error) {
	release, err := s.robot.Feed().Follow()
	if err != nil {
		return nil, err
	}
	if n := guestOf(r.Context()); n != nil {
		n.follow()
	}
	ctx, cancel := context.WithCancel(r.Context())
	end := context.AfterFunc(s.streams, cancel)
	return &stream{ctx: ctx, w: w, out: http.NewResponseController(w), slow: s.slow, close: func() {
		end()
		cancel()
		release()
	}}, nil
}

// begin sends the first bytes, so that the client knows that it is connected.
func (o *stream) begin() bool {
	return o.out.SetReadDeadline(time.Time{}) == nil && o.write([]byte(": robotd\n\n"))
}

// send sends one event and reports whether the client took it.
func (o *stream) send(name string, data []byte) bool {
	return o.write([]byte("event: "+name+"\ndata: "), data, []byte("\n\n"))
}

// write writes with a deadline of its own, which replaces the server's: that would end the stream.
func (o *stream) write(parts ...[]byte) bool {
	if o.out.SetWriteDeadline(time.Now().Add(o.slow)) != nil {
		return false
	}
	for _, p := range parts {
		if _, err := o.w.Write(p); err != nil {
			return false
		}
	}
	return o.out.Flush() == nil
}
