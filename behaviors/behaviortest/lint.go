package behaviortest

import (
	"fmt"
	"reflect"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/resources"
)

// LintClass lists in what a class breaks the rules for parameters: they are one struct, in the field params and apart from the state; a
// key has a doc; a default has a reason. A key that is read in another way than through the struct has no doc, unless
// [resources.Object.Describe] gives it one.
func LintClass(class behaviors.Class) (faults []string) {
	accepted, err := behaviors.Accepts(&class)
	if err != nil {
		return []string{err.Error()}
	}
	structs := ParamsOf(class)
	if len(accepted.Keys) > 0 && len(structs) == 0 {
		faults = append(faults, "reads keys and has no field params of a struct type")
	}
	for _, t := range structs {
		faults = append(faults, param.Lint(t)...)
	}
	return append(faults, undocumented(accepted.Keys, "")...)
}

// ParamsOf returns the types of the parameter structs of a class: its own, and those of the classes that it embeds.
func ParamsOf(class behaviors.Class) []reflect.Type {
	impl := behaviors.NewInstance(class.Name, &class, resources.NewProbe().Object()).Impl()
	return paramsIn(reflect.TypeOf(impl))
}

func paramsIn(t reflect.Type) (found []reflect.Type) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for i := range t.NumField() {
		f := t.Field(i)
		switch {
		case f.Name == "params" && f.Type.Kind() == reflect.Struct:
			found = append(found, f.Type)
		case f.Anonymous:
			found = append(found, paramsIn(f.Type)...)
		}
	}
	return found
}

// undocumented lists keys without a doc.
func undocumented(keys []resources.KeyInfo, in string) (faults []string) {
	for _, k := range keys {
		name := in + k.Name
		if k.Doc == "" && k.Name != resources.AnyKey {
			faults = append(faults, fmt.Sprintf("key %s has no doc: read it through the struct of parameters, or describe it", name))
			continue
		}
		faults = append(faults, undocumented(k.Keys, name+".")...)
	}
	return faults
}
