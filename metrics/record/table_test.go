package record

import (
	"strconv"
	"testing"
)

// What came and went while nothing could be saved leaves nothing behind; what was saved before has its end told.
func TestTableForgetsWhatNobodyEverHearsOf(t *testing.T) {
	table := newTable()
	say := func(tick uint64, key, data string) {
		m := Message{Topic: "/action", Key: key, Tick: tick}
		if data != "" {
			m.Data = []byte(data)
		}
		table.apply(&m)
	}
	say(1, "old", `{"a":1}`)
	table.settle()
	for n := uint64(2); n < 100_000; n++ {
		key := strconv.FormatUint(n, 10)
		say(n, key, `{"a":1}`)
		say(n, key, `{"a":2}`)
		say(n, key, "")
	}
	say(100_000, "old", "")
	say(100_001, "again", `{"a":1}`)
	say(100_002, "again", "")
	say(100_003, "again", `{"a":3}`)
	if len(table.values) != 2 || len(table.fresh) > 200 {
		t.Errorf("%d values and %d changes are kept", len(table.values), len(table.fresh))
	}
	all := table.keyframe()
	if len(all) != 2 || all[0].Key != "old" || all[0].Data != nil || all[1].Key != "again" || string(all[1].Data) != `{"a":3}` {
		t.Errorf("%+v", all)
	}
	table.settle()
	if all = table.keyframe(); len(all) != 1 || all[0].Key != "again" || all[0].kind != repeated {
		t.Errorf("%+v", all)
	}
	say(100_004, "again", "")
	if all = table.keyframe(); len(all) != 1 || all[0].Data != nil {
		t.Errorf("its end is not told: %+v", all)
	}
}
