package clock

import (
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const moment = 5 * time.Millisecond

// A lookedAt counts the glances of a lookout.
type lookedAt struct {
	*posts
	glances chan time.Time
	ring    func() // what the next glance returns
}

// lookAt makes a lookout. The first glance at what begins is due after a moment.
func lookAt(t *testing.T, ring func()) *lookedAt {
	t.Helper()
	l := &lookedAt{glances: make(chan time.Time, 100), ring: ring}
	made := NewLookout(moment, func() (time.Duration, func()) {
		l.glances <- time.Now()
		return time.Hour, l.ring
	}, func() { t.Error("rang without a post") })
	posts, ok := made.(*posts)
	if !ok {
		t.Fatal("no two processors to choose from")
	}
	l.posts = posts
	return l
}

// begin begins something long after the one before, or soon after it.
func (l *lookedAt) begin(seldom bool) time.Time {
	now := time.Now()
	l.begun = now.Sub(l.opened)
	if seldom {
		l.begun = -time.Hour
	}
	l.Begin(now)
	return now
}

// next is the first glance after begin: the other post may have glanced late at what was before.
func (l *lookedAt) next(begin time.Time) time.Time {
	at := <-l.glances
	for at.Before(begin) {
		at = <-l.glances
	}
	return at
}

func TestLookoutGlancesAMomentAfterTheBegin(t *testing.T) {
	for name, seldom := range map[string]bool{"soon after another": false, "long after another": true} {
		t.Run(name, func(t *testing.T) {
			l := lookAt(t, nil)
			defer l.Close()
			for range 3 {
				begin := l.begin(seldom)
				if d := l.next(begin).Sub(begin); d < moment-early {
					t.Errorf("after %v", d)
				}
				l.Stop()
			}
		})
	}
}

// Nothing is looked at after Stop, and Set makes up for what was set before.
func TestLookoutGlancesWhenItWasSetLast(t *testing.T) {
	for name, seldom := range map[string]bool{"soon after another": false, "long after another": true} {
		t.Run(name, func(t *testing.T) {
			l := lookAt(t, nil)
			defer l.Close()
			l.begin(seldom)
			l.Stop()
			begin := l.begin(seldom)
			l.Set(time.Hour)
			l.Set(2 * moment)
			if d := l.next(begin).Sub(begin); d < 2*moment-early {
				t.Errorf("after %v", d)
			}
			l.Stop()
		})
	}
}

// What a glance asks for comes, from either post.
func TestLookoutGlancesAsOftenAsAGlanceAsks(t *testing.T) {
	glances := make(chan struct{}, 100)
	l := NewLookout(moment, func() (time.Duration, func()) {
		glances <- struct{}{}
		return time.Millisecond, nil
	}, nil)
	defer l.Close()
	for _, leader := range []int32{0, 1} {
		l.Begin(time.Now())
		l.(*posts).leader.Store(leader)
		for range 5 {
			<-glances
		}
		l.Stop()
	}
}

// While one post rings, the other one looks; when both ring, or with the next begin, others are in their places. Whoever comes back then
// ends.
func TestLookoutLooksOnWhileItRings(t *testing.T) {
	for name, between := range map[string]func(l *lookedAt){
		"in the same": func(*lookedAt) {}, "in the next": func(l *lookedAt) { l.Stop(); l.Begin(time.Now()) },
	} {
		t.Run(name, func(t *testing.T) {
			rings, release := make(chan struct{}, 10), make(chan struct{})
			l := lookAt(t, func() {
				rings <- struct{}{}
				<-release
			})
			defer l.Close()
			for n := range 6 {
				l.Set(1)
				<-l.glances
				<-rings
				if n == 2 {
					between(l)
				}
			}
			close(release)
		})
	}
}

// A post that loses its processor before it has set the timers anew does not keep the other one from looking.
func TestLookoutLooksOnWithoutTheOtherPost(t *testing.T) {
	l := lookAt(t, nil)
	defer l.Close()
	for _, leader := range []int32{0, 1} {
		l.leader.Store(leader)
		for _, p := range l.posts.posts { // as a post leaves it that has glanced and has not gone on
			l.due.Store(int64(l.now() + moment))
			begin := time.Now()
			p.arm(1)
			if d := l.next(begin).Sub(begin); d < moment-time.Millisecond {
				t.Errorf("after %v", d)
			}
			l.Stop()
		}
	}
}

// The timers are those of somebody else once the lookout is closed.
func TestLookoutThatIsClosedTouchesNoTimer(t *testing.T) {
	l := lookAt(t, nil)
	l.Close()
	fd, _, errno := syscall.Syscall(syscall.SYS_TIMERFD_CREATE, clockMonotonic, tfdNonblock|tfdCloexec, 0)
	if errno != 0 {
		t.Fatal(errno)
	}
	other := &post{posts: l.posts, fd: fd}
	defer func() { _ = syscall.Close(int(fd)) }()
	other.arm(int64(l.now() + time.Hour))
	for _, p := range l.posts.posts {
		p.fd = fd
	}
	for what, do := range map[string]func(){
		"an alarm": l.armLate, "Set": func() { l.Set(moment) }, "Begin": func() { l.begin(true) }, "Stop": func() { l.begin(true); l.Stop() }, "Close": l.Close,
		"an alarm of Begin": func() { l.begin(false); l.armLate() },
	} {
		do()
		var spec [2]syscall.Timespec
		if _, _, errno := syscall.Syscall(unix.SYS_TIMERFD_GETTIME, fd, uintptr(unsafe.Pointer(&spec)), 0); errno != 0 {
			t.Fatal(errno)
		}
		if spec[1].Sec < 3000 {
			t.Errorf("%s: the timer expires in %v", what, spec[1])
		}
	}
}

// A lookout that is closed while a post rings does not wait for it.
func TestLookoutClosesWhileItRings(t *testing.T) {
	rings, release := make(chan struct{}, 1), make(chan struct{})
	var rang atomic.Bool
	l := NewLookout(moment, func() (time.Duration, func()) {
		if rang.Swap(true) {
			return time.Hour, nil
		}
		return 0, func() {
			rings <- struct{}{}
			<-release
		}
	}, nil)
	l.Set(1)
	<-rings
	l.Close()
	close(release)
}

// While one post rings, the other one leads.
func TestPostThatIsLeftLeads(t *testing.T) {
	rings, release := make(chan struct{}, 1), make(chan struct{})
	l := lookAt(t, func() {
		rings <- struct{}{}
		<-release
	})
	defer l.Close()
	l.Set(1)
	<-rings
	l.Set(time.Hour)
	for _, p := range l.posts.posts {
		if away := p.shift.Load()%2 == 1; away == (l.leader.Load() == p.index) {
			t.Errorf("post %d leads: %t, and is away: %t", p.index, !away, away)
		}
	}
	close(release)
}

// Each post is on a processor of its own, and whoever rings may run anywhere again.
func TestPostsAreBoundToProcessorsAsLongAsTheyWait(t *testing.T) {
	var all unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		t.Fatal(err)
	}
	at := func() (s unix.CPUSet) {
		if err := unix.SchedGetaffinity(0, &s); err != nil {
			t.Error(err)
		}
		return s
	}
	type place struct{ glances, rings unix.CPUSet }
	places := make(chan place, 100_000)
	l := NewLookout(moment, func() (time.Duration, func()) {
		glances := at()
		return 0, func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			places <- place{glances, at()}
		}
	}, nil).(*posts)
	defer l.Close()
	for i, p := range l.posts {
		l.leader.Store(int32(i))
		for n, done := 1, false; !done; n++ { // on a loaded machine the other one may be faster
			l.Set(1)
			at := <-places
			l.Stop()
			done = at.glances.IsSet(p.processor)
			if at.glances.Count() != 1 || at.rings != all || n == 10_000 {
				t.Fatalf("glances at %v, rings at %v", at.glances, at.rings)
			}
		}
	}
	if l.posts[0].processor == l.posts[1].processor {
		t.Errorf("both on processor %d", l.posts[0].processor)
	}
}

