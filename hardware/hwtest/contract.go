package hwtest

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
)

// An Env gives the contract access to a device's hardware.
type Env struct {
	Clock *Clock
	// Fresh makes another device on the same hardware, as a restart does.
	Fresh func() hardware.Device
	// Commands are commands that the device accepts.
	Commands []hardware.Command
	// Break makes the hardware fail permanently, Mend repairs it. Both are nil for a device that cannot fail.
	Break, Mend func()
}

// Limits of the contract.
const (
	maxPollsToGood    = 5                      // from Open to the first good sample
	maxPollsToFailure = 20                     // from a broken chip to an error
	maxPollTime       = 100 * time.Millisecond // that one poll may take
	maxUnnoticed      = 120 * time.Millisecond // a driver that sends nothing verifies its chip at least this often
)

// foreign is a command that no device knows.
type foreign struct{}

func (foreign) Target() string { return "nobody" }

// Contract runs all clauses, each on a new device and environment from create.
func Contract(t *testing.T, create func() (hardware.Device, *Env)) {
	t.Helper()
	clauses := []struct {
		name string
		run  func(*testing.T, hardware.Device, *Env)
	}{
		{"is a subsystem", isSubsystem},
		{"halts before it was opened", haltsUnopened},
		{"gives a good sample of its type", givesSamples},
		{"carries out its commands and no others", carriesOut},
		{"opens again after a halt", opensAfterHalt},
		{"opens again beside an abandoned one", opensBesideAbandoned},
		{"reports a broken chip and recovers", failsClassified},
	}
	for _, c := range clauses {
		t.Run(c.name, func(t *testing.T) {
			d, env := create()
			c.run(t, d, env)
		})
	}
	t.Run("is deterministic", func(t *testing.T) {
		d1, e1 := create()
		d2, e2 := create()
		s1, s2 := record(t, d1, e1), record(t, d2, e2)
		for i := range s1 {
			if !reflect.DeepEqual(s1[i], s2[i]) {
				t.Fatalf("sample %d differs:\n%+v\n%+v", i, s1[i], s2[i])
			}
		}
	})
}

func isSubsystem(t *testing.T, d hardware.Device, _ *Env) {
	if !slices.Contains(hardware.Names, d.Name()) {
		t.Errorf("name %q is not a subsystem", d.Name())
	}
	if p := d.Period(); p < time.Millisecond || p > time.Second {
		t.Errorf("period %v", p)
	}
}

func haltsUnopened(t *testing.T, d hardware.Device, _ *Env) {
	if err := d.Halt(); err != nil {
		t.Errorf("Halt before Open: %v", err)
	}
}

func givesSamples(t *testing.T, d hardware.Device, env *Env) {
	open(t, d, env)
	good(t, d, env)
	var last hardware.Health
	for range 50 {
		s, err := poll(t, d, env)
		if err != nil {
			t.Fatalf("Poll: %v", err)
		}
		if s.Health.Reads < last.Reads || s.Health.Reinits < last.Reinits {
			t.Fatalf("health went back from %+v to %+v", last, s.Health)
		}
		last = s.Health
	}
	if last.Errors+last.Retries+last.Reinits+last.Rejected+last.Frozen > 0 {
		t.Errorf("healthy hardware gave %+v", last)
	}
}

func carriesOut(t *testing.T, d hardware.Device, env *Env) {
	open(t, d, env)
	good(t, d, env)
	err := d.Apply(env.Clock.Now(), foreign{})
	if got := hardware.Classify(err); err == nil || got != hardware.CauseCommand {
		t.Errorf("unknown command gave %v, cause %q; want cause %q", err, got, hardware.CauseCommand)
	}
	for _, c := range env.Commands {
		if c.Target() != d.Name() {
			t.Errorf("%T is for %s", c, c.Target())
		}
		if err := d.Apply(env.Clock.Now(), c); err != nil {
			t.Errorf("Apply %T: %v", c, err)
		}
		good(t, d, env)
	}
}

func opensAfterHalt(t *testing.T, d hardware.Device, env *Env) {
	for range 3 {
		open(t, d, env)
		good(t, d, env)
		for range 2 {
			if err := d.Halt(); err != nil {
				t.Fatalf("Halt: %v", err)
			}
		}
		d = env.Fresh()
	}
}

func opensBesideAbandoned(t *testing.T, d hardware.Device, env *Env) {
	open(t, d, env)
	good(t, d, env)
	next := env.Fresh()
	open(t, next, env)
	good(t, next, env)
}

func failsClassified(t *testing.T, d hardware.Device, env *Env) {
	open(t, d, env)
	good(t, d, env)
	if env.Break == nil {
		return
	}
	env.Break()
	broken := env.Clock.Now()
	for i := 0; ; i++ {
		if i == maxPollsToFailure {
			t.Fatalf("no error after %d polls of broken hardware", i)
		}
		s, err := poll(t, d, env)
		if err == nil {
			if s.Quality == hardware.OK && env.Clock.Now().Sub(broken) > maxUnnoticed {
				t.Fatalf("poll %d of broken hardware is OK: %+v", i, s)
			}
			continue
		}
		checkError(t, d, err)
		break
	}
	_ = d.Halt() // must not panic; it may well fail
	next := env.Fresh()
	if err := next.Open(env.Clock); err != nil {
		checkError(t, next, err)
	}
	_ = next.Halt()
	env.Mend()
	next = env.Fresh()
	open(t, next, env)
	good(t, next, env)
}

func checkError(t *testing.T, d hardware.Device, err error) {
	t.Helper()
	var de *hardware.DeviceError
	if !errors.As(err, &de) {
		t.Fatalf("%v is no DeviceError", err)
	}
	if de.Device != d.Name() || de.Op == "" || de.Cause == "" || de.Cause == hardware.CauseOther {
		t.Errorf("error %v: device %q, op %q, cause %q", err, de.Device, de.Op, de.Cause)
	}
}

func record(t *testing.T, d hardware.Device, env *Env) []hardware.Sample {
	open(t, d, env)
	var all []hardware.Sample
	for range 30 {
		s, err := poll(t, d, env)
		if err != nil {
			t.Fatalf("Poll: %v", err)
		}
		all = append(all, s)
	}
	return all
}

func open(t *testing.T, d hardware.Device, env *Env) {
	t.Helper()
	if err := d.Open(env.Clock); err != nil {
		t.Fatalf("Open: %v", err)
	}
}

// good polls until a sample is OK and checks that the snapshot takes it.
func good(t *testing.T, d hardware.Device, env *Env) {
	t.Helper()
	for range maxPollsToGood {
		s, err := poll(t, d, env)
		if err != nil {
			t.Fatalf("Poll: %v", err)
		}
		if s.Quality == hardware.OK {
			s.Device = d.Name()
			new(hardware.Snapshot).Put(&s) // panics if the value has the wrong type
			return
		}
	}
	t.Fatalf("no good sample within %d polls", maxPollsToGood)
}

// poll lets one period pass and polls.
func poll(t *testing.T, d hardware.Device, env *Env) (hardware.Sample, error) {
	t.Helper()
	env.Clock.Sleep(d.Period())
	now := env.Clock.Now()
	s, err := d.Poll(now)
	if took := env.Clock.Now().Sub(now); took > maxPollTime {
		t.Errorf("poll took %v", took)
	}
	return s, err
}
