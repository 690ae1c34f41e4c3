package sets

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
)

// maxFound bounds the catalogs that a Lifetime keeps.
const maxFound = 16

// A Reloads calls see with each change of definitions that a tick of a recorded life was asked for, in order, and with the sum of the definitions
// after that tick, empty if that is not recorded, until see returns false.
type Reloads func(see func(c *engine.Command, sum string) bool) error

// A Lifetime finds the definitions that a recorded life had at some time, by their sum. It is safe for concurrent use.
type Lifetime struct {
	build   Builder
	tree    setup.Tree // of the start
	reloads Reloads

	mu    sync.Mutex
	found map[string]found // by sum; that of the start is also ""
}

type found struct {
	catalog *catalog.Catalog
	err     error
}

// NewLifetime returns the lifetime of a recording that began with the files of a tree.
func NewLifetime(tree setup.Tree, build Builder, reloads Reloads) *Lifetime {
	return &Lifetime{build: build, tree: tree, reloads: reloads, found: map[string]found{}}
}

// Of returns the definitions of a sum; those of the start if it is empty.
func (l *Lifetime) Of(sum string) (*catalog.Catalog, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, known := l.found[""]; !known {
		l.start()
	}
	if _, known := l.found[sum]; !known {
		if len(l.found) >= maxFound {
			l.start()
		}
		l.find(sum)
	}
	f := l.found[sum]
	return f.catalog, f.err
}

// start builds the definitions of the start, and forgets others. Mu is held.
func (l *Lifetime) start() {
	first, ok := l.found[""]
	clear(l.found)
	if !ok {
		first.catalog, first.err = l.made(l.tree)
	}
	if l.found[""] = first; first.catalog != nil {
		l.found[first.catalog.Sum] = first
	}
}

func (l *Lifetime) made(tree setup.Tree) (*catalog.Catalog, error) {
	cat, diags := l.build(tree)
	if cat == nil {
		return nil, errors.New("this program does not accept the behavior files of the recording: " + invalid(diags))
	}
	return cat, nil
}

// find looks for the change to the definitions of a sum. The files of a change are told as they differ from those of the set before, so one that
// the robot refused counts for nothing. Mu is held.
func (l *Lifetime) find(sum string) {
	files, err := contents(l.tree.FS)
	if err != nil {
		l.found[sum] = found{err: err}
		return
	}
	err = l.reloads(func(c *engine.Command, is string) bool {
		next := maps.Clone(files)
		maps.Copy(next, c.Files)
		maps.DeleteFunc(next, func(name, _ string) bool { return slices.Contains(c.Gone, name) })
		tree := l.tree
		tree.FS = asTree(next)
		cat, err := l.made(tree)
		if err != nil || is != "" && cat.Sum != is {
			return true
		}
		files = next
		if cat.Sum == sum {
			l.found[sum] = found{catalog: cat}
		}
		return cat.Sum != sum
	})
	if _, ok := l.found[sum]; !ok {
		text := "the recording does not have the behavior files of that time"
		if err != nil {
			l.found[sum] = found{err: fmt.Errorf("%s: %w", text, err)}
			return
		}
		l.found[sum] = found{err: errors.New(text)}
	}
}
