package tape

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

// A packer turns the values of a tape into JSON and back without losing a bit: instants as nanoseconds since the epoch, by
// the monotonic clock if they carry one; numbers that JSON cannot say and text that is no UTF-8 as {"bits"} and {"base64"};
// empty and absent kept apart; fields that are zero left out.
type packer struct{ epoch time.Time }

// valueTypes are the types that a command, an argument or the payload of an event may have on a tape, by name.
var valueTypes = func() map[string]reflect.Type {
	types := map[string]reflect.Type{}
	for _, v := range []any{
		hardware.Drive{},
		hardware.StopWheels{},
		hardware.AckCliff{},
		hardware.MoveHead{},
		hardware.MoveLift{},
		hardware.SetLights{},
		hardware.ShowFace{},
		hardware.PlaySound{},
		hardware.StopSound{},
		hardware.DimFace{},
		hardware.KeepFaceAlive{},
		hardware.Look{},
		actions.Tracks(0),
		actions.Profile{},
		behaviors.Feedback{},
		behaviors.EmotionFix{},
		behaviors.CubeSubscription{},
		behaviors.LightPattern{},
		behaviors.RobotStopped{},
		behaviors.TriggerWordHeard{},
		behaviors.IntentPosted{},
		behaviors.Touched{},
		behaviors.Poked{},
		behaviors.CubeLost{},
		behaviors.DeviceChanged{},
		condition.Response{},
		condition.StreamEffect(0),
	} {
		types[reflect.TypeOf(v).Name()] = reflect.TypeOf(v)
	}
	return types
}()

var timeType = reflect.TypeFor[time.Time]()

func (p *packer) pack(v reflect.Value) (any, error) {
	if v.Type() == timeType {
		return p.packTime(v.Interface().(time.Time))
	}
	switch v.Kind() {
	case reflect.Bool:
		return v.Bool(), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return v.Int(), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return v.Uint(), nil
	case reflect.Float32, reflect.Float64:
		if f := v.Float(); !math.IsNaN(f) && !math.IsInf(f, 0) {
			return f, nil
		}
		return map[string]any{"bits": strconv.FormatUint(math.Float64bits(v.Float()), 16)}, nil
	case reflect.String:
		if s := v.String(); !utf8.ValidString(s) {
			return map[string]any{"base64": base64.StdEncoding.EncodeToString([]byte(s))}, nil
		}
		return v.String(), nil
	case reflect.Struct:
		return p.packStruct(v)
	case reflect.Slice, reflect.Array:
		return p.packList(v)
	case reflect.Map:
		return p.packMap(v)
	case reflect.Pointer:
		if v.IsNil() {
			return nil, nil
		}
		return p.pack(v.Elem())
	case reflect.Interface:
		return p.packValue(v)
	}
	return nil, fmt.Errorf("a tape cannot hold a %s", v.Type())
}

func (p *packer) packTime(t time.Time) (any, error) {
	if t.IsZero() {
		return nil, nil
	}
	d := t.Sub(p.epoch)
	if d == math.MaxInt64 || d == math.MinInt64 {
		return nil, fmt.Errorf("the instant %v is too far from %v", t, p.epoch)
	}
	return int64(d), nil
}

func (p *packer) packStruct(v reflect.Value) (any, error) {
	m := map[string]any{}
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if f := v.Field(i); f.IsZero() && !signed(f) {
			continue
		}
		if !field.IsExported() {
			return nil, fmt.Errorf("a tape cannot hold %s.%s", v.Type(), field.Name)
		}
		x, err := p.pack(v.Field(i))
		if err != nil {
			return nil, err
		}
		m[field.Name] = x
	}
	return m, nil
}

// signed reports whether a zero value holds a -0, which reflect and == take for 0.
func signed(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		return math.Signbit(v.Float())
	case reflect.Struct:
		for i := range v.NumField() {
			if signed(v.Field(i)) {
				return true
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			if signed(v.Index(i)) {
				return true
			}
		}
	}
	return false
}

func (p *packer) packList(v reflect.Value) (any, error) {
	if v.Kind() == reflect.Slice && v.IsNil() {
		return nil, nil
	}
	list := make([]any, v.Len())
	for i := range list {
		x, err := p.pack(v.Index(i))
		if err != nil {
			return nil, err
		}
		list[i] = x
	}
	return list, nil
}

// packMap is for maps of text.
func (p *packer) packMap(v reflect.Value) (any, error) {
	if v.IsNil() {
		return nil, nil
	}
	list := [][2]any{}
	m := v.Interface().(map[string]string)
	for _, k := range sortedKeys(m) {
		key, _ := p.pack(reflect.ValueOf(k))
		value, _ := p.pack(reflect.ValueOf(m[k])) // text always packs
		list = append(list, [2]any{key, value})
	}
	return list, nil
}

