package clock

import (
	"testing"
	"time"
)

func TestFrozenExecutorsGetTheirTurnsInOrderAfterTheThaw(t *testing.T) {
	j := newJournal(t)
	a, b := j.Open("a", 1), j.Open("b", 2)
	a.Post(func() {
		j.note("a asleep")
		a.Sleep(20 * time.Millisecond)
		j.note("a awake")
	})
	for i := range 3 {
		b.Timer(func() { j.note("b") }).Set(time.Duration(i+1) * 15 * time.Millisecond)
	}
	j.Run(begin.Add(10*time.Millisecond), nil)
	j.Freeze(100 * time.Millisecond)
	for range 5 {
		j.Run(j.Now().Add(10*time.Millisecond), nil)
	}
	j.want(t, "0s a asleep")
	if now := j.Now().Sub(begin); now != 60*time.Millisecond {
		t.Errorf("time stands at %v, want 60ms", now)
	}
	j.Run(begin.Add(time.Second), nil)
	j.want(t, "0s a asleep", "110ms b", "110ms a awake", "110ms b", "110ms b")
}
