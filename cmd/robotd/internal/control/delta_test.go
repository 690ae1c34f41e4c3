package control

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"
)

// told sends a state view to a stream at a time and returns the event's name and keys.
func told(t *testing.T, d *delta, at time.Duration, s State) (string, map[string]json.RawMessage) {
	t.Helper()
	name, data := d.event(NewFrame(func() *State { return &s }), time.Unix(0, 0).Add(at))
	keys := map[string]json.RawMessage{}
	if err := json.Unmarshal(data, &keys); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return name, keys
}

func TestWholeStateEqualsPlainEncoding(t *testing.T) {
	for _, s := range []State{{}, {Tick: 7, Robot: "a \"b\"", World: &WorldState{RangeMM: 3}, Log: []LogEntry{{Text: "<"}}}} {
		want, err := json.Marshal(&s)
		if err != nil {
			t.Fatal(err)
		}
		if got := NewFrame(func() *State { return &s }).JSON(); string(got) != string(want) {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestDeltaNamesOnlyChangedKeys(t *testing.T) {
	var d delta
	if name, keys := told(t, &d, 0, State{Tick: 1, Stage: "complete"}); name != "state" || len(keys) < 20 {
		t.Fatalf("first event %q with %d keys", name, len(keys))
	}
	name, keys := told(t, &d, time.Second, State{Tick: 2, Stage: "dev"})
	if name != "change" || len(keys) != 2 || string(keys["tick"]) != "2" || string(keys["stage"]) != `"dev"` {
		t.Errorf("%q %v", name, keys)
	}
}

// A key that changes with every tick at noise level waits; what it has in the end is sent all the same.
func TestDeltaSendsSlowKeyAtItsPace(t *testing.T) {
	var d delta
	aged := func(ms float64) State { return State{Devices: []DeviceState{{Name: "imu", AgeMS: ms}}} }
	told(t, &d, 0, aged(1))
	if _, keys := told(t, &d, streamSlowKey-1, aged(2)); len(keys) != 0 {
		t.Errorf("before its time: %v", keys)
	}
	if _, keys := told(t, &d, streamSlowKey, aged(3)); !strings.Contains(string(keys["devices"]), `"age_ms":3`) {
		t.Errorf("at its time: %v", keys)
	}
	if _, keys := told(t, &d, 3*streamSlowKey, aged(3)); len(keys) != 0 {
		t.Errorf("unchanged: %v", keys)
	}
}

func TestDeltaSendsNullForKeyThatIsGone(t *testing.T) {
	var d delta
	told(t, &d, 0, State{World: &WorldState{}})
	if _, keys := told(t, &d, 1, State{}); string(keys["world"]) != "null" {
		t.Errorf("gone: %v", keys)
	}
	if _, keys := told(t, &d, 2, State{}); len(keys) != 0 {
		t.Errorf("still gone: %v", keys)
	}
	if _, keys := told(t, &d, 3, State{World: &WorldState{}}); keys["world"] == nil {
		t.Errorf("back again: %v", keys)
	}
}

// A state view that JSON cannot hold becomes an error that names the key, and the next good one is sent whole.
func TestDeltaNamesKeyThatCannotBeEncoded(t *testing.T) {
	var d delta
	told(t, &d, 0, State{})
	name, keys := told(t, &d, 1, State{TimeS: math.NaN()})
	if name != "state" || !strings.Contains(string(keys["error"]), "state: time_s: ") {
		t.Errorf("%q %v", name, keys)
	}
	if name, keys := told(t, &d, 2, State{}); name != "state" || keys["tick"] == nil {
		t.Errorf("afterwards %q %v", name, keys)
	}
}
