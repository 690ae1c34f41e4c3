package device

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
)

// A Driver makes a fresh, unopened device, in place of the built-in one of a subsystem. The bus of its board asks the permit already; whatever
// else the device reaches may ask it too. A driver of the motors keeps lease, heartbeat and the edge stop by itself, through s. Readings need not
// tell how the robot is built: what they leave at zero (tread and outline, places and cone of sensors, cells, ends of joints) comes from the
// robot's file; the charge of a battery from its voltage, and the peak of the acceleration from the sample.
type Driver func(b Board, s *Safety, permit hardware.BusPermit) (hardware.Device, error)

// Drivers are the drivers that a program brings, by subsystem.
type Drivers map[string]Driver

// NamedDrivers are drivers that a robot's file asks for: by the word in the part's key "driver", then by subsystem.
type NamedDrivers map[string]Drivers

// parts are the parts of a profile that each subsystem drives. Subsystems that are not here are named like their part.
var parts = map[string][]string{hardware.Motors: {"drive"}, hardware.Servos: {"head", "lift", "pan"}}

// Words are the words by part, for who reads a profile.
func (ns NamedDrivers) Words() profile.Words {
	words := profile.Words{}
	for _, word := range slices.Sorted(maps.Keys(ns)) {
		for _, name := range slices.Sorted(maps.Keys(ns[word])) {
			of := parts[name]
			if of == nil {
				of = []string{name}
			}
			for _, part := range of {
				words[part] = append(words[part], word)
			}
		}
	}
	return words
}

// Check finds words that are no words or those of built-in drivers, and what [Drivers.Check] finds.
func (ns NamedDrivers) Check() error {
	for _, word := range slices.Sorted(maps.Keys(ns)) {
		if word == "" || strings.TrimSpace(word) != word {
			return fmt.Errorf("%q is no word for a robot's file", word)
		}
		if len(ns[word]) == 0 {
			return fmt.Errorf("%q has no driver", word)
		}
		if err := ns[word].Check(); err != nil {
			return fmt.Errorf("%q: %w", word, err)
		}
	}
	words := ns.Words()
	for _, part := range slices.Sorted(maps.Keys(words)) {
		for _, word := range words[part] {
			if slices.Contains(profile.Drivers[part], word) {
				return fmt.Errorf("%q is the word of a built-in driver of the part %s; choose another", word, part)
			}
		}
	}
	return nil
}

// BuiltIn reports whether the driver of a subsystem is a built-in one.
func (b Board) BuiltIn(name string) bool { return b.driverOf(name) == nil }

// driverOf is the driver of a subsystem that is not built in, nil if there is none: the one that the robot's file asks for, else the one that
// takes the place of the built-in one.
func (b Board) driverOf(name string) Driver {
	if d := b.Named[b.robot().DriverOf(name)][name]; d != nil {
		return d
	}
	return b.Drivers[name]
}

// Check finds drivers without a subsystem or code.
func (ds Drivers) Check() error {
	for _, name := range slices.Sorted(maps.Keys(ds)) {
		switch {
		case !slices.Contains(hardware.Names, name):
			return fmt.Errorf("no subsystem is named %q; want one of %s", name, strings.Join(hardware.Names, ", "))
		case ds[name] == nil:
			return fmt.Errorf("the driver of %q is nil", name)
		}
	}
	return nil
}

// Limits of the period of a device.
const (
	minPeriod = time.Millisecond
	maxPeriod = 10 * time.Second
)

// foreign makes the device of a driver that is not built in, and holds it to the contract of [hardware.Device]: what it gets wrong is an
// error of the device and of nothing else.
func foreign(name string, driver Driver, b Board, s *Safety, permit hardware.BusPermit) (hardware.Device, error) {
	dev, err := driver(b, s, permit)
	if err != nil {
		return nil, fmt.Errorf("the driver of %s: %w", name, err)
	}
	switch {
	case dev == nil:
		return nil, fmt.Errorf("the driver of %s returns no device and no error", name)
	case dev.Name() != name:
		return nil, fmt.Errorf("the driver of %s returns a device named %q", name, dev.Name())
	case dev.Period() < minPeriod || dev.Period() > maxPeriod:
		return nil, fmt.Errorf("the driver of %s has a period of %v; want %v to %v", name, dev.Period(), minPeriod, maxPeriod)
	}
	held := &held{Device: dev, period: dev.Period(), built: builtAs(b.robot())}
	if d, ok := dev.(hardware.Deadliner); ok {
		return &heldDeadliner{held, d}, nil
	}
	return held, nil
}

// held is a device of a driver that is not built in.
type held struct {
	hardware.Device
	period time.Duration
	built  built
}

type heldDeadliner struct {
	*held
	hardware.Deadliner
}

// Period is the one that the device had when it was made.
func (h *held) Period() time.Duration { return h.period }

// Poll refuses a value that is none of its subsystem, and completes one that is.
func (h *held) Poll(now time.Time) (hardware.Sample, error) {
	s, err := h.Device.Poll(now)
	if err != nil || s.Quality != hardware.OK {
		return s, err
	}
	if !hardware.Fits(h.Name(), s.Value) {
		return hardware.Sample{}, &hardware.DeviceError{
			Device: h.Name(), Op: "poll", Cause: hardware.CauseOther, Err: fmt.Errorf("the driver returns a %T, which is no reading of %s", s.Value, h.Name()),
		}
	}
	if at := notFinite(reflect.ValueOf(s.Value), ""); at != "" {
		return hardware.Sample{}, &hardware.DeviceError{
			Device: h.Name(), Op: "poll", Cause: hardware.CauseRange, Err: fmt.Errorf("the driver returns a number that is none or infinite: %s", at),
		}
	}
	s.Value = h.built.complete(s.Value)
	return s, nil
}

// notFinite is where in a reading a number stands that is none, or infinite; empty for nowhere. One that got through would stay in the pose
// and in what is made of it for ever.
func notFinite(v reflect.Value, at string) string {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Sprintf("%s is %v", strings.TrimPrefix(at, "."), f)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return ""
		}
		for i := range v.NumField() {
			if in := notFinite(v.Field(i), at+"."+v.Type().Field(i).Name); in != "" {
				return in
			}
		}
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			if in := notFinite(v.Index(i), fmt.Sprintf("%s[%d]", at, i)); in != "" {
				return in
			}
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			if in := notFinite(v.MapIndex(k), fmt.Sprintf("%s[%v]", at, k)); in != "" {
				return in
			}
		}
	case reflect.Pointer, reflect.Interface:
		return notFinite(v.Elem(), at)
	}
	return ""
}
