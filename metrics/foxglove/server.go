package foxglove

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/robotd/robotd/metrics/record"
)

// Limits of a client.
const (
	maxClients   = 8
	maxRequest   = 64 << 10         // bytes of a message of a client
	waiting      = 4096             // messages that wait for a slow client; the oldest go
	writeLimit   = 5 * time.Second  // a client that does not take a message in this time is dropped
	callLimit    = 10 * time.Second // for a service to answer
	pendingCalls = 4                // calls of one client that are being answered
)

// A Service is a request to the robot.
type Service struct {
	Name    string // such as "/intent"
	Request string // JSON schema of the request
	Reply   string // JSON schema of the answer
	// Call answers a request. An error is told to the client. It is called by several goroutines at once.
	Call func(ctx context.Context, request []byte) ([]byte, error)
}

// Options are the options of a Server.
type Options struct {
	Name     string
	Life     record.Life
	Live     *record.Live
	Topics   []record.Topic
	Services []Service
	// Origins are pages of other sites that may read the stream, such as "https://app.foxglove.dev", as patterns of path.Match. A program that
	// is no browser sends no origin and may read it too.
	Origins []string
}

// A Server is the handler of the stream. It is safe for concurrent use.
type Server struct {
	opts     Options
	channels []channel
	services []serviceRow
	clients  atomic.Int32
	closed   context.Context
	close    context.CancelFunc
}

// New returns a server.
func New(o Options) *Server {
	s := &Server{opts: o}
	s.closed, s.close = context.WithCancel(context.Background())
	for i, t := range o.Topics {
		if t.Opaque {
			continue
		}
		name := t.SchemaName
		if name == "" {
			name = "robotd." + t.Name
		}
		s.channels = append(s.channels, channel{uint32(i + 1), t.Name, "json", name, t.Schema, "jsonschema"})
	}
	for i, v := range o.Services {
		side := func(kind, schema string) serviceSide {
			return serviceSide{"json", v.Name + "_" + kind, "jsonschema", schema}
		}
		s.services = append(s.services, serviceRow{uint32(i + 1), v.Name, v.Name, side("request", v.Request), side("response", v.Reply)})
	}
	return s
}

// Clients is how many clients are connected.
func (s *Server) Clients() int { return int(s.clients.Load()) }

// Close ends all connections.
func (s *Server) Close() { s.close() }

// ServeHTTP implements http.Handler: it makes the request a connection, and serves it until one of the sides ends it.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.clients.Add(1) > maxClients {
		s.clients.Add(-1)
		http.Error(w, "too many clients (limit 8): close one", http.StatusServiceUnavailable)
		return
	}
	defer s.clients.Add(-1)
	c, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: subprotocols, OriginPatterns: s.opts.Origins})
	if err != nil { // Accept has answered
		return
	}
	if c.Subprotocol() == "" {
		_ = c.Close(websocket.StatusPolicyViolation, "want the subprotocol foxglove.sdk.v1 or foxglove.websocket.v1")
		return
	}
	c.SetReadLimit(maxRequest)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.closed, cancel)()
	n := &client{
		server: s, conn: c, ctx: ctx, sub: s.opts.Live.Subscribe(waiting, []string{}), by: map[string][]uint32{}, topics: map[uint32]string{},
		calls: make(chan struct{}, pendingCalls),
	}
	defer n.sub.Close()
	n.serve()
	_ = c.CloseNow()
}

// info is what a client is told first.
func (s *Server) info() []any {
	i := serverInfo{
		Op: "serverInfo", Name: s.opts.Name, Capabilities: []string{"parameters"}, SupportedEncodings: []string{"json"}, SessionID: s.opts.Life.ID,
		Metadata: map[string]string{"version": s.opts.Life.Version, "robot": s.opts.Life.Robot},
	}
	all := []any{&i, advertise{"advertise", s.channels}}
	if len(s.services) > 0 {
		i.Capabilities = append(i.Capabilities, "services")
		all = append(all, advertiseServices{"advertiseServices", s.services})
	}
	return all
}

// parameters are the facts of the life with these names; all without names.
func (s *Server) parameters(names []string) []parameter {
	l := s.opts.Life
	all := []parameter{
		{"arch", l.Arch},
		{"base", l.Base},
		{"life", l.ID},
		{"period_ms", float64(l.PeriodNS) / 1e6},
		{"resources_hash", l.ResourcesHash},
		{"robot", l.Robot},
		{"seed", float64(l.Seed)},
		{"simulated", l.Simulated},
		{"version", l.Version},
	}
	if len(names) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(p parameter) bool { return !slices.Contains(names, p.Name) })
}

// at is the calendar time of a robot time.
func (s *Server) at(t time.Duration) uint64 { return uint64(s.opts.Life.Begin.Add(t).UnixNano()) }

func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil { // the messages of the protocol are plain data
		panic("foxglove: " + err.Error())
	}
	return b
}
