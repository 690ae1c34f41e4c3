package sets

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/resources"
)

// kept is how many sets before the present one a robot can go back to.
const kept = 8

// patience is how long a change waits for another one to end, and then for a tick to take it. What it takes to read, check and write the
// files in between does not count: a memory card may hold a write up for seconds.
const patience = 3 * time.Second

// Results of a change, as metrics and the log name them.
const (
	Applied   = "applied"
	Unchanged = "unchanged" // the files are those of the present set
	Invalid   = "invalid"   // findings
	Refused   = "refused"   // by the tick
	Failed    = "failed"    // the files could not be read or written, or no tick answered
)

// Results lists the results of a change, for metrics that create their series in advance.
func Results() []string { return []string{Applied, Unchanged, Invalid, Refused, Failed} }

// Causes of a change.
const (
	CauseSignal   = "signal"
	CauseOperator = "operator"
	CauseEdit     = "edit"
	CauseRollback = "rollback"
)

// Options describe a Store.
type Options struct {
	First    Set
	Read     func() (setup.Tree, error) // the files as they are now; nil: they cannot change
	Build    Builder
	Where    Where // edits are written
	Observer event.Observer
}

var (
	errNoFiles  = errors.New("this robot has no files to read")
	errNoFolder = errors.New("there is no folder to write to: start the robot with --resources DIR or --state DIR")
)

// A Store holds the present set of a running robot and those before it. It is safe for concurrent use.
type Store struct {
	opts     Options
	patience time.Duration
	do       func(context.Context, engine.Command) (engine.Reply, error)

	making   *workshop
	changing chan struct{} // holds the one who changes the set, from reading to the answer of the tick

	mu    sync.Mutex
	past  []*Set // oldest first
	now   *Set
	lived []*catalog.Catalog // that the robot had before, oldest first
	last  uint64
	ready map[uint64]*offer // that a tick may ask for
}

// An offer is a change that is ready.
type offer struct {
	set    *Set
	change *catalog.Change
	back   bool // the set is the one before the present one
}

// NewStore returns a store with its first set.
func NewStore(o Options) *Store {
	first := o.First
	return &Store{opts: o, patience: patience, making: newWorkshop(), changing: make(chan struct{}, 1), now: &first, ready: map[uint64]*offer{}}
}

// Attach tells the store how to hand a command to the next tick. Call it before the first change.
func (s *Store) Attach(do func(context.Context, engine.Command) (engine.Reply, error)) { s.do = do }

// Now is the present set.
func (s *Store) Now() *Set {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// Of returns the newest definitions of a sum that the robot had; the present ones if it is empty.
func (s *Store) Of(sum string) (*catalog.Catalog, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sum == "" || s.now.Catalog.Sum == sum {
		return s.now.Catalog, nil
	}
	for _, c := range slices.Backward(s.lived) {
		if c.Sum == sum {
			return c, nil
		}
	}
	return nil, fmt.Errorf("the robot does not keep the definitions of that time: there were more than %d changes since", kept)
}

// Files opens the files as they are now, and says where edits are written.
func (s *Store) Files() (setup.Tree, Where, error) {
	if s.opts.Read == nil {
		return setup.Tree{}, Where{}, errNoFiles
	}
	tree, err := s.opts.Read()
	return tree, s.opts.Where, err
}

// Before is how many sets the robot can go back to.
func (s *Store) Before() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.past)
}

// Changes is engine.Options.Changes.
func (s *Store) Changes(c *engine.Command) (*catalog.Change, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.ready[c.Set]
	if o == nil {
		return nil, fmt.Errorf("there is no set of definitions %d", c.Set)
	}
	if o.set.Catalog == s.now.Catalog {
		return nil, errors.New("these are the present definitions")
	}
	if o.change.From == s.now.Catalog { // else the engine refuses
		s.commit(o)
	}
	return o.change, nil
}

// commit makes an offered set the present one: the tick that asked for it takes it.
func (s *Store) commit(o *offer) {
	if o.back {
		s.past = s.past[:len(s.past)-1]
	} else {
		s.past = append(s.past, s.now)
		s.past = slices.Delete(s.past, 0, max(0, len(s.past)-kept))
	}
	s.lived = append(s.lived, s.now.Catalog)
	s.lived = slices.Delete(s.lived, 0, max(0, len(s.lived)-kept))
	s.now = o.set
	clear(s.ready)
}

// A Candidate is a set that was read and checked, with the change that leads to it. Without a catalog only the findings count.
type Candidate struct {
	Set
	Findings resources.Diagnostics
	Change   *catalog.Change // nil if there is no catalog
	Same     bool            // the files are those of the present set
}

// Read reads and checks the files as they are now.
func (s *Store) Read() (*Candidate, error) {
	if s.opts.Read == nil {
		return nil, errNoFiles
	}
	tree, err := s.opts.Read()
	if err != nil {
		return nil, err
	}
	return s.Check(tree)
}

// Check checks the files of a tree and plans the change to them. It changes nothing.
func (s *Store) Check(tree setup.Tree) (*Candidate, error) {
	copied, err := tree.Recorded()
	if err != nil {
		return nil, err
	}
	now := s.Now()
	return contained(s.making, func() (*Candidate, error) {
		c := &Candidate{Set: Set{Tree: copied, Dir: tree.Dir}, Same: now.Tree != nil && now.Tree.Hash == copied.Hash}
		c.Catalog, c.Findings = s.opts.Build(setup.Tree{FS: copied, Dir: tree.Dir, Foreign: tree.Foreign, Layer: tree.Layered()})
		if c.Catalog == nil {
			return c, nil
		}
		c.Change, err = catalog.Compare(now.Catalog, c.Catalog)
		return c, err
	})
}

