package daemon

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/facts"
	"github.com/robotd/robotd/metrics/foxglove"
	"github.com/robotd/robotd/metrics/record"
)

// foxgloveOrigins are the pages that may read the stream: the apps in the browser.
var foxgloveOrigins = []string{"app.foxglove.dev", "*.foxglove.dev", "lichtblick-suite.github.io"}

// maxStreams bounds the connections of the stream.
const maxStreams = 16

// serveFoxglove starts the stream for Foxglove, if a listener was opened for it.
func (d *daemon) serveFoxglove() error {
	if d.opts.Foxglove == nil {
		return nil
	}
	o := foxglove.Options{Name: "robotd " + d.run.Profile().Name, Live: d.history.live, Life: d.history.memory.Life(), Origins: foxgloveOrigins}
	o.Topics = slices.DeleteFunc(facts.Recorded(), func(t record.Topic) bool { return t.Opaque })
	if d.opts.FoxgloveControl {
		var err error
		if o.Services, err = services(d.server.Handler(), d.opts.Control.Addr()); err != nil {
			return err
		}
	}
	d.stream = foxglove.New(o)
	server, listener := control.Harden(&http.Server{Handler: control.OwnHostOnly(d.opts.Foxglove, d.stream)}, d.opts.Foxglove, maxStreams, "foxglove", d.log)
	d.foxglove = server
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			d.failed <- fmt.Errorf("foxglove: %w", err)
		}
	}()
	d.log.Info("foxglove", "url", "ws://"+d.opts.Foxglove.Addr().String(), "services", len(o.Services))
	return nil
}

// endFoxglove ends the stream.
func (d *daemon) endFoxglove() {
	if d.foxglove == nil {
		return
	}
	d.stream.Close()
	_ = d.foxglove.Close()
}

// services makes each command of the control API a service. A call takes the way of a request, with all of its checks and the log.
func services(api http.Handler, at net.Addr) ([]foxglove.Service, error) {
	text, err := fs.ReadFile(Page(), "openapi.json")
	if err != nil {
		return nil, err
	}
	var doc struct {
		Paths map[string]map[string]struct {
			RequestBody struct {
				Content map[string]struct{ Schema json.RawMessage }
			}
		}
		Components struct{ Schemas map[string]json.RawMessage }
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("openapi.json: %w", err)
	}
	var all []foxglove.Service
	for path, methods := range doc.Paths {
		op, ok := methods["post"]
		if !ok || path == "/v1/detections" {
			continue
		}
		schema := op.RequestBody.Content["application/json"].Schema
		var ref struct {
			Ref string `json:"$ref"`
		}
		if json.Unmarshal(schema, &ref) == nil && ref.Ref != "" {
			schema = doc.Components.Schemas[ref.Ref[strings.LastIndex(ref.Ref, "/")+1:]]
		}
		if len(schema) == 0 {
			schema = json.RawMessage(`{"type":"object"}`)
		}
		all = append(all, foxglove.Service{
			Name: strings.TrimPrefix(path, "/v1"), Request: string(schema), Reply: string(doc.Components.Schemas["Answer"]),
			Call: func(ctx context.Context, body []byte) ([]byte, error) { return request(ctx, api, at, path, body) },
		})
	}
	slices.SortFunc(all, func(a, b foxglove.Service) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// request asks the control API as its own client would.
func request(ctx context.Context, api http.Handler, at net.Addr, path string, body []byte) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+at.String()+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.RemoteAddr = at.String()
	a := &answer{header: http.Header{}}
	api.ServeHTTP(a, r)
	var told control.Answer
	if err := json.Unmarshal(a.body.Bytes(), &told); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if !told.OK {
		return nil, errors.New(told.Error)
	}
	return a.body.Bytes(), nil
}

// An answer keeps what a handler writes.
type answer struct {
	header http.Header
	body   bytes.Buffer
}

func (a *answer) Header() http.Header            { return a.header }
func (a *answer) Write(text []byte) (int, error) { return a.body.Write(text) }
func (a *answer) WriteHeader(int)                {}
