package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
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
			filled(r, v.Field(i))
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
	var text bytes.Buffer
	n, err := rec.WriteTo(&text)
	if err != nil || n != int64(text.Len()) {
		t.Fatal(n, err)
	}
	back, err := tape.Read(&text)
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
	var text bytes.Buffer
	if _, err := rec.WriteTo(&text); err != nil {
		t.Fatal(err)
	}
	back, err := tape.Read(&text)
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
	var text bytes.Buffer
	if _, err := rec.WriteTo(&text); err != nil {
		t.Fatal(err)
	}
	back, err := tape.Read(&text)
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

func checked(lines ...string) string {
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "%08x %s\n", crc32.ChecksumIEEE([]byte(l)), l)
	}
	return b.String()
}

// A damaged tape is reported with the damage and its place; the entries before it can be used.
func TestDamagedTapeIsReportedAndReadUpToDamage(t *testing.T) {
	const head, start = `{"robotd_tape":4,"epoch":"2026-01-01T00:00:00Z"}`, `{"Base":"R","Now":0}`
	whole := checked(head, start)
	for name, c := range map[string]struct {
		text    string
		is      error
		says    string
		entries int
	}{
		"empty":          {"", tape.ErrVersion, "line 1: not a tape of a known version: it is empty", 0},
		"something else": {"tick\n----\n", tape.ErrVersion, "line 1: not a tape of a known version: no header", 0},
		"older":          {checked(`{"robotd_tape":3,"epoch":""}`), tape.ErrVersion, "version 3, want 4", 0},
		"newer":          {checked(`{"robotd_tape":5,"epoch":""}`), tape.ErrVersion, "version 5, want 4", 0},
		"no epoch":       {checked(`{"robotd_tape":4,"epoch":"soon"}`), tape.ErrDamaged, "line 1: damaged: ", 0},
		"cut off":        {whole + checked(start)[:15], tape.ErrDamaged, "line 3: damaged: it is cut off", 1},
		"changed":        {whole + strings.Replace(checked(start), "R", "S", 1), tape.ErrDamaged, "line 3: damaged: checksum ", 1},
		"no checksum":    {whole + start + "\n", tape.ErrDamaged, "line 3: damaged: no checksum", 1},
		"unknown field":  {whole + checked(`{"Bass":"R"}`), tape.ErrDamaged, `line 3: damaged: tape.Entry has no "Bass"`, 1},
		"wrong type":     {whole + checked(`{"Input":{"Tick":"one"}}`), tape.ErrDamaged, "line 3: damaged: Input: Tick: one is no uint64", 1},
		"out of range":   {whole + checked(`{"Kind":300}`), tape.ErrDamaged, "value out of range", 1},
		"list for text":  {whole + checked(`{"Base":["R"]}`), tape.ErrDamaged, "Base: [R] is no string", 1},
		"no list":        {whole + checked(`{"Verdicts":7}`), tape.ErrDamaged, "Verdicts: 7 is no []tape.Verdict", 1},
		"no object":      {whole + checked(`[]`), tape.ErrDamaged, "is no tape.Entry", 1},
		"no JSON":        {whole + checked(`{`), tape.ErrDamaged, "unexpected EOF", 1},
		"new command":    {whole + checked(`{"Verdicts":[{"Requests":[{"Args":{"type":"Fly"}}]}]}`), tape.ErrDamaged, "is no value that is known here", 1},
		"of map":         {whole + checked(`{"Input":{"Commands":[{"Intent":{"Data":[["k"]]}}]}}`), tape.ErrDamaged, "Data: 0: [k] is no [2]string", 1},
	} {
		t.Run(name, func(t *testing.T) {
			rec, err := tape.Read(strings.NewReader(c.text))
			var te *tape.Error
			if !errors.As(err, &te) || !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) || len(rec.Entries) != c.entries {
				t.Errorf("%d entries and %v; want %d and %q", len(rec.Entries), err, c.entries, c.says)
			}
		})
	}
}

// A tape without an end is no endless line.
func TestTapeLineIsLimited(t *testing.T) {
	_, err := tape.Read(strings.NewReader(checked(`{"robotd_tape":4,"epoch":"2026-01-01T00:00:00Z"}`) + strings.Repeat("x", 17<<20)))
	if !errors.Is(err, tape.ErrDamaged) || !strings.Contains(err.Error(), "line 2: damaged: longer than 16777216 bytes") {
		t.Errorf("%v", err)
	}
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
		_, err := (&tape.Tape{Entries: entries}).WriteTo(&bytes.Buffer{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	if _, err := (&tape.Tape{Entries: []*tape.Entry{start}}).WriteTo(full{}); !errors.Is(err, errFull) {
		t.Errorf("a full disk: %v", err)
	}
}

type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

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
			_, err := tape.Read(strings.NewReader(checked(`{"robotd_tape":4,"epoch":"2026-01-01T00:00:00Z"}`,
				fmt.Sprintf(`{"Verdicts":[{"Requests":[{"Args":{"type":%q,"value":{}}}]}]}`, m[1]))))
			if err != nil {
				t.Errorf("%s: %v", m[1], err)
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
	if want := []behaviors.RequestKind{6, 9, 16, 33, 52}; !slices.Equal(got, want) || behaviors.Requests != 53 {
		t.Errorf("the numbers are %v of %d, in version 4 they were %v of 53", got, behaviors.Requests, want)
	}
}
