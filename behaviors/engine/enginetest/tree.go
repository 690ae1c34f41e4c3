package enginetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/robotd/robotd/behaviors"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/stack/stacktest"
	"github.com/robotd/robotd/resources"
	"github.com/robotd/robotd/resources/tracetest"
)

// tree is a tree of package stacktest, and what an engine needs besides.
type tree struct {
	stacktest.Tree
	keys            map[string]string // of the definition, as JSON
	hears           map[string][]string
	alwaysDelegates []string
	fallback        string
}

// parseTree reads a tree of package stacktest, whose lines may also be
//
//	A | "key": value        more keys of A's definition
//	always-delegates A B    they end when they have no delegate at the end of an Update
//	hears A poked           what A subscribes to
//	fallback F              the behavior to fall back to; the base if none is named
func parseTree(input []tracetest.Line) (tree, error) {
	t := tree{keys: map[string]string{}, hears: map[string][]string{}}
	scripts := stacktest.Scripts{}
	var rest []tracetest.Line
	for _, line := range input {
		words := strings.Fields(line.Text)
		switch {
		case tracetest.IsScript(line.Text):
			if err := parseScript(line, scripts); err != nil {
				return t, err
			}
		case len(words) > 1 && words[1] == "|":
			_, t.keys[words[0]], _ = strings.Cut(line.Text, "|")
		case words[0] == "hears" && len(words) > 2:
			t.hears[words[1]] = words[2:]
		case words[0] == "always-delegates":
			t.alwaysDelegates = append(t.alwaysDelegates, words[1:]...)
		case words[0] == "fallback" && len(words) == 2:
			t.fallback = words[1]
		case words[0] == "hears", words[0] == "fallback":
			return t, line.Errorf("tree line %q: want hears A EVENT …, or fallback A", line.Text)
		default:
			rest = append(rest, line)
		}
	}
	var err error
	t.Tree, err = stacktest.ParseTree(rest)
	if t.fallback == "" {
		t.fallback = t.Base
	}
	t.Scripts = scripts
	return t, err
}

func (t *tree) catalog(w *trace) (*catalog.Catalog, error) {
	class := func(name string, wrap func(idle) behaviors.Behavior) behaviors.Class {
		return behaviors.Class{Name: name, New: func(cfg *behaviors.Config) behaviors.Behavior {
			cfg.MayDelegateTo(others(t.Delegates[cfg.ID()], cfg.ID())...)
			cfg.Link(t.Links[cfg.ID()]...)
			return wrap(idle{trace: w, id: cfg.ID()})
		}}
	}
	reg := behaviors.NewRegistry(
		class("Scripted", func(b idle) behaviors.Behavior { return &scripted{b} }),
		class("Idle", func(b idle) behaviors.Behavior { return &b }),
	)
	docs, err := t.docs()
	if err != nil {
		return nil, err
	}
	boot, diags := resources.Parse(catalog.BootFile, fmt.Appendf(nil,
		`{"normalBaseBehavior":%q,"fallbackBehavior":%q,"userIntents":["hello","bye"],"timers":["nap"]}`, t.Base, t.fallback))
	if diags.HasErrors() {
		return nil, errors.New(diags.String())
	}
	cat, diags := catalog.Build(catalog.Sources{Behaviors: docs, Boot: boot}, reg)
	if diags.HasErrors() {
		return nil, errors.New(diags.String())
	}
	for id, to := range t.Delegates { // the catalog refuses this; the stack must hold all the same (L-36)
		if slices.Contains(to, id) {
			cat.Find(id).Delegates = to
		}
	}
	return cat, nil
}

// docs are the definitions of the behaviors.
func (t *tree) docs() ([]*resources.Document, error) {
	var docs []*resources.Document
	for _, id := range t.IDs {
		class := "Scripted"
		if slices.Contains(t.Idle, id) {
			class = "Idle"
		}
		src := fmt.Sprintf(`{"behaviorClass":%q,"behaviorID":%q`, class, id)
		if keys := t.keys[id]; keys != "" {
			src += "," + keys
		}
		doc, diags := resources.Parse(id+".json", []byte(src+"}"))
		if diags.HasErrors() {
			return nil, errors.New(diags.String())
		}
		docs = append(docs, doc)
	}
	return docs, nil
}

// others leaves out a behavior that lists itself.
func others(ids []string, me string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == me })
}
