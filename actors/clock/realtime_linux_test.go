package clock

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// schedResetOnFork is in the policy of a thread whose children are normal threads (sched_setscheduler(2)).
const schedResetOnFork = 0x40000000

// realtimeThreads lists the real-time threads of this process.
func realtimeThreads(t *testing.T) (all []int) {
	t.Helper()
	names, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		tid, _ := strconv.Atoi(name.Name())
		if policy, _, errno := syscall.RawSyscall(syscall.SYS_SCHED_GETSCHEDULER, uintptr(tid), 0, 0); errno == 0 && policy&^schedResetOnFork != unix.SCHED_NORMAL {
			all = append(all, tid)
			if policy&schedResetOnFork == 0 {
				t.Errorf("threads that thread %d begets are real-time threads too", tid)
			}
		}
	}
	return all
}

// One thread is a real-time thread, if that is permitted, and it runs nothing of a tick: not the tick itself, whatever that starts, and not
// what comes afterwards. It is a normal one again when the pacer ends.
func TestOnlyWaitingThreadIsRealTime(t *testing.T) {
	var over atomic.Bool
	defer over.Store(true)
	ticks := make(chan []int, 8)
	mine := func() []int { // what is on a real-time thread there
		if policy, _, _ := syscall.RawSyscall(syscall.SYS_SCHED_GETSCHEDULER, 0, 0, 0); policy&^schedResetOnFork != unix.SCHED_NORMAL {
			t.Error("a tick runs on a real-time thread")
		}
		return realtimeThreads(t)
	}
	var p *Pacer
	p = NewPacer(Live{Realtime: true}, "p", 2*time.Millisecond, func(tick *Tick) {
		p.Post(func() { // what the tick does
			for range 4 {
				go func() { // also threads that are made because of this one
					for !over.Load() {
					}
				}()
			}
			ticks <- mine()
		})
		if tick.N == 4 {
			over.Store(true)
		}
	})
	threads := 1
	if err := p.Realtime(); err != nil {
		if threads = 0; !errors.Is(err, syscall.EPERM) || !strings.Contains(err.Error(), "CAP_SYS_NICE") {
			t.Errorf("no real-time thread: %v", err)
		}
	}
	p.Start()
	for range 4 {
		if all := <-ticks; len(all) != threads {
			t.Errorf("threads %v are real-time threads while a tick runs, want %d", all, threads)
		}
	}
	p.Stop()
	p.Post(func() { ticks <- mine() })
	for all := range ticks { // ticks that were posted before the stop, then the newest
		if len(all) != threads {
			t.Errorf("threads %v are real-time threads after the stop, want %d", all, threads)
		}
		if len(ticks) == 0 {
			break
		}
	}
	p.Close()
	for len(realtimeThreads(t)) > 0 { // the waiter ends with the pacer's goroutine, which nobody waits for
		<-time.After(time.Millisecond)
	}
}

// A pacer that waits is a real-time thread, exactly if it says so.
func TestPacerSaysWhetherItIsRealTime(t *testing.T) {
	p := NewPacer(Live{Realtime: true}, "p", time.Hour, func(*Tick) {})
	defer p.Close()
	p.Start()
	if p.Realtime() != nil {
		if all := realtimeThreads(t); len(all) > 0 {
			t.Errorf("threads %v are real-time threads, and the pacer says: %v", all, p.Realtime())
		}
		return
	}
	for len(realtimeThreads(t)) != 1 { // until it waits for its second tick
		<-time.After(time.Millisecond)
	}
}

// A pacer that nobody asked for a real-time thread has none.
func TestPacerIsNotRealTimeUnasked(t *testing.T) {
	p := NewPacer(Live{}, "p", time.Hour, func(*Tick) {})
	defer p.Close()
	if _, thread := p.wait.(*threadWaiter); thread || p.Realtime() == nil {
		t.Errorf("waits on %T, %v", p.wait, p.Realtime())
	}
}
