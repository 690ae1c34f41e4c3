// Package view serves the page and the questions about the past on a recording. What only a running robot can do is refused.
package view

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/daemon"
	"github.com/robotd/robotd/cmd/robotd/internal/facts"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/metrics/record"
)

// A History is a recording of one life.
type History interface {
	record.History
	Files() []string
}

// Options are the options of a view.
type Options struct {
	Recording History
	Classes   *behaviors.Registry
	// Definitions finds the definitions that the robot had at some time, by their sum; those of the start if that is empty. Nil: the behaviors
	// are those of the start at any time.
	Definitions func(sum string) (*catalog.Catalog, error)
	Reference   func() ([]byte, error) // of the behavior files
	Listener    net.Listener
	Log         *slog.Logger
	Ready       func(page string)
}

// Run serves until ctx ends.
func Run(ctx context.Context, o Options) error {
	h := o.Recording
	if v := h.Life().Schema; v > record.SchemaVersion {
		_ = o.Listener.Close()
		return fmt.Errorf("%s was written by a newer robotd (%s): its topics have version %d, this one reads up to %d", h.Files()[0], h.Life().Version, v, record.SchemaVersion)
	}
	server := control.NewServer(o.Listener, newRobot(h, o), daemon.Page(), o.Log)
	page := "http://" + o.Listener.Addr().String() + "/"
	first, last := h.Span()
	o.Log.Info("recording", "life", h.Life().ID, "files", len(h.Files()), "from", first.At.Round(time.Millisecond), "to", last.At.Round(time.Millisecond), "page", page)
	served := make(chan error, 1)
	go func() { served <- server.Serve() }()
	if o.Ready != nil {
		o.Ready(page)
	}
	select {
	case <-ctx.Done():
		server.Close()
		return <-served
	case err := <-served:
		return err
	}
}

// errRecording refuses what only a running robot can do.
var errRecording = control.Refuse(errors.New("this is a recording: nothing can be done to the robot"))

// robot is a recording as the control API sees it.
type robot struct {
	past      *facts.Past
	reference func() ([]byte, error)
	feed      *control.Feed // never has a state view: each one is asked for by its tick
}

var _ control.Robot = (*robot)(nil)

func newRobot(h record.History, o Options) *robot {
	definitions := o.Definitions
	if definitions == nil {
		first := sync.OnceValues(func() (*catalog.Catalog, error) { return catalogOf(h, o.Classes) })
		definitions = func(string) (*catalog.Catalog, error) { return first() }
	}
	return &robot{reference: o.Reference, feed: control.NewFeed(), past: &facts.Past{Source: h, Catalog: definitions}}
}

// catalogOf reads the definitions that the robot lived with.
func catalogOf(h record.History, classes *behaviors.Registry) (*catalog.Catalog, error) {
	tree, err := h.Resources()
	if err != nil {
		return nil, fmt.Errorf("the recording holds no resources: %w", err)
	}
	cat, diags := setup.Tree{FS: tree, Dir: "recording", Foreign: h.Life().Foreign}.Catalog(classes)
	if cat == nil {
		return nil, fmt.Errorf("this program cannot read the resources of the recording, which version %s wrote: %v", h.Life().Version, diags)
	}
	return cat, nil
}

func (r *robot) Feed() *control.Feed { return r.feed }
func (r *robot) Past() control.Past  { return r.past }
func (r *robot) Live() *record.Live  { return nil }
func (r *robot) Topics() []string    { return facts.Names() }

func (r *robot) Intent(context.Context, string, map[string]string) (string, error) {
	return "", errRecording
}

func (r *robot) Hear(context.Context, control.Message) (string, error) { return "", errRecording }

func (r *robot) Wake(context.Context) (string, error) { return "", errRecording }

func (r *robot) RunBehavior(context.Context, string, int) (string, error) { return "", errRecording }

func (r *robot) Stage(context.Context, string) (string, error) { return "", errRecording }

func (r *robot) SelfTest(context.Context, bool) (string, error) { return "", errRecording }

func (r *robot) Checks(context.Context, bool) (string, error) { return "", errRecording }

func (r *robot) SetVar(context.Context, string, int32) (string, error) { return "", errRecording }

func (r *robot) Feature(context.Context, string, string) (string, error) { return "", errRecording }

func (r *robot) Reaction(context.Context, string, string) (string, error) { return "", errRecording }

func (r *robot) Cancel(context.Context) (string, error) { return "", errRecording }

func (r *robot) Actions(context.Context) (control.ActionsState, error) {
	return control.ActionsState{}, errRecording
}

func (r *robot) Do(context.Context, control.ActionRequest) (string, error) { return "", errRecording }

func (r *robot) Drive(context.Context, control.DriveRequest) (string, error) {
	return "", errRecording
}
func (r *robot) CancelAction(context.Context, uint64) (string, error) { return "", errRecording }

func (r *robot) Act(context.Context, control.Act) (string, error) { return "", errRecording }

func (r *robot) Fault(context.Context, string, string, time.Duration) (string, error) {
	return "", errRecording
}
func (r *robot) ClearFaults(context.Context) (string, error)          { return "", errRecording }
func (r *robot) Faults(context.Context) ([]control.FaultState, error) { return nil, nil }
func (r *robot) EStop() uint64                                        { return 0 }
func (r *robot) Resume(context.Context, uint64) (string, error)       { return "", errRecording }
func (r *robot) Detect(context.Context, control.Detections) (string, error) {
	return "", errRecording
}
func (r *robot) Alive() []string { return nil }
func (r *robot) Ready() []string { return nil }

// Reference implements control.Manual.
func (r *robot) Reference() ([]byte, error) {
	if r.reference == nil {
		return nil, errNoReference
	}
	return r.reference()
}

var errNoReference = errors.New("there is no reference of behavior files here")
