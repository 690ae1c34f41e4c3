package record

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"
)

var kills = flag.Int("kills", 4, "how many recording processes are killed")

// envKilled names the folder in which the test's own program records until it is killed.
const envKilled = "RECORD_UNTIL_KILLED"

// recordUntilKilled records a synthetic life in real time. It prints each tick after it handed it over.
func recordUntilKilled(dir string) {
	o := testOptions(dir)
	o.Wait, o.Life.ID, o.Part, o.Life.PeriodNS = false, NewLifeID(), 96<<10, int64(5*time.Millisecond)
	w, err := NewWriter(o)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	s := tell(21, 20000)
	begin := time.Now()
	tick := time.NewTicker(killedPeriod)
	for _, b := range s.batches {
		<-tick.C
		at := time.Since(begin)
		for i := range b.messages {
			b.messages[i].At = at
		}
		w.Tick(b.now.Tick, at, b.messages)
		fmt.Println(b.now.Tick, int64(at))
	}
}

const killedPeriod = 5 * time.Millisecond

// killedAfter kills a recording process and returns the last tick that it handed over, and for how long in its last two seconds a busy machine
// did not let it: it hands over a tick each 5 ms, and what it misses is no tick later.
func killedAfter(t *testing.T, dir string, after time.Duration) (last Instant, starved time.Duration) {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), envKilled+"="+dir)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Wait() }()
	lines := bufio.NewScanner(out)
	var all []Instant
	for lines.Scan() {
		if _, err := fmt.Sscan(lines.Text(), &last.Tick, &last.At); err != nil {
			t.Errorf("the recording process: %s", lines.Text())
		}
		all = append(all, last)
		if last.At >= after {
			_ = c.Process.Kill()
			after = time.Hour
		}
	}
	for i, one := range all {
		if last.At-one.At <= 2*time.Second {
			starved = last.At - one.At - time.Duration(len(all)-1-i)*killedPeriod
			break
		}
	}
	return last, max(0, starved)
}

// TestKilledProcessLosesLessThanSecond kills recording processes at any time. make kills does it a hundred times.
func TestKilledProcessLosesLessThanSecond(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(*kills), 4))
	told := tell(21, 20000)
	var group sync.WaitGroup
	slots := make(chan struct{}, 4)
	for i := range *kills {
		dir, after := t.TempDir(), time.Second+time.Duration(r.Int64N(int64(3*time.Second)))
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			last, starved := killedAfter(t, dir, after)
			judgeKilled(t, i, dir, last, starved, told)
		})
	}
	group.Wait()
}

func judgeKilled(t *testing.T, i int, dir string, last Instant, starved time.Duration, told *story) {
	for _, f := range files(t, dir) { // each of them opens
		h, err := Open(f)
		if err != nil && f != files(t, dir)[len(files(t, dir))-1] {
			t.Errorf("kill %d: %v", i, err)
		} else if err == nil {
			_ = h.Close()
		}
	}
	h, err := Open(dir)
	if err != nil {
		t.Errorf("kill %d: %v", i, err)
		return
	}
	defer func() { _ = h.Close() }()
	_, end := h.Span()
	if lost := last.At - end.At; lost > time.Second+2*starved { // the writer is another thread, which may wait too
		t.Errorf("kill %d: %v are lost: handed over up to %v, recorded up to %v; it got no turn for %v", i, lost, last, end, starved)
	}
	if err := h.Verify(); err != nil || len(h.Gaps()) > 0 {
		t.Errorf("kill %d: %v, gaps %v", i, err, h.Gaps())
	}
	want, got := told.scan(0, end.Tick, []string{"/question", Tape}), []Message{}
	_ = h.Scan([]string{"/question", Tape}, 0, end.Tick, func(m Message) bool { got = append(got, m); return true })
	if len(got) != len(want) {
		t.Errorf("kill %d: %d messages, want %d", i, len(got), len(want))
		return
	}
	for j := range got {
		if got[j].Tick != want[j].Tick || got[j].Key != want[j].Key || string(got[j].Data) != string(want[j].Data) {
			t.Errorf("kill %d: message %d is %v, want %v", i, j, got[j], want[j])
			return
		}
	}
}
