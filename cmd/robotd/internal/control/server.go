package control

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"syscall"
	"time"
)

// Time limits of the listeners. They also bound attacks by slow clients (slow loris).
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 10 * time.Second
	writeTimeout  = 10 * time.Second
	idleTimeout   = time.Minute
	maxHeader     = 16 << 10
	replyTimeout  = 3 * time.Second        // for the tick to answer a command
	closeTimeout  = 300 * time.Millisecond // for open requests at the end
)

// A Server serves the control API and the page on a loopback listener.
type Server struct {
	robot    Robot
	http     *http.Server
	listener net.Listener
	stopping atomic.Bool
	streams  context.Context // of every open stream
	quit     context.CancelFunc
	slow     time.Duration // how long a stream waits for its client
	closing  time.Duration // how long Close waits for open requests
	operator operatorLog
	// Questions about the past, and about files.
	instants, windows, files *lane
}

// Listen opens the control listener. It refuses an address that other machines can reach, because its clients
// drive the robot. The error of a taken port says so.
func Listen(address string) (net.Listener, error) {
	if err := CheckLoopback(address); err != nil {
		return nil, err
	}
	return ListenAny(address, "--listen")
}

// ListenAny opens a listener; the error of a port that is taken names the flag that chooses another one.
func ListenAny(address, flag string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s is in use, probably by another robotd: stop that one, or choose another address with %s", address, flag)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("%s may not be opened by this user: choose a port above 1023 with %s", address, flag)
	case err != nil:
		return nil, fmt.Errorf("listen on %s: %w (choose another address with %s)", address, err, flag)
	}
	return l, nil
}

// NewServer prepares a server; page is the tree with index.html.
func NewServer(l net.Listener, robot Robot, page fs.FS, log *slog.Logger) *Server {
	s := &Server{robot: robot, slow: streamSlow, closing: closeTimeout, operator: operatorLog{log: log, now: time.Now}, instants: newLane(), windows: newLane(), files: newQueue(filesWaiting)}
	s.streams, s.quit = context.WithCancel(context.Background())
	_, port, _ := net.SplitHostPort(l.Addr().String())
	s.http, s.listener = Harden(&http.Server{Handler: guard(port, s.routes(page))}, l, MaxControlConnections, "control", log)
	return s
}

// Harden sets the limits of time, size and number that every listener of the daemon has, and returns the listener to serve on. What the
// server complains about goes to the log as lines of that name, a few at most.
func Harden(h *http.Server, l net.Listener, connections int, name string, log *slog.Logger) (*http.Server, net.Listener) {
	h.ReadHeaderTimeout, h.ReadTimeout, h.WriteTimeout, h.IdleTimeout = headerTimeout, readTimeout, writeTimeout, idleTimeout
	h.MaxHeaderBytes = maxHeader
	h.ErrorLog = errorLog(log, name)
	h.Handler, h.ConnState = attended(noBody(h.Handler)), answered
	h.ConnContext = func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, guestKey{}, c) }
	return h, newGate(l, connections, h.ErrorLog)
}

// Handler answers one request as the server does.
func (s *Server) Handler() http.Handler { return s.http.Handler }

// Serve answers requests until Close. It returns nil then.
func (s *Server) Serve() error {
	if err := s.http.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("control: %w", err)
	}
	return nil
}

// Refuse makes the server answer every further command by "stopping". The emergency stop and reads still work.
func (s *Server) Refuse() { s.stopping.Store(true) }

// Close ends the streams and waits a moment for open requests.
func (s *Server) Close() {
	s.quit()
	ctx, cancel := context.WithTimeout(context.Background(), s.closing)
	defer cancel()
	if s.http.Shutdown(ctx) != nil {
		_ = s.http.Close()
	}
}

// A route is one line of the API's table.
type route struct {
	method, path string
	do           http.HandlerFunc
}

