package recent_test

import (
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/library/recent"
)

// Rules: DT-X04.
func TestTwiceWithinAMinuteIsOften(t *testing.T) {
	rule := recent.Rule{Times: 2, Within: time.Minute}
	start := time.Unix(1000, 0)
	for name, c := range map[string]struct {
		after time.Duration
		want  bool
	}{"within": {59 * time.Second, true}, "at the end": {time.Minute, true}, "too late": {61 * time.Second, false}} {
		var o recent.Occurrence
		o.Note(rule, start)
		if o.Often(rule, start) {
			t.Errorf("%s: once is often", name)
		}
		at := start.Add(c.after)
		o.Note(rule, at)
		if got := o.Often(rule, at); got != c.want {
			t.Errorf("%s: often %v", name, got)
		}
	}
}
