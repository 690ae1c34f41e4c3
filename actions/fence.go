package actions

import (
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/robotd/robotd/hardware"
)

// A fence stands between an action and everything that its Env reaches. An open fence passes effects on to the current
// caller of the list. When a call panics or hangs, the list closes the fence and replaces it, so later effects of the
// abandoned goroutine are dropped. Only such a goroutine ever contends for the mutex.
type fence struct {
	env   Env // handed to actions
	pcg   rand.PCG
	rng   *rand.Rand
	busy  bool  // a call is under way
	paths Paths // this fence

	mu     sync.Mutex
	closed bool
	list   *List
	outer  *Env    // effects go there
	runner *Runner // on whose behalf
}

func newFence(l *List) *fence {
	f := &fence{list: l}
	f.rng = rand.New(&f.pcg)
	f.env.Send, f.env.NextID, f.env.Ended, f.env.giveBack, f.env.lookFor = f.send, f.nextID, f.ended, f.giveBack, f.lookFor
	f.env.Tracks, f.env.Tags = (*fenceTracks)(f), (*fenceTags)(f)
	f.paths = (*fencePaths)(f)
	return f
}

// arm prepares the fence for one call of r with the inputs and effects of outer. Random numbers depend only on seed, tag
// and tick.
func (f *fence) arm(r *Runner, outer *Env) *Env {
	f.outer, f.runner = outer, r
	f.env.Now, f.env.World, f.env.Seed, f.env.Tick = outer.Now, outer.World, outer.Seed, outer.Tick
	f.env.Profile, f.env.Animations, f.env.by = r.profile, outer.Animations, r
	if f.env.Paths = nil; outer.Paths != nil {
		f.env.Paths = f.paths
	}
	if outer.Rand != nil {
		f.env.Rand = outer.Rand
	} else {
		f.pcg.Seed(outer.Seed^uint64(r.tag)*0x9e3779b97f4a7c15, outer.Tick)
		f.env.Rand = f.rng
	}
	return &f.env
}

// close drops all further effects of goroutines that still hold the Env.
func (f *fence) close() {
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
}

func (f *fence) send(c hardware.Command) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return
	}
	f.list.show(f.env.by, f.runner, c)
	if f.outer.Send != nil {
		f.outer.Send(c)
	}
}

func (f *fence) nextID() uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return 0
	}
	return f.list.nextID(f.outer)
}

func (f *fence) ended(c Completion) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return
	}
	c.Owner = f.runner.owner
	if !slices.Contains(f.runner.sub, c.Result) {
		f.runner.sub = append(f.runner.sub, c.Result)
	}
	if c.Detail != "" {
		f.runner.why = because{c.Result, c.Detail}
	}
	f.list.reportToWatchers(c)
}

// fenceTracks is the Locker of a fence. It records which tracks the children of the runner hold, so that the list can
// unlock them when the action is broken.
type fenceTracks fence

func (f *fenceTracks) Lock(who string, t Tracks) (string, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return "action was abandoned", false
	}
	holders, ok := f.list.tracks.TryLock(who, t)
	if ok {
		f.runner.childLocks = append(f.runner.childLocks, childLock{who, t})
	}
	return holders, ok
}

func (f *fenceTracks) Unlock(who string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return
	}
	// An action frees only tracks that its own children hold.
	held := slices.IndexFunc(f.runner.childLocks, func(p childLock) bool { return p.holder == who })
	if held < 0 {
		return
	}
	f.runner.childLocks = slices.DeleteFunc(f.runner.childLocks, func(p childLock) bool { return p.holder == who })
	f.list.tracks.Unlock(who)
}

func (f *fenceTracks) Mask() Tracks {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return All
	}
	return f.list.tracks.Mask()
}

// fenceTags is the Tagger of a fence.
type fenceTags fence

func (f *fenceTags) Take() (Tag, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return InvalidTag, errTagsExhausted
	}
	t, err := f.list.tags.Take()
	if err == nil {
		f.runner.childTags = append(f.runner.childTags, t)
	}
	return t, err
}

func (f *fenceTags) Free(t Tag) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return
	}
	if i := slices.Index(f.runner.childTags, t); i >= 0 {
		f.runner.childTags = slices.Delete(f.runner.childTags, i, i+1)
		f.list.tags.Free(t)
	}
}

// fencePaths is the Paths of a fence.
type fencePaths fence

func (f *fencePaths) Ask(q PathQuestion) uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return 0
	}
	return f.outer.Paths.Ask(q)
}

func (f *fencePaths) Look(id uint64) (Path, PathState) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return Path{}, PathUnknown
	}
	return f.outer.Paths.Look(id)
}

func (f *fencePaths) Drop(id uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.closed {
		f.outer.Paths.Drop(id)
	}
}
