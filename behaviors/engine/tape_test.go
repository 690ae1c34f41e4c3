package engine_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/hardware"
)

// filled makes a value in which nothing is left out, of chance.
func filled(r *rand.Rand, v reflect.Value) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(epoch.Add(time.Duration(r.Int64N(1e15)))))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				filled(r, v.Field(i))
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		filled(r, v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), r.IntN(3), 3))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			filled(r, v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]string{"b": "\xff\x00", "a": "<ä>", "": ""}))
	case reflect.Interface:
		if v.Type() == reflect.TypeFor[behaviors.Payload]() {
			v.Set(reflect.ValueOf(everyPayload[r.IntN(len(everyPayload))]))
			return
		}
		v.Set(reflect.ValueOf([]hardware.Command{
			hardware.Drive{ID: r.Uint64(), DistanceMM: r.NormFloat64()},
			hardware.SetLights{Colors: [5]hardware.RGB{{G: 7}}},
			hardware.PlaySound{Text: "\xc3", Duration: 5},
			hardware.StopWheels{},
		}[r.IntN(4)]))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString([]string{"x", "a \"b\"\n", "\xfe", "é"}[r.IntN(4)])
	case reflect.Float64:
		v.SetFloat([]float64{r.NormFloat64(), math.Copysign(0, -1), math.MaxFloat64, 5e-324}[r.IntN(4)])
	default:
		if v.CanInt() {
			v.SetInt(int64(r.Uint64() >> (64 - v.Type().Bits())))
		} else {
			v.SetUint(r.Uint64() >> (64 - v.Type().Bits()))
		}
	}
}

// Every value of an entry comes back to the bit. A field that is added to the input, a snapshot or a command is part of this by
// itself.
// Rules: goal/M8.
func TestTapeRoundTripIsUnchanged(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rec := &tape.Tape{}
	rec.Add(&tape.Entry{Kind: engine.CallStart, Now: epoch, Base: "R", Failures: 3})
	for range 200 {
		e := &tape.Entry{}
		filled(r, reflect.ValueOf(e).Elem())
		rec.Add(e)
	}
	messages, err := rec.Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := tape.Decode(messages)
	if err != nil || len(back.Entries) != len(rec.Entries) {
		t.Fatalf("%d entries, %v", len(back.Entries), err)
	}
	for i := range rec.Entries {
		if !reflect.DeepEqual(back.Entries[i], rec.Entries[i]) {
			t.Fatalf("entry %d:\n got %+v\nwant %+v", i, back.Entries[i], rec.Entries[i])
		}
	}
}

// Broken sensors say NaN; live instants carry the monotonic clock, which is what the tape keeps when the wall clock jumps.
func TestTapeKeepsNaNAndMonotonicClock(t *testing.T) {
	start := time.Now()
	later := start.Add(time.Hour)
	in := engine.Input{Tick: 1, Now: later}
	in.World.IMU.Value.YawRad = math.NaN()
	in.World.IMU.Value.PitchRad = math.Inf(-1)
	rec := &tape.Tape{}
	rec.Add(&tape.Entry{Kind: engine.CallStart, Now: start})
	rec.Add(&tape.Entry{Kind: engine.CallStep, Input: in})
	messages, err := rec.Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := tape.Decode(messages)
	if err != nil {
		t.Fatal(err)
	}
	got := back.Entries[1].Input
	imu := got.World.IMU.Value
	if !math.IsNaN(imu.YawRad) || !math.IsInf(imu.PitchRad, -1) {
		t.Errorf("IMU %+v", imu)
	}
	if d := got.Now.Sub(back.Entries[0].Now); d != time.Hour || !got.Now.Equal(later) {
		t.Errorf("an hour later is %v later", d)
	}
}

// A sensor at rest may say -0, which equals 0 and has another text: a decision that passes it on has another hash.
func TestTapeKeepsSignOfZero(t *testing.T) {
	none := math.Copysign(0, -1)
	in := engine.Input{Tick: 1, Now: epoch}
	in.World.IMU.Value.YawRad = none
	lost := tape.Verdict{Requests: []tape.Request{{Args: hardware.Drive{LeftMMPS: none}}}}
	rec := &tape.Tape{}
	rec.Add(&tape.Entry{Kind: engine.CallStart, Now: epoch})
	rec.Add(&tape.Entry{Kind: engine.CallStep, Input: in, Verdicts: []tape.Verdict{lost}})
	messages, err := rec.Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := tape.Decode(messages)
	if err != nil {
		t.Fatal(err)
	}
	hash := func(e *tape.Entry) string {
		h := tape.NewHasher()
		h.Add(&engine.Output{Commands: []hardware.Command{
			e.Verdicts[0].Requests[0].Args.(hardware.Command), hardware.Drive{RightMMPS: e.Input.World.IMU.Value.YawRad},
		}})
		return h.Sum()
	}
	got, want := back.Entries[1], rec.Entries[1]
	if !math.Signbit(got.Input.World.IMU.Value.YawRad) || hash(got) != hash(want) {
		t.Errorf("%v and %+v", got.Input.World.IMU.Value.YawRad, got.Verdicts[0].Requests[0].Args)
	}
}

// life is a start and some ticks, in which a thing or two changes.
func life(t *testing.T) [][]byte {
	t.Helper()
	rec := &tape.Tape{}
	rec.Add(&tape.Entry{Kind: engine.CallStart, Now: epoch, Base: "R"})
	for i := range uint64(4) {
		e := &tape.Entry{Kind: engine.CallStep, Log: tape.TickLog{Tick: i, Lines: []string{"R.push"}}}
		e.Input.Tick, e.Input.Now = i, epoch.Add(time.Duration(i)*period)
		e.Input.World.IMU.Value.YawRad = float64(i)
		rec.Add(e)
	}
	messages, err := rec.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return messages
}

