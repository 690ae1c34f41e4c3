package param

import (
	"fmt"
	"reflect"
	"strings"
)

// Lint lists what the tags of a parameter struct type lack beyond what [Read] insists on: a doc for each key, and a reason for
// each default. It looks into nested structs. Malformed tags panic, as they do in Read.
func Lint(t reflect.Type) (faults []string) {
	planOf(t)
	for i := range t.NumField() {
		f := t.Field(i)
		if f.IsExported() || f.Anonymous {
			faults = append(faults, lintField(t, f)...)
		}
	}
	return faults
}

func lintField(t reflect.Type, f reflect.StructField) (faults []string) {
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Sprintf("field %s of %s: ", f.Name, t)+fmt.Sprintf(format, args...))
	}
	def, optional := f.Tag.Lookup("default")
	why := f.Tag.Get("why")
	switch {
	case optional && why == "":
		fault("default %q has no reason: write why:\"…\", or make the key required", def)
	case optional && len(strings.Fields(why)) < 3:
		fault("%q is no reason for a default", why)
	}
	if f.Tag.Get("key") != "" && f.Tag.Get("doc") == "" {
		fault("the key has no doc")
	}
	if t, ok := inside(f.Type); ok {
		faults = append(faults, Lint(t)...)
	}
	return faults
}

// inside is the struct type of a field for an object or a list of objects.
func inside(t reflect.Type) (reflect.Type, bool) {
	if k := t.Kind(); k == reflect.Pointer || k == reflect.Slice {
		t = t.Elem()
	}
	ours := t.PkgPath() == reflect.TypeFor[Span]().PkgPath()
	return t, t.Kind() == reflect.Struct && !ours && !reflect.PointerTo(t).Implements(readerType)
}

// Count tells how many keys of a parameter struct type are required and how many have a default, nested structs included.
func Count(t reflect.Type) (required, defaulted int) {
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() && !f.Anonymous {
			continue
		}
		n := 0
		if key := f.Tag.Get("key"); key != "" {
			n = 1 + strings.Count(key, ",")
		}
		if _, optional := f.Tag.Lookup("default"); optional {
			defaulted += n
		} else {
			required += n
		}
		if t, ok := inside(f.Type); ok {
			r, d := Count(t)
			required, defaulted = required+r, defaulted+d
		}
	}
	return required, defaulted
}
