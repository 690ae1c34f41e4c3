package board

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"periph.io/x/conn/v3/driver/driverreg"
)

func TestProbeReturnsTheSameSortedReportTwice(t *testing.T) {
	one, two := Probe(), Probe()
	if !reflect.DeepEqual(one, two) {
		t.Errorf("%+v\n%+v", one, two)
	}
	if len(one.Loaded)+len(one.Skipped)+len(one.Failed) == 0 {
		t.Error("periph has no drivers at all")
	}
	if !slices.IsSorted(one.I2C) || !slices.IsSorted(one.SPI) || !slices.IsSorted(one.Loaded) {
		t.Errorf("not in order: %+v", one)
	}
}

type named string

func (n named) String() string          { return string(n) }
func (n named) Prerequisites() []string { return nil }
func (n named) After() []string         { return nil }
func (n named) Init() (bool, error)     { return false, nil }

func TestProbeKeepsAndSortsReasons(t *testing.T) {
	got := reasons([]driverreg.DriverFailure{{D: named("b"), Err: errors.New("no b")}, {D: named("a"), Err: errors.New("no a")}})
	if want := []Driver{{"a", "no a"}, {"b", "no b"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestMissingNamesWhatTheBoardLacks(t *testing.T) {
	if m := (Report{}).Missing(); len(m) != 3 {
		t.Errorf("an empty board misses %q", m)
	}
	if m := (Report{I2C: []string{"I2C1"}, SPI: []string{"SPI0.0"}, Lines: 28}).Missing(); m != nil {
		t.Errorf("a whole board misses %q", m)
	}
}