func (p *packer) packValue(v reflect.Value) (any, error) {
	if v.IsNil() {
		return nil, nil
	}
	name := v.Elem().Type().Name()
	if valueTypes[name] != v.Elem().Type() {
		return nil, fmt.Errorf("a tape cannot hold a value of type %s", v.Elem().Type())
	}
	x, err := p.pack(v.Elem())
	return map[string]any{"type": name, "value": x}, err
}

// unpack sets v, which is zero, from decoded JSON.
func (p *packer) unpack(x any, v reflect.Value) error {
	if x == nil {
		return nil
	}
	if v.Type() == timeType {
		var d time.Duration
		if err := p.unpack(x, reflect.ValueOf(&d).Elem()); err != nil {
			return err
		}
		v.Set(reflect.ValueOf(p.epoch.Add(d)))
		return nil
	}
	switch v.Kind() {
	case reflect.Struct:
		return p.unpackStruct(x, v)
	case reflect.Slice, reflect.Array:
		return p.unpackList(x, v)
	case reflect.Map:
		return p.unpackMap(x, v)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return p.unpack(x, v.Elem())
	case reflect.Interface:
		return p.unpackValue(x, v)
	default:
		return unpackPlain(x, v)
	}
}

// unpackPlain sets numbers, text and booleans.
func unpackPlain(x any, v reflect.Value) (err error) {
	wrong := fmt.Errorf("%v is no %s", x, v.Type())
	switch x := x.(type) {
	case bool:
		if v.Kind() != reflect.Bool {
			return wrong
		}
		v.SetBool(x)
	case string:
		if v.Kind() != reflect.String {
			return wrong
		}
		v.SetString(x)
	case json.Number:
		return unpackNumber(x, v)
	case map[string]any:
		bits, isBits := x["bits"].(string)
		text, isText := x["base64"].(string)
		switch {
		case isBits && v.CanFloat():
			n, err := strconv.ParseUint(bits, 16, 64)
			v.SetFloat(math.Float64frombits(n))
			return err
		case isText && v.Kind() == reflect.String:
			b, err := base64.StdEncoding.DecodeString(text)
			v.SetString(string(b))
			return err
		}
		return wrong
	default:
		return wrong
	}
	return nil
}

func unpackNumber(x json.Number, v reflect.Value) error {
	bits := 64
	if v.CanInt() || v.CanUint() || v.CanFloat() {
		bits = v.Type().Bits()
	}
	switch {
	case v.CanInt():
		n, err := strconv.ParseInt(x.String(), 10, bits)
		v.SetInt(n)
		return err
	case v.CanUint():
		n, err := strconv.ParseUint(x.String(), 10, bits)
		v.SetUint(n)
		return err
	case v.CanFloat():
		n, err := strconv.ParseFloat(x.String(), bits)
		v.SetFloat(n)
		return err
	}
	return fmt.Errorf("%v is no %s", x, v.Type())
}

func (p *packer) unpackStruct(x any, v reflect.Value) error {
	m, ok := x.(map[string]any)
	if !ok {
		return fmt.Errorf("%v is no %s", x, v.Type())
	}
	for _, name := range sortedKeys(m) {
		f := v.FieldByName(name)
		if !f.IsValid() || !f.CanSet() {
			return fmt.Errorf("%s has no %q", v.Type(), name)
		}
		if err := p.unpack(m[name], f); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (p *packer) unpackList(x any, v reflect.Value) error {
	list, ok := x.([]any)
	if !ok || v.Kind() == reflect.Array && len(list) != v.Len() {
		return fmt.Errorf("%v is no %s", x, v.Type())
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
	}
	for i, e := range list {
		if err := p.unpack(e, v.Index(i)); err != nil {
			return fmt.Errorf("%d: %w", i, err)
		}
	}
	return nil
}

func (p *packer) unpackMap(x any, v reflect.Value) error {
	var pairs [][2]string
	if err := p.unpack(x, reflect.ValueOf(&pairs).Elem()); err != nil {
		return err
	}
	m := make(map[string]string, len(pairs))
	for _, kv := range pairs {
		m[kv[0]] = kv[1]
	}
	v.Set(reflect.ValueOf(m))
	return nil
}

func (p *packer) unpackValue(x any, v reflect.Value) error {
	m, _ := x.(map[string]any)
	name, _ := m["type"].(string)
	t := valueTypes[name]
	if t == nil {
		return fmt.Errorf("%v is no value that is known here", x)
	}
	c := reflect.New(t).Elem()
	if err := p.unpack(m["value"], c); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	v.Set(c)
	return nil
}
