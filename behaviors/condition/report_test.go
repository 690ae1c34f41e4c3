package condition_test

import (
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
)

// reporter tells of a condition when what it rests on changed, as the subscribers of explanations do: notes are taken on the tick, and words
// made only of those that differ.
type reporter struct {
	last []condition.Note
	at   time.Time
}

func (p *reporter) ask(r *rig, c condition.Condition) string {
	c.Met(r.view)
	notes := condition.Notes(nil, c)
	if p.last != nil && condition.Same(notes, r.view.Now, p.last, p.at) {
		return ""
	}
	p.last, p.at = notes, r.view.Now
	return condition.Tell(notes, nil).String()
}

// A report comes with the first answer and whenever the answer or its reasons change, then one that the condition is inactive. Without a
// subscriber nothing is made.
// Rules: DT-C24, data/3.5b.
func TestReportComesWhenAnswerOrReasonsChange(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "Compound", "and": [{"conditionType": "OnCharger"}, {"not": {"conditionType": "Emotion", "emotion": "Confident", "min": 0.5}}]}`)
	var p reporter
	first := p.ask(r, c)
	if !strings.Contains(first, "OnCharger: off contacts") {
		t.Errorf("first report %q", first)
	}
	r.at(time.Second)
	if again := p.ask(r, c); again != "" {
		t.Errorf("unchanged, and reported: %q", again)
	}
	r.world.Body.OnContacts = true
	if got, want := p.ask(r, c), "and(OnCharger, not(Emotion(Confident 0.5..+Inf)))=true: OnCharger: on contacts; not("; !strings.HasPrefix(got, want) {
		t.Errorf("after the change %q, want %q and the emotion", got, want)
	}
	c.SetActive(r.view, false)
	if inactive := condition.Unasked(nil, c); condition.Tell(inactive, nil).Text != "inactive" || condition.Same(inactive, r.view.Now, p.last, p.at) {
		t.Errorf("inactive: %+v", condition.Tell(inactive, nil))
	}
	c.SetActive(r.view, true)
	if n := testing.AllocsPerRun(100, func() { c.Met(r.view) }); n != 0 {
		t.Errorf("%v allocations without a subscriber", n)
	}
}