// The post leads that is not on the processor of whoever begins.
func TestPostOfAnotherProcessorLeads(t *testing.T) {
	l := lookAt(t, nil)
	defer l.Close()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.SchedSetaffinity(0, &before) }()
	for i, p := range l.posts.posts {
		var own unix.CPUSet
		own.Set(p.processor)
		if err := unix.SchedSetaffinity(0, &own); err != nil {
			t.Fatal(err)
		}
		l.begin(true)
		if leader := l.leader.Load(); leader == int32(i) {
			t.Errorf("the post of processor %d leads there", p.processor)
		}
		l.Stop()
	}
}

// On one processor, a lookout is made of alarms.
func TestLookoutOfOneProcessorIsMadeOfAlarms(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		t.Fatal(err)
	}
	for i := 0; one.Count() == 0; i++ {
		if before.IsSet(i) {
			one.Set(i)
		}
	}
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		t.Fatal(err)
	}
	rings := make(chan struct{}, 10)
	l := NewLookout(time.Millisecond, nil, func() { rings <- struct{}{} })
	if err := unix.SchedSetaffinity(0, &before); err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, ok := l.(*alarms); !ok {
		t.Fatalf("%T", l)
	}
	l.Begin(time.Now())
	<-rings
	l.Set(1)
	<-rings
	l.Set(time.Hour)
	l.Stop()
}