// An Outcome is what came of a change.
type Outcome struct {
	Result   string
	Text     string
	Plan     *catalog.Plan // nil unless there is a set to change to
	Findings resources.Diagnostics
}

// Reload reads the files and changes to them.
func (s *Store) Reload(ctx context.Context, cause string) Outcome {
	return s.Change(ctx, cause, s.Read, nil)
}

// begin lets one change at a time go on; the others wait for its end, but not longer than ctx lives.
func (s *Store) begin(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	select {
	case s.changing <- struct{}{}:
		return nil
	case <-ctx.Done():
		return errors.New("another change of the definitions is not over yet")
	}
}

func (s *Store) end() { <-s.changing }

// Change changes to the set that read returns, all or nothing. Keep is called when a tick may take it and before it does, to write files; its
// error leaves everything as it was.
func (s *Store) Change(ctx context.Context, cause string, read func() (*Candidate, error), keep func() (undo func(), err error)) Outcome {
	o := s.change(ctx, read, keep)
	s.opts.Observer.Observe(event.Reload{Cause: cause, Result: o.Result, Text: o.Text})
	return o
}

func (s *Store) change(ctx context.Context, read func() (*Candidate, error), keep func() (func(), error)) Outcome {
	if err := s.begin(ctx); err != nil {
		return Outcome{Result: Failed, Text: err.Error()}
	}
	defer s.end()
	c, err := read()
	switch {
	case err != nil:
		return Outcome{Result: Failed, Text: err.Error()}
	case c.Catalog == nil:
		return Outcome{Result: Invalid, Text: invalid(c.Findings), Findings: c.Findings}
	case c.Same && keep == nil:
		return Outcome{Result: Unchanged, Text: "the files are those of the present definitions", Plan: &c.Change.Plan, Findings: c.Findings}
	}
	undo := func() {}
	if keep != nil {
		if undo, err = keep(); err != nil {
			return Outcome{Result: Failed, Text: err.Error(), Findings: c.Findings}
		}
	}
	o := Outcome{Result: Unchanged, Text: "the file is written; the definitions are the same", Plan: &c.Change.Plan}
	if !c.Same {
		o = s.apply(ctx, &offer{set: &c.Set, change: c.Change})
	}
	if o.Findings = c.Findings; o.Result != Applied && o.Result != Unchanged {
		undo()
	}
	return o
}

// invalid names the first error and counts the others.
func invalid(d resources.Diagnostics) string {
	i := slices.IndexFunc(d, func(d resources.Diagnostic) bool { return d.Severity == resources.Error })
	if i < 0 {
		return "the definitions are not complete"
	}
	text := d[i].String()
	if n := d.Count(resources.Error); n > 1 {
		text += fmt.Sprintf(" (and %d more errors)", n-1)
	}
	return "nothing was changed: " + text
}

// Rollback goes back to the set before the present one. The files stay as they are.
func (s *Store) Rollback(ctx context.Context) Outcome {
	o := s.rollback(ctx)
	s.opts.Observer.Observe(event.Reload{Cause: CauseRollback, Result: o.Result, Text: o.Text})
	return o
}

func (s *Store) rollback(ctx context.Context) Outcome {
	if err := s.begin(ctx); err != nil {
		return Outcome{Result: Failed, Text: err.Error()}
	}
	defer s.end()
	s.mu.Lock()
	var to *Set
	now := s.now
	if k := len(s.past); k > 0 {
		to = s.past[k-1]
	}
	s.mu.Unlock()
	if to == nil {
		return Outcome{Result: Refused, Text: "there are no earlier definitions to go back to"}
	}
	ch, err := contained(s.making, func() (*catalog.Change, error) { return catalog.Compare(now.Catalog, to.Catalog) })
	if err != nil {
		return Outcome{Result: Failed, Text: err.Error()}
	}
	return s.apply(ctx, &offer{set: to, change: ch, back: true})
}

// apply offers a change to the next tick and waits for its answer, even if the one who asked has hung up: a tape must not have a change that
// the robot did not make.
func (s *Store) apply(ctx context.Context, o *offer) Outcome {
	now := s.Now()
	files, gone, err := diff(now.files(), o.set.files())
	if err != nil {
		return Outcome{Result: Failed, Text: err.Error()}
	}
	slices.Sort(gone)
	s.mu.Lock()
	s.last++
	n := s.last
	if !o.back {
		o.set.Number = n
	}
	s.ready[n] = o
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.patience)
	defer cancel()
	reply, err := s.do(ctx, engine.Command{Kind: engine.Reload, Set: n, Files: files, Gone: gone})
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.ready, n) // a tick that comes too late finds nothing to take
	taken := s.now == o.set
	switch {
	case taken:
		return Outcome{Result: Applied, Text: o.change.Plan.String(), Plan: &o.change.Plan}
	case reply.Err != "":
		return Outcome{Result: Refused, Text: reply.Err}
	case err != nil:
		return Outcome{Result: Failed, Text: err.Error()}
	}
	return Outcome{Result: Failed, Text: "the tick did not take the definitions"}
}
