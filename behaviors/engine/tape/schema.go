package tape

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

// version is the version of the format. It grows with every change that the fingerprint does not see and a reader would misread: of how
// values become bytes, of the numbers of requests, and of what counts as a crossing.
const version = 7

// valueTypes are the types that a command, an argument or the payload of an event may have on a tape.
var valueTypes = []reflect.Type{
	reflect.TypeFor[hardware.Drive](),
	reflect.TypeFor[hardware.StopWheels](),
	reflect.TypeFor[hardware.AckCliff](),
	reflect.TypeFor[hardware.MoveHead](),
	reflect.TypeFor[hardware.MoveLift](),
	reflect.TypeFor[hardware.SetLights](),
	reflect.TypeFor[hardware.ShowFace](),
	reflect.TypeFor[hardware.PlaySound](),
	reflect.TypeFor[hardware.StopSound](),
	reflect.TypeFor[hardware.DimFace](),
	reflect.TypeFor[hardware.Look](),
	reflect.TypeFor[actions.Tracks](),
	reflect.TypeFor[actions.Profile](),
	reflect.TypeFor[behaviors.Feedback](),
	reflect.TypeFor[behaviors.EmotionFix](),
	reflect.TypeFor[behaviors.CubeSubscription](),
	reflect.TypeFor[behaviors.LightPattern](),
	reflect.TypeFor[behaviors.RobotStopped](),
	reflect.TypeFor[behaviors.EdgeFelt](),
	reflect.TypeFor[behaviors.TriggerWordHeard](),
	reflect.TypeFor[behaviors.IntentPosted](),
	reflect.TypeFor[behaviors.Touched](),
	reflect.TypeFor[behaviors.Poked](),
	reflect.TypeFor[behaviors.CubeTapped](),
	reflect.TypeFor[behaviors.CubeLost](),
	reflect.TypeFor[behaviors.DeviceChanged](),
	reflect.TypeFor[condition.Response](),
	reflect.TypeFor[condition.StreamEffect](),
	reflect.TypeFor[float64](),
	reflect.TypeFor[time.Duration](),
}

// ValueNames are the names of the types that a command, an argument or the payload of an event may have on a tape.
func ValueNames() []string {
	var names []string
	for _, t := range valueTypes {
		names = append(names, t.Name())
	}
	return names
}

// valueNumbers are the places of the value types, from 1.
var valueNumbers = func() map[reflect.Type]uint64 {
	numbers := map[reflect.Type]uint64{}
	for i, t := range valueTypes {
		numbers[t] = uint64(i) + 1
	}
	return numbers
}()

var (
	timeType  = reflect.TypeFor[time.Time]()
	entryType = reflect.TypeFor[Entry]()
)

// fingerprint is the same in programs that read each other's tapes: it is made from the version and from the names and types of every
// field that a tape holds.
var fingerprint = func() (f [8]byte) {
	h := sha256.New()
	fmt.Fprintln(h, version, behaviors.Requests)
	seen := map[reflect.Type]bool{}
	describe(h, entryType, seen)
	for _, t := range valueTypes {
		describe(h, t, seen)
	}
	copy(f[:], h.Sum(nil))
	return f
}()

// describe writes the shape of a type, once.
func describe(h hash.Hash, t reflect.Type, seen map[reflect.Type]bool) {
	fmt.Fprintln(h, t, t.Kind())
	if seen[t] || t == timeType {
		return
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() {
				fmt.Fprintln(h, f.Name)
				describe(h, f.Type, seen)
			}
		}
	case reflect.Slice, reflect.Array, reflect.Pointer:
		describe(h, t.Elem(), seen)
	}
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
