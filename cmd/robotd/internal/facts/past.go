package facts

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/metrics/record"
	"github.com/robotd/robotd/resources"
)

// A Past answers questions from a history.
type Past struct {
	Source record.History
	// Live says that the life goes on.
	Live bool
	// Catalog returns the definitions of a sum that the robot lived with at some time. If it is empty, they are the present ones of a robot that
	// lives, and those that the life of a recording began with.
	Catalog func(sum string) (*catalog.Catalog, error)
	// Costs returns the time of hooks by behavior; nil: it is not measured.
	Costs func() ([]control.BudgetEntry, error)
}

var _ control.Past = (*Past)(nil)

func (p *Past) gaps(from, to float64) []control.GapState {
	all := []control.GapState{}
	for _, g := range p.Source.Gaps() {
		s := control.GapState{FromS: seconds(g.From.At), ToS: seconds(g.To.At), Reason: g.Reason}
		if s.FromS <= to && s.ToS >= from {
			all = append(all, s)
		}
	}
	return all
}

// Over implements control.Past.
func (p *Past) Over() bool { return !p.Live }

// History implements control.Past.
func (p *Past) History() control.HistoryState {
	first, last := p.Source.Span()
	s := control.HistoryState{First: instantOf(first), Last: instantOf(last), Live: p.Live, Life: p.Source.Life()}
	s.Gaps = p.gaps(s.First.AtS, s.Last.AtS)
	return s
}

func instantOf(i record.Instant) control.InstantState {
	return control.InstantState{Tick: i.Tick, AtS: seconds(i.At)}
}

// Tick implements control.Past. A time within half a period before the first tick is that tick's.
func (p *Past) Tick(at float64) (uint64, error) {
	first, last := p.Source.Span()
	when := control.Seconds(at)
	if when < first.At && when >= first.At-time.Duration(p.Source.Life().PeriodNS) {
		return first.Tick, nil
	}
	// Times in answers are rounded to milliseconds; half of one is no other tick.
	tick, ok := p.Source.Find(when + 500*time.Microsecond)
	if !ok || when > last.At+time.Second {
		return 0, control.Refuse(fmt.Errorf("%g s is not recorded: %.1f to %.1f s are", at, first.At.Seconds(), last.At.Seconds()))
	}
	return tick, nil
}

// State implements control.Past.
func (p *Past) State(tick uint64) (*control.State, error) {
	s, err := StateAt(p.Source, tick)
	if err == nil {
		s.View = !p.Live
	}
	return s, err
}

// ticks are the ticks of a window, as far as it is recorded.
func (p *Past) ticks(from, to float64) (first, last uint64) {
	a, b := p.Source.Span()
	first, last = a.Tick, b.Tick
	if t, ok := p.Source.Find(control.Seconds(from)); ok {
		first = t
	}
	if t, ok := p.Source.Find(control.Seconds(to)); ok {
		last = t
	}
	return first, last
}

// held calls see with what holds at the end of a tick. What a damaged part of a file hides is left out: what is recorded after it is still told.
func (p *Past) held(tick uint64, topics []string, see func(record.Message) bool) error {
	return butDamage(p.Source.At(tick, topics, see))
}

// butDamage drops an error that says that damage hides what held.
func butDamage(err error) error {
	if _, ok := errors.AsType[*record.DamageError](err); ok {
		return nil
	}
	return err
}

// since is from when on events and lines belong to a window that begins at a time. What came before the first tick, such as how the devices
// started, is told in that tick, and belongs to a window that begins with it.
func (p *Past) since(from float64) float64 {
	if first, _ := p.Source.Span(); from <= seconds(first.At)+rounding {
		return math.Inf(-1)
	}
	return from
}

// rounding is what a time in an answer or a message may differ from the true one, in seconds.
const rounding = 0.001

// Activations implements control.Past.
func (p *Past) Activations(id string) ([]control.Activation, error) {
	first, last := p.Source.Span()
	all, open := []control.Activation{}, -1
	see := func(m record.Message) bool {
		var stack stackValue
		if json.Unmarshal(m.Data, &stack) != nil {
			return true
		}
		at := slices.IndexFunc(stack.Layers, func(l layerValue) bool { return l.ID == id })
		if open >= 0 && (at < 0 || stack.Layers[at].SinceS != all[open].FromS) {
			to := seconds(m.At)
			if at >= 0 {
				to = stack.Layers[at].SinceS
			}
			all[open].ToS, open = &to, -1
		}
		if at >= 0 && open < 0 {
			a := control.Activation{FromS: stack.Layers[at].SinceS}
			if at > 0 {
				a.By = stack.Layers[at-1].ID
			}
			all, open = append(all, a), len(all)
		}
		return true
	}
	v, err := valuesAt(p.Source, first.Tick, []string{topicLife, topicStack})
	if err = butDamage(err); err != nil {
		return nil, err
	}
	var life, now lifeValue
	v.get(topicLife, "", &life)
	newest, err := valuesAt(p.Source, last.Tick, []string{topicLife}) // behaviors come and go with a reload
	if err = butDamage(err); err != nil {
		return nil, err
	}
	newest.get(topicLife, "", &now)
	if known := slices.Concat(life.Behaviors, now.Behaviors); len(known) > 0 && !slices.Contains(known, id) {
		return nil, control.Refuse(fmt.Errorf("id: %w", resources.Unknown("behavior", id, now.Behaviors)))
	}
	if data, ok := v.all[topicStack][""]; ok {
		see(record.Message{At: first.At, Data: data})
	}
	err = p.Source.Scan([]string{topicStack}, first.Tick+1, last.Tick, see)
	return all, err
}

// maxLines bounds an answer; the newest lines are kept.
const maxLines = 2000

// Log implements control.Past.
func (p *Past) Log(q control.LogQuery) ([]control.LogEntry, error) {
	lines := []control.LogEntry{}
	least, text := slices.Index(levels, q.Level), strings.ToLower(q.Text)
	since := p.since(q.FromS)
	first, last := p.ticks(q.FromS-1, q.ToS+1) // a line comes with the tick after it
	err := p.Source.Scan([]string{topicLog}, first, last, func(m record.Message) bool {
		l, ok := lineOf(m)
		if ok && l.TimeS >= since-rounding && l.TimeS <= q.ToS+rounding && slices.Index(levels, l.Level) >= least && strings.Contains(strings.ToLower(l.Text), text) {
			lines = append(lines, l)
		}
		return true
	})
	return lines[max(0, len(lines)-maxLines):], err
}
