package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/robotd/robotd/actors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/intents"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/facts"
	"github.com/robotd/robotd/cmd/robotd/internal/feed"
	"github.com/robotd/robotd/cmd/robotd/internal/sets"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/cmd/robotd/internal/simrobot"
	"github.com/robotd/robotd/cmd/robotd/internal/speech"
	"github.com/robotd/robotd/hardware/sim"
	"github.com/robotd/robotd/metrics/record"
	"github.com/robotd/robotd/resources"
)

// A robot implements control.Robot on the running robot.
type robot struct {
	sim       *simrobot.Robot
	system    *actors.System
	publisher *feed.Publisher
	sets      *sets.Store
	stageFile string
	facts     *facts.Recorder
	past      *facts.Past
	live      *record.Live
	reference func() ([]byte, error) // of the behavior files
	voice     *speech.Voice          // nil: words are captions
}

var (
	_ control.Robot   = (*robot)(nil)
	_ control.Manual  = (*robot)(nil)
	_ control.Speaker = (*robot)(nil)
)

// Sound implements control.Speaker.
func (r *robot) Sound(number uint64) []byte {
	a := r.voice.Find(func(id uint64) bool { return feed.SoundNumber(id) == number })
	if a == nil {
		return nil
	}
	return a.WAV()
}

// Reference implements control.Manual.
func (r *robot) Reference() ([]byte, error) {
	if r.reference == nil {
		return nil, errNoReference
	}
	return r.reference()
}

var errNoReference = errors.New("there is no reference of behavior files here")

// do hands a command to the next tick and waits for its answer. A refusal by the engine is the caller's mistake; a
// missing answer is not.
func (r *robot) do(ctx context.Context, c engine.Command) (string, error) {
	reply, err := r.system.Inbox().Do(ctx, c)
	if reply.Err != "" {
		return "", control.Refuse(errors.New(reply.Err))
	}
	return reply.Text, err
}

func (r *robot) Feed() *control.Feed { return r.publisher.Feed() }

// Past answers from the memory of the last hour.
func (r *robot) Past() control.Past { return r.past }

// Live gives what changes, as it does.
func (r *robot) Live() *record.Live { return r.live }

// Topics lists the topics of the facts.
func (r *robot) Topics() []string { return facts.Names() }

// Intent and RunBehavior look a name up before the tick hears of it: the search for the nearest of thousands of names is no work for a tick.
func (r *robot) Intent(ctx context.Context, name string, data map[string]string) (string, error) {
	if known := r.sets.Now().Catalog.Boot.Intents; !slices.Contains(known, name) {
		return "", control.Refuse(resources.Unknown("intent", name, known))
	}
	return r.do(ctx, engine.Command{Kind: engine.PostIntent, Intent: &condition.Intent{Tag: name, Data: data, Source: "control"}})
}

// Hear translates the message here, so that a recording holds the intent itself.
func (r *robot) Hear(ctx context.Context, m control.Message) (string, error) {
	var h intents.Heard
	var err error
	cat := r.sets.Now().Catalog
	if m.From == "app" {
		h, err = cat.Intents.App(m.Intent, m.Param, intents.Open)
	} else if raw, bad := json.Marshal(m); bad == nil {
		h, err = cat.Intents.Cloud(raw, intents.Open)
	}
	if err != nil {
		return "", control.Refuse(err)
	}
	if known := cat.Boot.Intents; !slices.Contains(known, h.Intent.Tag) { // nothing stands for it, and the tree has no tag for that
		return "", control.Refuse(resources.Unknown("intent", m.Intent, known))
	}
	text, err := r.do(ctx, engine.Command{Kind: engine.PostIntent, Intent: h.Intent, Gate: h.Gate})
	if err == nil && len(h.Ignored) > 0 {
		text += "; ignored: " + strings.Join(h.Ignored, ", ")
	}
	return text, err
}

func (r *robot) Wake(ctx context.Context) (string, error) {
	return r.do(ctx, engine.Command{Kind: engine.WakeWord})
}

