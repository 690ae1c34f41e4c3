package sets

import (
	"errors"
	"slices"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/metrics/record"
)

// A Player makes the changes of a recorded life again, from the files that its tape holds. It has one owner.
type Player struct {
	build Builder
	tree  setup.Tree // of the start, without its files
	files map[string]string
	now   *catalog.Catalog
}

// NewPlayer returns a player of a life that begins with the files of a tree, and with the catalog made from them.
func NewPlayer(tree setup.Tree, first *catalog.Catalog, build Builder) (*Player, error) {
	files, err := contents(tree.FS)
	return &Player{build, tree, files, first}, err
}

// Changes is engine.Options.Changes.
func (p *Player) Changes(c *engine.Command) (*catalog.Change, error) {
	for name, text := range c.Files {
		p.files[name] = text
	}
	for _, name := range c.Gone {
		delete(p.files, name)
	}
	tree, err := record.NewTree(asTree(p.files), nil)
	if err != nil {
		return nil, err
	}
	next := p.tree
	next.FS = tree
	to, diags := p.build(next)
	if to == nil {
		return nil, errors.New("this program does not accept the behavior files of the recording: " + invalid(slices.Clone(diags)))
	}
	ch, err := catalog.Compare(p.now, to)
	if err == nil {
		p.now = to
	}
	return ch, err
}
