package library

import (
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

// ofCatalog are the keys of an instance that package catalog reads.
var ofCatalog = map[string]bool{"$schema": true, "behaviorClass": true, "behaviorID": true, "behaviorName": true, "anonymousBehaviors": true, "doing": true}

// unlisted walks a value of a shipped file along what a probe found, and names the keys that it did not find.
func unlisted(v resources.Value, info resources.KeyInfo) (out []string) {
	if elems, ok := v.Array(); ok {
		elem := info.Elem
		for i := 0; elem == nil && i < len(info.Or); i++ {
			elem = info.Or[i].Elem
		}
		if elem == nil {
			return []string{v.Path() + ", a list"}
		}
		for _, e := range elems {
			out = append(out, unlisted(e, *elem)...)
		}
		return out
	}
	o, ok := v.Object()
	switch {
	case !ok || info.Kind == resources.KindAnything:
		return nil
	case info.Kind == resources.KindCondition:
		return unlistedOfCondition(o)
	}
	return unlistedKeys(o, info.Keys)
}

func unlistedKeys(o *resources.Object, known []resources.KeyInfo) (out []string) {
	for _, key := range o.Keys() {
		v, _ := o.Optional(key)
		k, ok := keyOf(known, key)
		if !ok {
			out = append(out, v.Path())
			continue
		}
		out = append(out, unlisted(v, k)...)
	}
	return out
}

func keyOf(known []resources.KeyInfo, key string) (resources.KeyInfo, bool) {
	for _, name := range []string{key, resources.AnyKey} {
		for _, k := range known {
			if k.Name == name {
				return k, true
			}
		}
	}
	return resources.KeyInfo{}, false
}

func unlistedOfCondition(o *resources.Object) []string {
	known := []resources.KeyInfo{{Name: "conditionType"}, {Name: "customCondition"}}
	kind := "Compound" // of a bare operator
	if o.Has("conditionType") {
		kind = o.String("conditionType")
	}
	return unlistedKeys(o, append(known, condition.Accepts(kind)...))
}

func TestProbeOfEveryClassListsTheKeysOfShippedFiles(t *testing.T) {
	registry := Registry()
	common := behaviors.CommonKeys()
	known := map[string][]resources.KeyInfo{}
	for _, name := range registry.Names() {
		a, err := behaviors.Accepts(registry.Find(name))
		if err != nil {
			t.Error(err)
		}
		known[name] = append(a.Keys, common...)
	}
	n := 0
	docs, diags := resources.LoadBehaviors(resources.Embedded())
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	var check func(o *resources.Object)
	check = func(o *resources.Object) {
		n++
		for _, a := range o.ObjectsOr("anonymousBehaviors") {
			check(a)
		}
		keys := known[o.String("behaviorClass")]
		for name := range ofCatalog {
			keys = append(keys[:len(keys):len(keys)], resources.KeyInfo{Name: name, Kind: resources.KindAnything, Elem: &resources.KeyInfo{Kind: resources.KindAnything}})
		}
		for _, path := range unlistedKeys(o, keys) {
			t.Errorf("%s: no probe of %s finds %s", o.File(), o.String("behaviorClass"), path)
		}
	}
	for _, d := range docs {
		check(d.Root())
	}
	if n < len(docs) || n == 0 {
		t.Errorf("%d behaviors in %d files", n, len(docs))
	}
}

func TestProbeOfEveryConditionTypeListsTheKeysOfItsTable(t *testing.T) {
	for _, name := range condition.Types() {
		keys := condition.Accepts(name)
		for _, want := range condition.KeysOf(name) {
			if _, ok := keyOf(keys, want); !ok {
				t.Errorf("no probe of the condition %s finds its key %s", name, want)
			}
		}
		for _, k := range keys {
			if k.Kind == resources.KindAnything && !k.Refused {
				t.Errorf("the condition %s does not say what its key %s takes", name, k.Name)
			}
		}
	}
	if condition.Accepts("NoSuchType") != nil {
		t.Error("an unknown type accepts something")
	}
}

func TestProbeTellsWhatAConstructorThatPanicsReadBefore(t *testing.T) {
	a, err := behaviors.Accepts(&behaviors.Class{Name: "Broken", New: func(cfg *behaviors.Config) behaviors.Behavior {
		cfg.Int("count")
		panic("too few")
	}})
	if err == nil || !strings.Contains(err.Error(), "class Broken: New panics") || !strings.Contains(err.Error(), "too few") {
		t.Errorf("the error is %v", err)
	}
	if len(a.Keys) != 1 || a.Keys[0].Name != "count" {
		t.Errorf("the keys are %+v", a.Keys)
	}
}

func TestProbeTellsDelegatesThatAreFixedInCode(t *testing.T) {
	a, err := behaviors.Accepts(&behaviors.Class{Name: "Fixed", New: func(cfg *behaviors.Config) behaviors.Behavior {
		cfg.DelegateOr("other", "ByDefault")
		cfg.Delegate("named")
		cfg.MayDelegateTo("PutDownBlock")
		return nil
	}})
	if err != nil || len(a.Delegates) != 1 || a.Delegates[0] != "PutDownBlock" {
		t.Errorf("fixed delegates are %v, %v; want PutDownBlock alone", a.Delegates, err)
	}
}

func TestEveryCommonKeyHasASentence(t *testing.T) {
	for _, k := range behaviors.CommonKeys() {
		if k.Doc == "" {
			t.Errorf("%s has none", k.Name)
		}
		if k.Name != "behaviorModifiers" {
			continue
		}
		for _, m := range k.Keys {
			if m.Doc == "" && !m.Refused {
				t.Errorf("the modifier %s has none", m.Name)
			}
		}
	}
}
