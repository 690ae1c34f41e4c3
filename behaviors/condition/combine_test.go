package condition_test

import (
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
)

// Rules: T-16, 6.5/TestUnitTestCondition, DT-C01, data/3.1e, data/3.2f.
func TestUnitTestConditionCounts(t *testing.T) {
	r := newRig(t)
	u := condition.NewUnitTest(false)
	counts := func(activations, evaluations int) {
		t.Helper()
		if u.Activations != activations || u.Evaluations != evaluations {
			t.Errorf("counters %d/%d, want %d/%d", u.Activations, u.Evaluations, activations, evaluations)
		}
	}
	counts(0, 0)
	u.SetActive(r.view, true)
	counts(1, 0)
	r.want(u, false)
	counts(1, 1)
	r.want(u, false)
	counts(1, 2)
	u.Value = true
	r.want(u, true)
	counts(1, 3)
	u.SetActive(r.view, false)
	u.SetActive(r.view, true)
	u.SetActive(r.view, true) // every call runs (T-17)
	counts(3, 3)
}

// Rules: data/3.2f.
func TestUnitTestConditionTakesItsValueFromTheFile(t *testing.T) {
	r := newRig(t)
	r.want(r.parse(`{"conditionType": "UnitTestCondition"}`), false)
	r.want(r.parse(`{"conditionType": "UnitTestCondition", "value": true}`), true)
}

// Rules: 6.5/CreateLambda, DT-C02, data/3.2f.
func TestFuncFollowsItsVariable(t *testing.T) {
	r := newRig(t)
	flag := false
	c := r.active(condition.Func("Flag", func(*condition.View) bool { return flag }))
	r.want(c, false, false, false)
	flag = true
	r.want(c, true, true, true)
}

// Rules: 6.5/True, DT-C03, data/3.2f.
func TestTrueConditionIsAlwaysMet(t *testing.T) {
	r := newRig(t)
	r.want(r.parse(`{"conditionType": "TrueCondition"}`), true, true, true, true, true, true)
}

// Rules: 6.5/CompoundNot, DT-C06, data/3.2c.
func TestNotEvaluatesItsOperandOncePerEvaluation(t *testing.T) {
	r := newRig(t)
	u := condition.NewUnitTest(true)
	c := condition.Not(u)
	if u.Activations != 0 {
		t.Error("the operand was activated before the compound")
	}
	r.active(c)
	r.want(c, false, false)
	u.Value = false
	r.want(c, true, true)
	if u.Activations != 1 || u.Evaluations != 4 {
		t.Errorf("operand activated %d and evaluated %d times, want 1 and 4", u.Activations, u.Evaluations)
	}
}

// Rules: DT-C07.
func TestOrOfAllPairs(t *testing.T) {
	r := newRig(t)
	a, b := condition.NewUnitTest(true), condition.NewUnitTest(true)
	c := r.active(condition.Or(a, b))
	r.want(c, true)
	r.want(c, true)
	if a.Evaluations != 2 || b.Evaluations != 2 {
		t.Errorf("operands evaluated %d and %d times, want 2 and 2", a.Evaluations, b.Evaluations)
	}
	for _, p := range []struct{ a, b, want bool }{{true, false, true}, {false, true, true}, {false, false, false}} {
		a.Value, b.Value = p.a, p.b
		r.want(c, p.want)
	}
}

// Rules: 6.5/CompoundNotJson, DT-C08.
func TestJSONNotStaysFalseWhenActivatedAgain(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "Compound", "not": {"conditionType": "TrueCondition"}}`)
	r.want(c, false, false, false)
	c.SetActive(r.view, true)
	r.want(c, false, false, false)
}

// Rules: 6.5/CompoundAndJson, 6.5/CompoundOrJson, DT-C09, DT-C10, data/3.2a.
func TestJSONAndOrOfAllPairs(t *testing.T) {
	const yes, no = `{"conditionType": "TrueCondition"}`, `{"conditionType": "UnitTestCondition"}`
	for _, c := range []struct {
		op, a, b string
		want     bool
	}{
		{"and", yes, yes, true},
		{"and", yes, no, false},
		{"and", no, yes, false},
		{"and", no, no, false},
		{"or", yes, yes, true},
		{"or", yes, no, true},
		{"or", no, yes, true},
		{"or", no, no, false},
	} {
		r := newRig(t)
		r.want(r.parse(`{"conditionType": "Compound", "`+c.op+`": [`+c.a+`, `+c.b+`]}`), c.want)
	}
}

// Rules: data/3.2c, data/3.4e.
func TestEveryOperandIsEvaluatedOnEveryCallInOrder(t *testing.T) {
	r := newRig(t)
	var order []string
	operand := func(name string, value bool) condition.Condition {
		return condition.Func(name, func(*condition.View) bool {
			order = append(order, name)
			return value
		})
	}
	and := r.active(condition.And(operand("a", false), operand("b", true), operand("c", false)))
	or := r.active(condition.Or(operand("d", true), operand("e", false)))
	r.want(and, false)
	r.want(or, true)
	if want := []string{"a", "b", "c", "d", "e"}; !slices.Equal(order, want) {
		t.Errorf("evaluated %v, want %v", order, want)
	}
}

// Rules: data/3.2c.
func TestStatefulOperandBehindFalseOperandAdvances(t *testing.T) {
	r := newRig(t)
	u, gate := condition.NewUnitTest(false), condition.NewUnitTest(false)
	c := r.active(condition.And(gate, condition.BecameTrue(u)))
	r.want(c, false)
	u.Value = true
	r.want(c, false) // the edge passes while the other operand is false
	gate.Value = true
	r.want(c, false)
}

// Rules: data/3.2b.
func TestBareOperatorsNestOnceBelowCompound(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "Compound", "and": [
		{"not": {"conditionType": "UnitTestCondition"}},
		{"or": [{"conditionType": "TrueCondition"}, {"conditionType": "UnitTestCondition"}]}
	]}`)
	r.want(c, true)
	if got, want := c.String(), "and(not(UnitTestCondition), or(TrueCondition, UnitTestCondition))"; got != want {
		t.Errorf("named %s, want %s", got, want)
	}
}

