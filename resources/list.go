package resources

// each returns a reader of arrays that reads every element with get. An element that get refuses is reported by get
// and left out, so the list may be shorter than the array.
func each[T any](get func(Value) (T, bool)) func(Value) ([]T, bool) {
	return func(v Value) ([]T, bool) {
		elems, ok := v.Array()
		if !ok {
			v.wrongKind(wantArray)
			return nil, false
		}
		out := make([]T, 0, len(elems))
		for _, e := range elems {
			if t, ok := get(e); ok {
				out = append(out, t)
			}
		}
		return out, true
	}
}

// Objects reads a required array of objects. Elements of another type are reported and left out.
func (o *Object) Objects(key string) []*Object { return required(o, key, each(getObject)) }

// ObjectsOr reads an optional array of objects; nil if it is absent.
func (o *Object) ObjectsOr(key string) []*Object { return optional(o, key, nil, each(getObject)) }

// Strings reads a required array of strings. Elements of another type are reported and left out.
func (o *Object) Strings(key string) []string { return required(o, key, each(getString)) }

// StringsOr reads an optional array of strings.
func (o *Object) StringsOr(key string, def []string) []string {
	return optional(o, key, def, each(getString))
}

// Floats reads a required array of numbers. Elements of another type are reported and left out.
func (o *Object) Floats(key string) []float64 { return required(o, key, each(getFloat)) }

// FloatsOr reads an optional array of numbers.
func (o *Object) FloatsOr(key string, def []float64) []float64 {
	return optional(o, key, def, each(getFloat))
}

// Enums reads a required array of allowed words. Other elements are reported and left out.
func (o *Object) Enums(key string, allowed []string) []string {
	return required(o, key, each(wordOf(allowed)))
}

// EnumsOr reads an optional array of allowed words.
func (o *Object) EnumsOr(key string, def, allowed []string) []string {
	return optional(o, key, def, each(wordOf(allowed)))
}
