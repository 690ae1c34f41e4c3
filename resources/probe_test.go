package resources

import (
	"math"
	"reflect"
	"testing"
	"time"
)

// find returns the account of a key by its path, and fails without one.
func find(t *testing.T, keys []KeyInfo, path ...string) KeyInfo {
	t.Helper()
	for _, k := range keys {
		if k.Name != path[0] {
			continue
		}
		if len(path) == 1 {
			return k
		}
		return find(t, k.Keys, path[1:]...)
	}
	t.Fatalf("no key %q in %+v", path[0], keys)
	return KeyInfo{}
}

func TestProbeNotesWhatEachReaderAsksFor(t *testing.T) {
	p := NewProbe()
	o := p.Object()
	if got := o.FloatRangeOr("head_deg", 10, -22, 45); got != 10 {
		t.Errorf("an optional number answers %v, want its default", got)
	}
	if got := o.IntRange("runs", 2, 9); got != 2 {
		t.Errorf("a required number answers %v, want the valid one next to zero", got)
	}
	if got := o.Enum("mode", []string{"slow", "fast"}); got != "slow" {
		t.Errorf("a required word answers %q, want the first", got)
	}
	o.SecondsOr("wait_s", 1500*time.Millisecond)
	o.Millis("poll_ms")
	o.Ref("behavior", "behavior")
	o.RefsOr("timers", "timer")
	o.BoolOr("loud", true)
	o.Strings("names")
	o.Object("inner").Float("x")
	for _, e := range o.ObjectsOr("states") {
		e.String("name")
	}
	o.Declare("legacy")
	o.Describe("loud", "how loud it is")
	inf := math.Inf(1)
	inner := []KeyInfo{{Name: "x", Kind: KindReal, Required: true, Low: -inf, High: inf}}
	state := []KeyInfo{{Name: "name", Kind: KindText, Required: true}}
	want := []KeyInfo{
		{Name: "head_deg", Kind: KindReal, Default: 10.0, Low: -22, High: 45, Unit: "°"},
		{Name: "runs", Kind: KindWhole, Required: true, Low: 2, High: 9},
		{Name: "mode", Kind: KindWord, Required: true, Words: []string{"slow", "fast"}},
		{Name: "wait_s", Kind: KindDuration, Default: 1.5, High: MaxDuration.Seconds(), Unit: "s"},
		{Name: "poll_ms", Kind: KindDuration, Required: true, High: MaxDuration.Seconds() * 1000, Unit: "ms"},
		{Name: "behavior", Kind: KindRef, Required: true, Ref: "behavior"},
		{Name: "timers", Kind: KindList, Elem: &KeyInfo{Kind: KindRef, Ref: "timer"}},
		{Name: "loud", Kind: KindFlag, Default: true, Doc: "how loud it is"},
		{Name: "names", Kind: KindList, Required: true, Elem: &KeyInfo{Kind: KindText}},
		{Name: "inner", Kind: KindKeys, Required: true, Keys: inner},
		{Name: "states", Kind: KindList, Elem: &KeyInfo{Kind: KindKeys, Keys: state}, Keys: state},
		{Name: "legacy", Kind: KindAnything},
	}
	got := p.Keys()
	for i, w := range want {
		if i >= len(got) || !reflect.DeepEqual(got[i], w) {
			t.Errorf("key %d:\n got %+v\nwant %+v", i, got[min(i, len(got)-1)], w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d keys, want %d", len(got), len(want))
	}
	o.Errorf(o.Pos(), "any", "a mistake")
	o.Document().Finish()
	if d := o.Diagnostics(); len(d) > 0 || len(o.Document().References()) > 0 {
		t.Errorf("a probe reports %v and records %v", d, o.Document().References())
	}
}

func TestExploreReadsKeysThatDependOnAnswers(t *testing.T) {
	keys := Explore(func(o *Object) {
		if o.BoolOr("leaveFirst", false) {
			o.Ref("leave", "behavior")
		}
		switch exact, limits := o.Has("value"), o.Has("min") || o.Has("max"); {
		case exact && limits:
			o.Errorf(o.Pos(), "conflict", "both ways")
			return
		case exact:
			o.FloatRange("value", 0, 1)
		default:
			o.FloatOr("min", 0)
			o.FloatOr("max", 0)
		}
		if o.Enum("mode", []string{"a", "b"}) == "b" {
			o.Int("ofB")
		}
		switch v := o.Required("from"); v.Kind() {
		case KindArray:
			o.Strings("from")
		default:
			o.String("from")
		}
	})
	for path, kind := range map[string]KeyKind{"leave": KindRef, "value": KindReal, "min": KindReal, "max": KindReal, "ofB": KindWhole, "from": KindText} {
		if got := find(t, keys, path); got.Kind != kind {
			t.Errorf("%s is %+v, want the kind %s", path, got, kind)
		}
	}
	for _, path := range []string{"leave", "value", "ofB"} {
		if find(t, keys, path).Required {
			t.Errorf("%s is required, though only some answers ask for it", path)
		}
	}
	for _, path := range []string{"mode", "from"} {
		if !find(t, keys, path).Required {
			t.Errorf("%s is not required, though every right file needs it", path)
		}
	}
	if or := find(t, keys, "from").Or; len(or) != 1 || or[0].Kind != KindList {
		t.Errorf("the other forms of from are %+v, want a list", or)
	}
}

func TestExploreTakesOpenObjectsRefusedKeysAndUnits(t *testing.T) {
	keys := Explore(func(o *Object) {
		if m, ok := o.ObjectOr("map"); ok {
			for _, k := range m.Keys() {
				m.Int(k)
			}
		}
		o.Refuses("old", nil)
		o.Refuses("never", false)
		o.BoolOr("never", false)
	})
	if k := find(t, keys, "map", AnyKey); k.Kind != KindWhole || k.Required {
		t.Errorf("any key of the map is %+v", k)
	}
	if !find(t, keys, "old").Refused || find(t, keys, "never").Only != any(false) {
		t.Errorf("refused keys are %+v", keys)
	}
	for key, unit := range map[string]string{"a_s": "s", "a_ms": "ms", "turn_degps": "°/s", "d_mm": "mm", "v_mmps": "mm/s", "boss": "", "a_sec": "s"} {
		if got := UnitOf(key); got != unit {
			t.Errorf("the unit of %s is %q, want %q", key, got, unit)
		}
	}
}
