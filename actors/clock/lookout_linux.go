package clock

import (
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// posts is a lookout of two threads, each of which the kernel may run on one processor alone. One of them leads, the other one looks if it did
// not. The leader is not on the processor of what is looked at, as far as that is known. A thread that wakes beside one that spins may have to
// wait for the kernel's tick, milliseconds, although another processor is idle, and so may one that has used up its short slice there in the
// middle of a look.
//
// To set their timers takes microseconds. If one thing begins soon after the other, an alarm sets them for the first look, which may be late.
type posts struct {
	first  time.Duration
	glance Glance
	opened time.Time
	origin int64 // opened on the kernel's clock for timers, in nanoseconds
	posts  [2]*post
	alarm  Alarm // calls armLate

	leader  atomic.Int32 // the post that leads
	due     atomic.Int64 // when to look, in nanoseconds since opened; 0: not at all
	ringing atomic.Bool  // a post may ring
	closed  atomic.Bool
	left    atomic.Int32  // posts that use their timers
	over    chan struct{} // closed when none does any more
	mu      sync.Mutex
	gone    bool // the timers are closed; guarded by mu

	// Used by the caller of Begin and Stop only.
	begun  time.Duration // the newest Begin, since opened
	seldom bool          // it came long after the one before
}

// A post is one of the threads.
type post struct {
	posts     *posts
	index     int32
	processor int
	fd        uintptr // a timerfd
	// shift is even while the post waits or glances, odd while it rings. Whoever makes it even again goes on with the post.
	shift atomic.Uint64
}

const (
	// early is more than the kernel's clock for timers and that of the process may differ by.
	early = 10 * time.Microsecond
	// behind is by how much later the post looks that does not lead.
	behind = 500 * time.Microsecond
	// seldom is how many first periods lie between things that begin seldom.
	seldom = 4
)

// newPosts returns nil where the process has one processor, or may not choose.
func newPosts(first time.Duration, glance Glance) Lookout {
	a := &posts{first: first, glance: glance, over: make(chan struct{})}
	var all unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil || all.Count() < len(a.posts) || unix.SchedSetaffinity(0, &all) != nil {
		return nil
	}
	gap := time.Hour
	for range 10 { // a thread may lose its processor between two clocks
		var now unix.Timespec
		before := time.Now()
		if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
			return nil
		}
		if d := time.Since(before); d < gap {
			gap, a.opened, a.origin = d, before, now.Nano()
		}
	}
	processor := len(all) * 64 // the last two: the first has most of the interrupts
	for i := range a.posts {
		fd, _, errno := syscall.Syscall(syscall.SYS_TIMERFD_CREATE, clockMonotonic, tfdNonblock|tfdCloexec, 0)
		if errno != 0 {
			a.closeTimers()
			return nil
		}
		for processor--; !all.IsSet(processor); processor-- {
		}
		a.posts[i] = &post{posts: a, index: int32(i), processor: processor, fd: fd}
	}
	a.alarm = NewTimerAlarm(a.armLate)
	a.left.Store(int32(len(a.posts)))
	bound := make(chan struct{})
	for _, p := range a.posts {
		go p.run(bound)
		<-bound
	}
	return a
}

func (a *posts) now() time.Duration { return time.Since(a.opened) }

// Begin implements [Lookout].
func (a *posts) Begin(now time.Time) {
	if a.ringing.Load() { // not in Stop: it takes a tenth of a millisecond, and what was looked at was late
		a.replace()
	}
	at := now.Sub(a.opened)
	a.seldom = at-a.begun > seldom*a.first
	a.begun = at
	if a.seldom {
		a.lead()
	}
	due := int64(at + a.first)
	a.due.Store(due)
	if a.seldom {
		a.arm(due)
	} else {
		a.alarm.Set(a.first)
	}
}

// lead has the post lead that is not on the processor of the caller.
func (a *posts) lead() {
	var processor uint32
	_, _, _ = syscall.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&processor)), 0, 0)
	if int(processor) == a.posts[0].processor {
		a.leader.Store(1)
	} else {
		a.leader.Store(0)
	}
}

// Set implements [Lookout]. While a post is away the other one looks; when both are, others take their places.
func (a *posts) Set(d time.Duration) {
	switch a.away() {
	case 1:
		for _, p := range a.posts {
			if p.shift.Load()%2 == 0 {
				a.leader.Store(p.index)
			}
		}
	case len(a.posts):
		a.replace()
	}
	due := int64(a.now() + d)
	a.due.Store(due)
	a.arm(due)
}

// Stop implements [Lookout].
func (a *posts) Stop() {
	a.due.Store(0)
	if a.seldom {
		a.arm(0)
	} else {
		a.alarm.Stop()
	}
}

// away counts the posts that ring.
func (a *posts) away() (n int) {
	for _, p := range a.posts {
		n += int(p.shift.Load() % 2)
	}
	return n
}