func (r *robot) RunBehavior(ctx context.Context, id string, times int) (string, error) {
	if cat := r.sets.Now().Catalog; cat.Find(id) == nil {
		return "", control.Refuse(resources.Unknown("behavior", id, cat.IDs()))
	}
	return r.do(ctx, engine.Command{Kind: engine.RunBehavior, ID: id, Times: times})
}

func (r *robot) Stage(ctx context.Context, name string) (string, error) {
	stage, ok := engine.ParseStage(name)
	if !ok {
		return "", control.Refuse(resources.Unknown("stage", name, engine.Stages()))
	}
	text, err := r.do(ctx, engine.Command{Kind: engine.SetStage, Stage: stage})
	if err == nil && r.stageFile != "" {
		if err = setup.WriteStage(r.stageFile, stage); err != nil {
			err = fmt.Errorf("%s, but it will not last: %w", text, err)
		}
	}
	return text, err
}

func (r *robot) SelfTest(ctx context.Context, on bool) (string, error) {
	kind := engine.EndSelfTest
	if on {
		kind = engine.BeginSelfTest
	}
	return r.do(ctx, engine.Command{Kind: kind})
}

func (r *robot) Checks(ctx context.Context, on bool) (string, error) {
	return r.do(ctx, engine.Command{Kind: engine.SetChecks, On: on})
}

func (r *robot) SetVar(ctx context.Context, name string, value int32) (string, error) {
	return r.do(ctx, engine.Command{Kind: engine.SetVar, ID: name, Value: value})
}

func (r *robot) Feature(ctx context.Context, name, override string) (string, error) {
	to, err := engine.ParseOverride(override)
	if err != nil {
		return "", control.Refuse(err)
	}
	return r.do(ctx, engine.Command{Kind: engine.SetFeature, ID: name, Force: to})
}

func (r *robot) Reaction(ctx context.Context, conditionType, id string) (string, error) {
	return r.do(ctx, engine.Command{Kind: engine.SetReaction, ID: conditionType, To: id})
}

func (r *robot) Cancel(ctx context.Context) (string, error) {
	return r.do(ctx, engine.Command{Kind: engine.Cancel})
}

func (r *robot) Act(_ context.Context, a control.Act) (string, error) {
	text, err := r.sim.Act(a, r.system.Inbox().Raise)
	if err == nil {
		r.facts.Person(text)
	}
	return text, control.Refuse(err)
}

func (r *robot) Fault(_ context.Context, device, kind string, d time.Duration) (string, error) {
	if err := r.sim.Rig.Fault(device, kind, d); err != nil {
		return "", control.Refuse(err)
	}
	switch {
	case kind == sim.KindBrownout: // a brown-out happens once and needs no clearing
		return device + " lost its configuration", nil
	case d == 0:
		return fmt.Sprintf("%s is %s until cleared", device, kind), nil
	}
	return fmt.Sprintf("%s is %s for %v", device, kind, d), nil
}

func (r *robot) ClearFaults(context.Context) (string, error) {
	if r.sim.Real {
		return "nothing is broken on purpose", nil
	}
	r.sim.Rig.ClearFaults()
	return "every fault was taken away", nil
}

func (r *robot) Faults(context.Context) ([]control.FaultState, error) { return r.sim.Faults(), nil }

func (r *robot) EStop() uint64 { return r.sim.EStop(r.system.Inbox()) }

func (r *robot) Resume(ctx context.Context, stop uint64) (string, error) {
	return r.sim.Resume(ctx, r.system.Inbox(), stop)
}

func (r *robot) Detect(ctx context.Context, d control.Detections) (string, error) {
	seen, err := r.sim.See(d)
	if err != nil {
		return "", control.Refuse(err)
	}
	texts := []string{seen}
	if d.CubeTapped {
		text, err := r.sim.Act(control.Act{Act: "tap"}, r.system.Inbox().Raise)
		if err != nil {
			return "", err
		}
		texts = append(texts, text)
	}
	if d.TriggerWord {
		text, err := r.Wake(ctx)
		if err != nil {
			return "", err
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "; "), nil
}

func (r *robot) Alive() []string { return r.publisher.Alive() }
func (r *robot) Ready() []string { return r.publisher.Ready() }