// A tick in which nothing changed but the time costs a few bytes.
func TestUnchangedInputCostsFewBytes(t *testing.T) {
	rec := &tape.Tape{}
	rec.Add(&tape.Entry{Kind: engine.CallStart, Now: epoch})
	for i := range uint64(3) {
		e := &tape.Entry{Kind: engine.CallStep, Log: tape.TickLog{Tick: i, Lines: []string{"> motors Drive"}}}
		e.Input.Tick, e.Input.Now = i, epoch.Add(time.Duration(i)*period)
		e.Input.World.Vision.Value.Faces = []hardware.Face{{Name: "Ada", DistanceMM: 333}}
		rec.Add(e)
	}
	messages, err := rec.Encode()
	if n := len(messages[3]); err != nil || n > 16 {
		t.Errorf("%d bytes, %v: %x", n, err, messages[3])
	}
}

// A damaged tape is reported with its place; the entries before it can be used.
func TestDamagedTapeIsReportedAndReadUpToDamage(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(m [][]byte) [][]byte
		is      error
		says    string
		entries int
	}{
		"no start":        {func(m [][]byte) [][]byte { return m[1:] }, tape.ErrGap, "begins with entry 2, and not with the start", 0},
		"an entry less":   {func(m [][]byte) [][]byte { return slices.Delete(m, 2, 3) }, tape.ErrGap, "after tick 0: a gap in the recording: entry 4 follows entry 2", 2},
		"a gap":           {func(m [][]byte) [][]byte { m[3] = tape.AppendGap(nil, "the disk is full"); return m }, tape.ErrGap, "after tick 1: a gap in the recording: the disk is full", 3},
		"another program": {func(m [][]byte) [][]byte { m[0][3]++; return m }, tape.ErrVersion, "its format is another one", 0},
		"no epoch":        {func(m [][]byte) [][]byte { m[0][10] = 'x'; return m }, tape.ErrDamaged, "parsing time", 0},
		"cut off":         {func(m [][]byte) [][]byte { m[2] = m[2][:len(m[2])-1]; return m }, tape.ErrDamaged, "after tick 0: damaged: it is cut off", 2},
		"empty":           {func(m [][]byte) [][]byte { m[2] = nil; return m }, tape.ErrDamaged, "it is cut off", 2},
		"longer":          {func(m [][]byte) [][]byte { m[2] = append(m[2], 0); return m }, tape.ErrDamaged, "1 bytes too many", 2},
	} {
		t.Run(name, func(t *testing.T) {
			rec, err := tape.Decode(c.change(life(t)))
			if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) || len(rec.Entries) != c.entries {
				t.Errorf("%d entries and %v; want %d and %q", len(rec.Entries), err, c.entries, c.says)
			}
		})
	}
}

// Whatever bytes a message has, it is read or refused, in bounded memory. An error stays.
func FuzzTapeSurvivesAnyBytes(f *testing.F) {
	var t testing.T
	for _, m := range life(&t)[1:] {
		f.Add(m[1:])
	}
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, b []byte) {
		var r tape.Decoder
		if _, err := r.Next(life(t)[0]); err != nil {
			t.Fatal(err)
		}
		_, err := r.Next(append([]byte{1}, b...))
		if _, again := r.Next(nil); err != nil && !errors.Is(again, err) {
			t.Errorf("%v, then %v", err, again)
		}
	})
}

type foreign struct{ hardware.StopWheels }

// A tape refuses to write an entry that it could not read back.
func TestTapeRefusesUnencodableEntries(t *testing.T) {
	start := &tape.Entry{Kind: engine.CallStart, Now: epoch}
	requests := func(n tape.Request) *tape.Entry {
		return &tape.Entry{Kind: engine.CallStep, Verdicts: []tape.Verdict{{Requests: []tape.Request{n}}}}
	}
	for want, entries := range map[string][]*tape.Entry{
		"the first entry must be the start of an engine": {{Kind: engine.CallStep}},
		"too far from": {start, {Kind: engine.CallStep, Input: engine.Input{Now: time.Unix(1<<40, 0)}}},
		"a tape cannot hold a value of type engine_test.foreign": {start, requests(tape.Request{Args: foreign{}})},
	} {
		_, err := (&tape.Tape{Entries: entries}).Encode()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}

// Every command of package hardware can be on a tape.
func TestTapeEncodesEveryDeviceCommand(t *testing.T) {
	files, err := filepath.Glob("../../hardware/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	found := 0
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^func \((?:\w+ )?\*?(\w+)\) Target\(\) string`).FindAllSubmatch(text, -1) {
			found++
			if !slices.Contains(tape.ValueNames(), string(m[1])) {
				t.Errorf("a tape cannot hold a %s", m[1])
			}
		}
	}
	if found < 9 {
		t.Errorf("only %d commands were found", found)
	}
}

// A tape names requests by their numbers. Who changes one raises the version of the format, and these numbers with it.
func TestNumbersOfRequestsBelongToVersionOfTape(t *testing.T) {
	got := []behaviors.RequestKind{behaviors.ReqAsk, behaviors.ReqAskBest, behaviors.ReqLockTracks, behaviors.ReqState, behaviors.ReqSubscribe}
	if want := []behaviors.RequestKind{6, 9, 16, 33, 52}; !slices.Equal(got, want) || behaviors.Requests != 68 {
		t.Errorf("the numbers are %v of %d, in version 7 they were %v of 68", got, behaviors.Requests, want)
	}
}