// replace has others take the places of the posts that ring.
func (a *posts) replace() {
	a.ringing.Store(false)
	for _, p := range a.posts {
		if shift := p.shift.Load(); shift%2 == 1 && p.shift.CompareAndSwap(shift, shift+1) {
			go p.run(nil)
		}
	}
}

// Close implements [Lookout].
func (a *posts) Close() {
	if a.closed.Swap(true) {
		return
	}
	a.due.Store(0)
	a.alarm.Close()
	a.replace()
	a.mu.Lock()
	for _, p := range a.posts {
		if !a.gone {
			p.arm(1) // long ago
		}
	}
	a.mu.Unlock()
	<-a.over
}

func (a *posts) closeTimers() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.gone = true
	for _, p := range a.posts {
		if p != nil {
			_ = syscall.Close(int(p.fd))
		}
	}
}

// run waits, glances and rings, until somebody else goes on with the post or the lookout is closed. It says when the post is bound, unless
// that is nil.
func (p *post) run(bound chan<- struct{}) {
	for {
		ring, shift := p.wait(bound)
		if bound = nil; ring == nil {
			if a := p.posts; a.left.Add(-1) == 0 {
				a.closeTimers()
				close(a.over)
			}
			return
		}
		ring()
		if !p.shift.CompareAndSwap(shift, shift+1) {
			return
		}
	}
}

// wait returns when this post has to ring, and the shift in which it does so; nil when the lookout is closed. The goroutine is locked to
// its thread as long as that is bound to a processor, so that nothing else runs there, and the runtime starts threads from another one.
func (p *post) wait(bound chan<- struct{}) (ring func(), shift uint64) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, own unix.CPUSet
	own.Set(p.processor)
	if unix.SchedGetaffinity(0, &before) == nil && unix.SchedSetaffinity(0, &own) == nil { // otherwise the post may be late
		defer func() { _ = unix.SchedSetaffinity(0, &before) }()
	}
	if bound != nil {
		bound <- struct{}{}
	}
	for a := p.posts; ; {
		p.forget() // before the post looks for what the timer was set for
		if a.closed.Load() {
			return nil, 0
		}
		due := a.due.Load()
		at := p.at(due)
		switch {
		case due == 0:
			p.await()
			continue
		case time.Duration(at)-a.now() > early: // the other post was faster, or who sets the timer for the new instant has not done so yet
			if p.arm(at); a.due.Load() == due { // otherwise that one may have done so before
				p.await()
			}
			continue
		}
		next, ring := a.glance()
		if ring != nil {
			shift = p.shift.Add(1)
			a.ringing.Store(true) // after it: replace must not miss it
			return ring, shift
		}
		a.due.CompareAndSwap(due, int64(a.now()+next)) // unless the other post was faster, or something else runs
	}
}

// forget has await wait for the timer to expire once more.
func (p *post) forget() {
	var expired [8]byte
	_, _, _ = syscall.RawSyscall(syscall.SYS_READ, p.fd, uintptr(unsafe.Pointer(&expired)), unsafe.Sizeof(expired))
}

// await returns when the timer has expired that is set, or earlier.
func (p *post) await() {
	fds := unix.PollFd{Fd: int32(p.fd), Events: unix.POLLIN}
	_, _, _ = syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&fds)), 1, 0, 0, 0, 0)
}

// arm has the posts wake for an instant that is due, or not at all. Each of them sets its own timer when it finds another one.
func (a *posts) arm(due int64) {
	if a.closed.Load() {
		return
	}
	for _, p := range a.posts {
		p.arm(p.at(due))
	}
}

// armLate is arm on the goroutine of an alarm. It may be late, so it stops no timer. A post that wakes too early for it sets its own; one that
// it has wake for what was due before a Set is late by a period at most.
func (a *posts) armLate() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if due := a.due.Load(); due != 0 && !a.gone {
		a.arm(due)
	}
}

// at is when the post looks at what is due; 0 if nothing is.
func (p *post) at(due int64) int64 {
	if due != 0 && p.posts.leader.Load() != p.index {
		due += int64(behind)
	}
	return due
}

// arm sets the timer for an instant, in nanoseconds since opened; 0 stops it. It cannot fail: the descriptor is a timerfd and the time is in
// range. Whoever loses its processor in the middle is not too late, as it would be with a span of time.
func (p *post) arm(at int64) {
	var spec [2]syscall.Timespec
	if at != 0 {
		spec[1] = syscall.NsecToTimespec(p.posts.origin + at)
	}
	_, _, _ = syscall.RawSyscall6(syscall.SYS_TIMERFD_SETTIME, p.fd, unix.TFD_TIMER_ABSTIME, uintptr(unsafe.Pointer(&spec)), 0, 0, 0)
}