// Rules: data/3.2b.
func TestNestedCompoundCountsOperatorsAnew(t *testing.T) {
	r := newRig(t)
	r.want(r.parse(`{"conditionType": "Compound", "and": [
		{"not": {"conditionType": "Compound", "or": [
			{"not": {"conditionType": "TrueCondition"}}, {"conditionType": "UnitTestCondition"}]}},
		{"conditionType": "TrueCondition"}
	]}`), true)
}

// Rules: DT-C19, data/3.2d, data/3.4d.
func TestBecameTrueCountsEdgesBetweenEvaluations(t *testing.T) {
	r := newRig(t)
	u := condition.NewUnitTest(false)
	c := r.active(condition.BecameTrue(u))
	play := func(values, want []bool) {
		t.Helper()
		for i, value := range values {
			u.Value = value
			r.at(seconds(float64(i)))
			r.want(c, want[i])
		}
	}
	play([]bool{true, true, false, true, true}, []bool{false, false, false, true, false})
	u.Value = false
	r.want(c, false)
	c.SetActive(r.view, false)
	c.SetActive(r.view, true)
	play([]bool{true, false, true}, []bool{false, false, true})
}

// Rules: data/3.2d.
func TestBecameTrueKeepsItsMemoryWhenActivatedTwice(t *testing.T) {
	r := newRig(t)
	u := condition.NewUnitTest(false)
	c := r.active(condition.BecameTrue(u))
	r.want(c, false)
	c.SetActive(r.view, true)
	u.Value = true
	r.want(c, true)
}

// Rules: DT-C13, data/3.2e, data/3.4c.
func TestTimedDedupIsSilentForItsInterval(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "TimedDedup", "dedupInterval_ms": 4000, "subCondition": {"conditionType": "TrueCondition"}}`)
	r.want(c, true, false)
	r.wantAt(c, seconds(2), false)
	r.wantAt(c, seconds(3.9), false)
	r.at(seconds(4.1))
	r.want(c, true, false)
	r.wantAt(c, seconds(8.1)-1, false)
	r.wantAt(c, seconds(8.1), true) // at the interval, not after it
}

// Rules: data/3.2e.
func TestTimedDedupEvaluatesItsOperandOnlyOutsideTheInterval(t *testing.T) {
	r := newRig(t)
	u := condition.NewUnitTest(false)
	c := r.active(condition.Dedup(u, time.Second))
	r.want(c, false, false) // an unmet operand starts no interval
	u.Value = true
	r.want(c, true, false, false)
	if u.Evaluations != 3 {
		t.Errorf("operand evaluated %d times, want 3", u.Evaluations)
	}
}

// Rules: data/3.2e.
func TestTimedDedupOutlivesSetActive(t *testing.T) {
	r := newRig(t)
	u := condition.NewUnitTest(true)
	c := r.active(condition.Dedup(u, time.Second))
	r.want(c, true)
	c.SetActive(r.view, false)
	c.SetActive(r.view, true)
	r.want(c, false)
	if u.Activations != 2 {
		t.Errorf("operand activated %d times, want 2", u.Activations)
	}
}

// Rules: data/3.2a.
func TestCompoundsFromCodeNeedOperands(t *testing.T) {
	for name, build := range map[string]func(){
		"and": func() { condition.And(condition.True()) },
		"or":  func() { condition.Or() },
		"nil": func() { condition.Func("nil", nil) },
	} {
		if panicked(build) == nil {
			t.Errorf("%s: no panic", name)
		}
	}
}

// panicked runs f and returns the value of its panic.
func panicked(f func()) (with any) {
	defer func() { with = recover() }()
	f()
	return nil
}
