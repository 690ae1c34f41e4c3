package facts

import (
	"errors"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/metrics/record"
)

// Tree implements control.Past.
func (p *Past) Tree(tick uint64) (*control.Tree, error) {
	cat, err := p.catalogAt(tick)
	if err != nil {
		return nil, err
	}
	return TreeOf(cat, p.Source.Life().Base), nil
}

// catalogAt returns the definitions that the robot had at the end of a tick; 0 is the present, or the end of a recording.
func (p *Past) catalogAt(tick uint64) (*catalog.Catalog, error) {
	switch {
	case p.Catalog == nil:
		return nil, errors.New("the definitions of the behaviors are not at hand")
	case tick == 0 && p.Live:
		return p.Catalog("")
	case tick == 0:
		_, last := p.Source.Span()
		sum, err := Definitions(p.Source, last.Tick)
		if err != nil { // damage hides the end
			return p.Catalog("")
		}
		return p.Catalog(sum)
	}
	sum, err := Definitions(p.Source, tick)
	if err != nil {
		return nil, unread(p.Source, tick, err)
	}
	cat, err := p.Catalog(sum)
	if err != nil {
		err = control.Refuse(err)
	}
	return cat, err
}

// Definitions is the sum of the definitions that a robot had at the end of a tick; empty in recordings of older versions.
func Definitions(h record.History, tick uint64) (string, error) {
	if err := within(h, tick); err != nil {
		return "", err
	}
	v, err := valuesAt(h, tick, []string{topicLife})
	if err != nil {
		return "", err
	}
	var life lifeValue
	v.get(topicLife, "", &life)
	return life.Definitions, v.err
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
