package tape_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/hardware"
)

var epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

func step(n uint64) *tape.Entry {
	e := &tape.Entry{Kind: engine.CallStep}
	e.Input.Tick, e.Input.Now = n, epoch.Add(time.Duration(n)*time.Second)
	return e
}

// drained are the ticks of the messages, and what a decoder says of them.
func drained(q *tape.Queue, d *tape.Decoder, upTo uint64) (ticks []uint64, err error) {
	q.Drain(upTo, func(tick uint64, at time.Duration, message []byte) {
		if at != time.Duration(tick)*time.Second {
			err = errors.New("tick and time differ")
		}
		if _, e := d.Next(message); e != nil {
			err = e
		}
		ticks = append(ticks, tick)
	})
	return ticks, err
}

// The queue gives the entries up to a tick, in order; later ones wait.
func TestQueueGivesEntriesUpToATick(t *testing.T) {
	q, d := tape.NewQueue(10), &tape.Decoder{}
	for _, e := range []*tape.Entry{{Kind: engine.CallStart, Now: epoch}, step(1), step(2), {Kind: engine.CallReset, Base: "B"}, step(3)} {
		q.Put(e)
	}
	for _, c := range []struct {
		upTo  uint64
		ticks int
		last  uint64
	}{{1, 2, 1}, {1, 0, 0}, {2, 2, 2}, {9, 1, 3}} {
		ticks, err := drained(q, d, c.upTo)
		if err != nil || len(ticks) != c.ticks || c.ticks > 0 && ticks[len(ticks)-1] != c.last {
			t.Errorf("up to %d: %v, %v", c.upTo, ticks, err)
		}
	}
}

// A queue that overflows says that there is a gap, once, and takes nothing any more.
func TestQueueThatOverflowsEndsInGap(t *testing.T) {
	q, d := tape.NewQueue(2), &tape.Decoder{}
	for _, e := range []*tape.Entry{{Kind: engine.CallStart, Now: epoch}, step(1), step(2)} {
		q.Put(e)
	}
	ticks, err := drained(q, d, 9)
	if len(ticks) != 3 || !errors.Is(err, tape.ErrGap) || !strings.Contains(err.Error(), "after tick 1: a gap in the recording: the recorder was too slow: 2 entries waited") {
		t.Errorf("%v, %v", ticks, err)
	}
	q.Put(step(3))
	if ticks, _ := drained(q, d, 9); ticks != nil {
		t.Errorf("then %v", ticks)
	}
}

type foreign struct{ hardware.StopWheels }

// An entry that no tape can hold ends the tape with its reason.
func TestEntryThatCannotBeEncodedEndsTapeInGap(t *testing.T) {
	q, d := tape.NewQueue(10), &tape.Decoder{}
	bad := step(1)
	bad.Verdicts = []tape.Verdict{{Requests: []tape.Request{{Args: foreign{}}}}}
	for _, e := range []*tape.Entry{{Kind: engine.CallStart, Now: epoch}, bad, step(2)} {
		q.Put(e)
	}
	if ticks, err := drained(q, d, 9); len(ticks) != 2 || !errors.Is(err, tape.ErrGap) || !strings.Contains(err.Error(), "a tape cannot hold a value of type tape_test.foreign") {
		t.Errorf("%v, %v", ticks, err)
	}
}
