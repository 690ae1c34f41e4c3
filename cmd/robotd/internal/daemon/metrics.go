package daemon

import (
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/robotd/robotd/actors"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/metrics"
)

// watcher is the metrics of the daemon. Only this file imports package metrics.
type watcher interface {
	event.Observer
	actors.TickObserver
	Handler() http.Handler
}

// newWatcher makes the metrics. They are served when the robot stands.
func (d *daemon) newWatcher() watcher {
	s := d.run
	backend := "sim"
	if s.Real {
		backend = "linux"
	}
	return metrics.New(metrics.Options{
		Version: s.Version, Robot: s.Profile().Name, Profile: backend, Period: s.Period, Devices: s.Profile().Subsystems(),
		Behaviors: s.Catalog.IDs(), Now: time.Now, LogDropped: d.opts.LogDropped, Recorder: d.history.stats(), History: d.history.memory.Bytes,
		Actors: func() int { return d.robot.system.Actors() }, Realtime: func() bool { return d.robot.system.Realtime() == nil },
	})
}

// metricsServer serves /metrics and the health checks on the listener that it returns. It may face the network: it is read-only and names
// no detail.
func metricsServer(l net.Listener, w watcher, r control.Robot, log *slog.Logger) (*http.Server, net.Listener) {
	m := http.NewServeMux()
	m.Handle("GET /metrics", w.Handler())
	m.HandleFunc("GET /healthz", control.Health(r.Alive))
	m.HandleFunc("GET /readyz", control.Health(r.Ready))
	m.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(landing))
	})
	return control.Harden(&http.Server{Handler: m}, l, control.MaxMetricsConnections, "metrics", log)
}

// landing is the page at the root of the metrics address.
const landing = `<!doctype html><html lang="en"><title>robotd metrics</title>` +
	`<h1>robotd</h1><ul><li><a href="/metrics">/metrics</a><li><a href="/healthz">/healthz</a><li><a href="/readyz">/readyz</a></ul></html>`
