package linux

import (
	"errors"
	"math/rand/v2"
	"syscall"
	"testing"

	"github.com/warthog618/go-gpiocdev/uapi"
)

func TestLineIsFoundByNameOrByOffset(t *testing.T) {
	board := []chip{
		{"gpiochip0", "pinctrl-rp1", []string{"ID_SDA", "ID_SCL", "GPIO2", "GPIO17"}},
		{"gpiochip10", "gpio-brcmstb@107d508500", []string{"-", "2712_BOOT_CS_N", "GPIO2", ""}},
	}
	for _, c := range []struct {
		conf LineConfig
		want place
		err  string
		is   syscall.Errno
	}{
		{LineConfig{Line: "GPIO17"}, place{"gpiochip0", 3}, "", 0},
		{LineConfig{Line: "GPIO2", Chip: "pinctrl-rp1"}, place{"gpiochip0", 2}, "", 0},
		{LineConfig{Line: "GPIO2", Chip: "gpiochip10"}, place{"gpiochip10", 2}, "", 0},
		{LineConfig{Offset: 1, Chip: "pinctrl-rp1"}, place{"gpiochip0", 1}, "", 0},
		{LineConfig{Line: "GPIO2"}, place{}, `a line "GPIO2" is ambiguous, it is gpiochip0 line 2 and gpiochip10 line 2; give chip and offset instead: invalid argument`, syscall.EINVAL},
		{LineConfig{Line: "gpio17"}, place{}, `no GPIO chip has a line "gpio17"; gpiochip0 is "pinctrl-rp1" with 4 lines, gpiochip10 is "gpio-brcmstb@107d508500" with 4 lines; the nearest name is "GPIO17": no such device`, syscall.ENODEV},
		{LineConfig{Offset: 4, Chip: "pinctrl-rp1"}, place{}, `no GPIO chip has a line 4 on a chip "pinctrl-rp1"; gpiochip0 is "pinctrl-rp1" with 4 lines, gpiochip10 is "gpio-brcmstb@107d508500" with 4 lines: no such device`, syscall.ENODEV},
	} {
		got, err := find(c.conf, board)
		if got != c.want || c.err == "" && err != nil || c.err != "" && (err == nil || err.Error() != c.err || !errors.Is(err, c.is)) {
			t.Errorf("%+v: %v, %v; want %v, %s", c.conf, got, err, c.want, c.err)
		}
	}
	early := []chip{{"gpiochip0", "gpio-brcmstb@107d508500", make([]string, 32)}, {"gpiochip4", "pinctrl-rp1", make([]string, 54)}}
	for _, c := range []struct {
		conf LineConfig
		want place
		err  string
	}{
		{LineConfig{Offset: 17, Chip: "gpiochip0"}, place{}, `gpiochip0 is "gpio-brcmstb@107d508500", the processor's own pins and not those of the header; give the label of the chip, such as "pinctrl-rp1": invalid argument`},
		{LineConfig{Offset: 17, Chip: "gpiochip4"}, place{"gpiochip4", 17}, ""},
		{LineConfig{Offset: 17, Chip: "pinctrl-rp1"}, place{"gpiochip4", 17}, ""},
		{LineConfig{Offset: 17, Chip: "gpio-brcmstb@107d508500"}, place{"gpiochip0", 17}, ""},
	} {
		got, err := find(c.conf, early)
		if got != c.want || c.err == "" && err != nil || c.err != "" && (err == nil || err.Error() != c.err || !errors.Is(err, syscall.EINVAL)) {
			t.Errorf("Raspberry Pi 5, first kernels, %+v: %v, %v; want %v, %s", c.conf, got, err, c.want, c.err)
		}
	}
	if _, err := find(LineConfig{Line: "GPIO17"}, nil); err == nil || err.Error() != `no GPIO chip has a line "GPIO17"; there is none at all: no such device` {
		t.Error(err)
	}
}

// turn gives the edges of a shaft that goes from one position to another.
func turn(from, to int, edge func(line int, high bool)) {
	level := func(line, at int) bool { return (at+1-line)&3 >= 2 } // A leads B
	for from != to {
		next := from + 1
		if to < from {
			next = from - 1
		}
		for line := range 2 {
			if was, is := level(line, from), level(line, next); was != is {
				edge(line, is)
			}
		}
		from = next
	}
}

func TestQuadratureCountsBothWays(t *testing.T) {
	var q quadrature
	seq := uint32(0)
	at := 0
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		to := at + rng.IntN(41) - 20
		turn(at, to, func(line int, high bool) { seq++; q.edge(line, high, seq) })
		at = to
		if q.count != int64(at) {
			t.Fatalf("counted %d, the shaft is at %d", q.count, at)
		}
	}
	if q.lost != 0 || q.merged != 0 {
		t.Errorf("lost %d, merged %d", q.lost, q.merged)
	}
}

func TestEdgesThatTheKernelDroppedAreCounted(t *testing.T) {
	var q quadrature
	seq := uint32(0)
	turn(0, 400, func(line int, high bool) {
		if seq++; seq <= 100 || seq > 117 {
			q.edge(line, high, seq)
		}
	})
	if q.lost != 17 {
		t.Errorf("%d lost, want 17", q.lost)
	}
	e := &encoder{events: &events{fd: -1}, state: q}
	if _, ok := e.Count(); ok {
		t.Error("an encoder that lost edges says that it is sound")
	}
}

func TestPulseThatTheInterruptHandlerMissedIsNoMotion(t *testing.T) {
	var q quadrature
	q.edge(0, true, 1)
	q.edge(0, true, 2) // fell and rose again before the handler looked
	q.edge(1, true, 3)
	if q.count != 2 || q.merged != 1 || q.lost != 0 {
		t.Errorf("%+v", q)
	}
}

func TestOneLineCountsItsEdgesAndGaps(t *testing.T) {
	var q quadrature
	for _, seq := range []uint32{1, 2, 3, 7, 8} {
		q.single(seq)
	}
	if q.count != 5 || q.lost != 3 {
		t.Errorf("counted %d and lost %d, want 5 and 3", q.count, q.lost)
	}
	for count, want := range map[int][2]uapi.LineFlagV2{
		1: {uapi.LineFlagV2EdgeRising, 0},
		2: {uapi.LineFlagV2EdgeBoth, 0},
		4: {uapi.LineFlagV2EdgeBoth, uapi.LineFlagV2EdgeBoth},
	} {
		if got := edgesOf(count); [2]uapi.LineFlagV2(got) != want {
			t.Errorf("%d edges: watches %v, want %v", count, got, want)
		}
	}
}
