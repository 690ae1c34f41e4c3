package tape

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// A segment that is renewed has the same part in the hash as at its first time, and one that differs in any field, be it in the
// sign of a zero, has its own.
func TestRenewedSegmentHashesAsItsText(t *testing.T) {
	segments := []hardware.Drive{{}, {}}
	for i := range reflect.TypeFor[hardware.Drive]().NumField() {
		for _, x := range []float64{1, math.Copysign(0, -1)} {
			var d hardware.Drive
			switch f := reflect.ValueOf(&d).Elem().Field(i); f.Kind() {
			case reflect.Float64:
				f.SetFloat(x)
			case reflect.Bool:
				f.SetBool(true)
			default:
				f.SetUint(1)
			}
			segments = append(segments, d, d, hardware.Drive{})
		}
	}
	h, text := NewHasher(), ""
	for i, d := range segments {
		h.Add(&engine.Output{Tick: uint64(i), Commands: []hardware.Command{d, hardware.StopWheels{}, d}})
		if i%5 == 0 {
			h.Sum() // changes nothing
		}
		text += fmt.Sprintf("#%d\n\"motors\" hardware.Drive %#v\n\"motors\" hardware.StopWheels hardware.StopWheels{}\n\"motors\" hardware.Drive %#v\n", i, d, d)
	}
	if want := sha256.Sum256([]byte(text)); h.Sum() != hex.EncodeToString(want[:]) {
		t.Error("the hash is not that of the text")
	}
}

// A face has the same text in the hash as every other command, whatever its fields are.
func TestFaceHashesAsItsText(t *testing.T) {
	set := func(f *hardware.ShowFace, x float64) {
		var walk func(v reflect.Value)
		walk = func(v reflect.Value) {
			for i := range v.NumField() {
				switch field := v.Field(i); field.Kind() {
				case reflect.Struct:
					walk(field)
				case reflect.Float64:
					field.SetFloat(x)
					x = x*1.25 + 0.1
				case reflect.String:
					field.SetString(fmt.Sprintf("\"face\" \n%g é", x))
				default:
					t.Fatalf("no text for a field of kind %v", field.Kind())
				}
			}
		}
		walk(reflect.ValueOf(f).Elem())
	}
	for _, x := range []float64{0, math.Copysign(0, -1), 0.125, -1, 1e-5, 123456, 1e6, 1e20, 1e21, -1e22, math.Pi, math.Inf(1), math.NaN(), math.SmallestNonzeroFloat64} {
		var f hardware.ShowFace
		set(&f, x)
		if got, want := string(faceText(nil, &f)), string(commandText(nil, f)); got != want {
			t.Errorf("the text is\n%s, want\n%s", got, want)
		}
	}
}
