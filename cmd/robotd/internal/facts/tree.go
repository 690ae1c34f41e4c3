package facts

import (
	"errors"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// Tree implements control.Past.
func (p *Past) Tree() (*control.Tree, error) {
	if p.Catalog == nil {
		return nil, errors.New("the definitions of the behaviors are not at hand")
	}
	cat, err := p.Catalog()
	if err != nil {
		return nil, err
	}
	return TreeOf(cat, p.Source.Life().Base), nil
}

// TreeOf is the graph of a catalog; base is the behavior at the bottom, or empty for that of the boot configuration.
func TreeOf(cat *catalog.Catalog, base string) *control.Tree {
	if base == "" {
		base = cat.Boot.Base
	}
	t := &control.Tree{Base: base, Nodes: make([]control.TreeNode, 0, len(cat.Entries))}
	for _, e := range cat.Entries {
		t.Nodes = append(t.Nodes, control.TreeNode{
			ID: e.ID, Class: e.Class.Name, File: e.File, Line: e.Line, Params: e.JSON(), Delegates: e.Priority(), Links: append([]string{}, e.Links...),
			Owner: e.Owner, Label: e.Label, Doc: e.Class.Doc, State: stateOf(e), Origin: e.Origin,
		})
	}
	return t
}

// stateOf says what the class of a behavior is here if it has no code; empty if it has.
func stateOf(e *catalog.Entry) string {
	if e.Class.State == behaviors.Real {
		return ""
	}
	return e.Class.State.String()
}