func (s *Server) table() []route {
	return append(s.authorTable(), []route{
		{http.MethodGet, "/v1/state", s.state},
		{http.MethodGet, "/v1/events", s.events},
		{http.MethodGet, "/v1/watch", s.watch},
		{http.MethodGet, "/v1/faults", s.faults},
		{http.MethodGet, "/v1/actions", s.actions},
		{http.MethodGet, "/v1/history", ask(s, s.instants, askHistory)},
		{http.MethodGet, "/v1/timeline", ask(s, s.windows, askTimeline, "from", "to")},
		{http.MethodGet, "/v1/series", ask(s, s.windows, askSeries, "names", "from", "to", "points")},
		{http.MethodGet, "/v1/activations", ask(s, s.windows, askActivations, "id")},
		{http.MethodGet, "/v1/log", ask(s, s.windows, askLog, "from", "to", "level", "q")},
		{http.MethodGet, "/v1/tree", ask(s, s.instants, askTree, "tick", "at")},
		{http.MethodGet, "/v1/why", ask(s, s.instants, askWhy, "id", "tick", "at", "ago")},
		{http.MethodGet, "/v1/budget", ask(s, s.instants, askBudget)},
		{http.MethodPost, "/v1/intent", post(s, (*Server).intent)},
		{http.MethodPost, "/v1/intents", post(s, (*Server).hear)},
		{http.MethodPost, "/v1/wake", post(s, (*Server).wake)},
		{http.MethodPost, "/v1/actions/do", post(s, (*Server).doAction)},
		{http.MethodPost, "/v1/actions/cancel", post(s, (*Server).cancelAction)},
		{http.MethodPost, drivePath, post(s, (*Server).drive)},
		{http.MethodPost, "/v1/run-behavior", post(s, (*Server).runBehavior)},
		{http.MethodPost, "/v1/stage", post(s, (*Server).stage)},
		{http.MethodPost, "/v1/selftest", post(s, (*Server).selfTest)},
		{http.MethodPost, "/v1/var", post(s, (*Server).setVar)},
		{http.MethodPost, "/v1/feature", post(s, (*Server).feature)},
		{http.MethodPost, "/v1/reaction", post(s, (*Server).reaction)},
		{http.MethodPost, "/v1/checks", post(s, (*Server).checks)},
		{http.MethodPost, "/v1/cancel", post(s, (*Server).cancel)},
		{http.MethodPost, "/v1/world", post(s, (*Server).world)},
		{http.MethodPost, "/v1/fault", post(s, (*Server).fault)},
		{http.MethodPost, "/v1/faults/clear", post(s, (*Server).clearFaults)},
		{http.MethodPost, "/v1/resume", post(s, (*Server).resume)},
		{http.MethodPost, detectionsPath, post(s, (*Server).detections)},
		{http.MethodPost, estopPath, s.estop},
	}...)
}

// Commands that need a name: the one that no limit applies to, and the one that no person gives.
const (
	estopPath      = "/v1/estop"
	detectionsPath = "/v1/detections"
)

// routes combines the API's table, the health checks and the page. A request with a wrong method is answered with the right one.
func (s *Server) routes(page fs.FS) http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /healthz", Health(s.robot.Alive))
	m.HandleFunc("GET /readyz", Health(s.robot.Ready))
	for _, r := range s.table() {
		if r.method == http.MethodPost {
			r.do = s.running(r.do)
		}
		m.HandleFunc(r.method+" "+r.path, r.do)
		allow := r.method
		if allow == http.MethodGet {
			allow = "GET, HEAD"
		}
		m.HandleFunc(r.path, func(w http.ResponseWriter, q *http.Request) {
			w.Header().Set("Allow", allow)
			deny(w, http.StatusMethodNotAllowed, r.path+" takes "+allow+", not "+quote(q.Method))
		})
	}
	m.HandleFunc("GET /v1/sound/{number}", s.sound)
	m.HandleFunc("GET /v1/docs", file(page, "docs.html"))
	m.HandleFunc("GET /v1/reference", file(page, "reference.html"))
	m.HandleFunc("GET /v1/reference/markdown", s.manual)
	m.HandleFunc("GET /v1/openapi.json", file(page, "openapi.json"))
	m.HandleFunc("/v1/", func(w http.ResponseWriter, r *http.Request) {
		deny(w, http.StatusNotFound, "there is no "+r.Method+" "+quote(r.URL.Path))
	})
	m.Handle("/", files(page))
	return m
}

// file serves one file of the page under another path.
func file(page fs.FS, name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-cache")
		http.ServeFileFS(w, r, page, name)
	}
}

// files serves the page. The files are part of the binary, so a browser must ask again after an update.
func files(page fs.FS) http.Handler {
	h := http.FileServerFS(page)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			deny(w, http.StatusMethodNotAllowed, "there is no "+r.Method+" "+quote(r.URL.Path))
			return
		}
		w.Header().Set("Cache-Control", "no-cache")
		h.ServeHTTP(w, r)
	})
}

// Health answers /healthz and /readyz: the names of the failing checks, nothing else.
func Health(checks func() []string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		failing := checks()
		status := http.StatusOK
		if len(failing) > 0 {
			status = http.StatusServiceUnavailable
		}
		writeJSON(w, status, healthAnswer{len(failing) == 0, failing})
	}
}

// A healthAnswer is what the health checks return.
type healthAnswer struct {
	OK      bool     `json:"ok"`
	Failing []string `json:"failing,omitempty"` // names of the checks
}
