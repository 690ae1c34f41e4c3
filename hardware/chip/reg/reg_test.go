package reg_test

import (
	"errors"
	"fmt"
	"syscall"
	"testing"
	"time"

	"periph.io/x/conn/v3/physic"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/reg"
	"github.com/robotd/robotd/hardware/hwtest"
)

// script is a bus that fails as told and then works.
type script struct {
	errs []syscall.Errno
	n    int
}

func (s *script) String() string                  { return "script" }
func (s *script) SetSpeed(physic.Frequency) error { return nil }
func (s *script) Tx(addr uint16, w, r []byte) error {
	s.n++
	if s.n <= len(s.errs) {
		return &hardware.BusError{Bus: "script", Addr: addr, Err: s.errs[s.n-1]}
	}
	for i := range r {
		r[i] = byte(0x10 + i)
	}
	return nil
}

func TestTxRetriesTwiceAndCounts(t *testing.T) {
	nack, gone := syscall.EREMOTEIO, syscall.ENODEV
	cases := []struct {
		errs  []syscall.Errno
		tries int
		slept time.Duration
		cause hardware.Cause // "" = success
	}{
		{nil, 1, 0, ""},
		{[]syscall.Errno{nack}, 2, 500 * time.Microsecond, ""},
		{[]syscall.Errno{nack, nack}, 3, 2500 * time.Microsecond, ""},
		{[]syscall.Errno{nack, syscall.ETIMEDOUT}, 2, 500 * time.Microsecond, hardware.CauseTimeout},
		{[]syscall.Errno{syscall.ETIMEDOUT}, 1, 0, hardware.CauseTimeout},
		{[]syscall.Errno{nack, nack, nack}, 3, 2500 * time.Microsecond, hardware.CauseNack},
		{[]syscall.Errno{gone}, 1, 0, hardware.CauseGone},
	}
	for _, c := range cases {
		t.Run(fmt.Sprint(c.errs), func(t *testing.T) {
			clk, bus, h := hwtest.NewClock(), &script{errs: c.errs}, hardware.Health{}
			d := reg.New(bus, 0x40, clk, &h)
			heard := 0
			d.OnError = func(error) { heard++ }
			_, err := d.Read16(1)
			if bus.n != c.tries || clk.Now().Sub(hwtest.Start()) != c.slept {
				t.Errorf("%d tries, slept %v", bus.n, clk.Now().Sub(hwtest.Start()))
			}
			if (err == nil) != (c.cause == "") || err != nil && reg.CauseOf(err) != c.cause {
				t.Errorf("error %v", err)
			}
			want := hardware.Health{Reads: uint64(c.tries), Errors: uint64(min(len(c.errs), c.tries)), Retries: uint64(c.tries - 1)}
			if h != want || heard != int(want.Errors) {
				t.Errorf("health %+v, want %+v; heard of %d errors", h, want, heard)
			}
		})
	}
}

func TestCheckNamesTheLostRegister(t *testing.T) {
	h := hardware.Health{}
	d := reg.New(&script{}, 0x40, hwtest.NewClock(), &h)
	if err := d.Check([]reg.Setting{{Reg: 5, Value: 0x1f, Mask: 0xf0}}); err != nil {
		t.Errorf("equal under the mask: %v", err)
	}
	err := d.Check([]reg.Setting{{Reg: 5, Value: 0x1f}})
	if !errors.Is(err, reg.ErrConfigLost) || reg.CauseOf(err) != hardware.CauseConfig {
		t.Errorf("error %v", err)
	}
}

func TestErrorsMapToCauses(t *testing.T) {
	cases := map[hardware.Cause]error{
		hardware.CauseWrongID: fmt.Errorf("x: %w", &reg.IDError{Got: 3, Want: "4"}),
		hardware.CauseTimeout: reg.ErrNotReady,
		hardware.CauseConfig:  reg.ErrConfigLost,
		hardware.CauseOther:   errors.New("x"),
	}
	for want, err := range cases {
		if got := reg.CauseOf(err); got != want {
			t.Errorf("%v is %q, want %q", err, got, want)
		}
	}
}

func TestChoiceIsTheCodeOfAValueOrNamesTheNearest(t *testing.T) {
	if i, err := reg.Choice([]int{250, 500, 1000}, 500, "range"); i != 1 || err != nil {
		t.Errorf("%d, %v", i, err)
	}
	_, err := reg.Choice([]float64{4.096, 2.048}, 2.5, "volts")
	if want := "volts 2.5 is none of [4.096 2.048]; nearest is 2.048"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
