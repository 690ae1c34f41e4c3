package condition_test

import (
	"testing"

	"github.com/robotd/robotd/behaviors/condition"
)

// benched are the conditions whose cost counts: most gates are one of them.
func benched() map[string]string {
	return map[string]string{
		"leaf":     samples()["BatteryLevel"],
		"compound": `{"conditionType": "Compound", "and": [{"not": {"conditionType": "OnCharger"}}, {"conditionType": "RobotPickedUp"}, {"conditionType": "TrueCondition"}]}`,
		"intent":   samples()["UserIntentPending"],
		"timer":    samples()["TimerInRange"],
		"cliff":    samples()["CliffDetected"],
		"object":   samples()["ObjectKnown"],
	}
}

func BenchmarkMet(b *testing.B) {
	for name, src := range benched() {
		b.Run(name, func(b *testing.B) {
			r, c := benchRig(b, src)
			b.ReportAllocs()
			for b.Loop() {
				c.Met(r.view)
			}
		})
	}
}

func BenchmarkAhead(b *testing.B) {
	for name, src := range benched() {
		b.Run(name, func(b *testing.B) {
			r, c := benchRig(b, src)
			b.ReportAllocs()
			for b.Loop() {
				condition.Ahead(c, r.view)
			}
		})
	}
}

func BenchmarkOwn(b *testing.B) {
	_, c := benchRig(b, benched()["compound"])
	for b.Loop() {
		condition.Own(c)
	}
}

func benchRig(b *testing.B, src string) (*rig, condition.Condition) {
	b.Helper()
	r := newRig(b)
	return r, r.parse(src)
}
