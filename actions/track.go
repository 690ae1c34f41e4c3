package actions

import (
	"math/bits"
	"slices"
	"strings"
)

// Tracks is a set of body parts that at most one action may use at a time.
type Tracks uint8

// The tracks.
const (
	Head     Tracks = 0x01 // head servo
	Lift     Tracks = 0x02 // lift servo
	Body     Tracks = 0x04 // wheels
	Face     Tracks = 0x08 // display
	Event    Tracks = 0x10 // animation events
	Backpack Tracks = 0x20 // back lights
	Audio    Tracks = 0x40 // speaker
	All      Tracks = 0xFF

	// named are the tracks that exist; the top bit of All has no name.
	named = All >> 1
	// motors are the tracks whose actuators are stopped when a holder ends (RUN-13).
	motors = Head | Lift | Body
)

// trackCount is the number of named tracks.
const trackCount = 7

var trackNames = [trackCount]string{"HEAD", "LIFT", "BODY", "FACE", "EVENT", "BACKPACK", "AUDIO"}

// Names are the names of the tracks in t, by bit.
func (t Tracks) Names() []string {
	names := make([]string, 0, bits.OnesCount8(uint8(t)))
	for i, n := range trackNames {
		if t&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return names
}

func (t Tracks) String() string {
	if t == 0 {
		return "none"
	}
	return strings.Join(t.Names(), "+")
}

// ParseTracks reads names joined by "+"; "ALL" is every track and "none" the empty set.
func ParseTracks(s string) (Tracks, bool) {
	switch s {
	case "ALL":
		return All, true
	case "", "none":
		return 0, true
	}
	var t Tracks
	for name := range strings.SplitSeq(s, "+") {
		i := slices.Index(trackNames[:], name)
		if i < 0 {
			return 0, false
		}
		t |= 1 << i
	}
	return t, true
}

// A Locker gives a compound the locks for its children.
type Locker interface {
	// Lock takes all of t for who, or nothing: if any track is locked it names track and holders (TRK-2).
	Lock(who string, t Tracks) (holders string, ok bool)
	// Unlock gives back everything that who holds.
	Unlock(who string)
	// Mask is the set of locked tracks. Animations leave those out (TRK-8).
	Mask() Tracks
}

// A TrackTable records who locks what. Each track holds a multiset of names (TRK-1): an action's name and tag, or any
// other fixed name ("DirectDriveWheels", a behavior and its key). It is not safe for concurrent use.
type TrackTable struct {
	holders [trackCount][]string
	mask    Tracks
	changes uint64
}

// Lock adds a lock for who on every track of t, also if others hold it; a running action goes on (TRK-4). Locks of one
// holder are counted (TRK-5). Behaviors and direct drive use this.
func (l *TrackTable) Lock(who string, t Tracks) {
	l.changes++
	for i := range l.holders {
		if t&(1<<i) != 0 {
			l.holders[i] = append(l.holders[i], who)
			l.mask |= 1 << i
		}
	}
}

// TryLock locks all of t for who if every track of it is free, and otherwise nothing; then it names the occupied
// tracks and all their holders (TRK-2). Actions use this.
func (l *TrackTable) TryLock(who string, t Tracks) (holders string, ok bool) {
	if t&l.mask != 0 {
		return l.Who(t), false
	}
	l.Lock(who, t)
	return "", true
}

// Unlock removes every lock of who and returns the tracks that became free. Unlocking by a name that holds nothing
// is harmless (TRK-5).
func (l *TrackTable) Unlock(who string) Tracks {
	before := l.mask
	for i, h := range l.holders {
		l.set(i, slices.DeleteFunc(h, func(s string) bool { return s == who }))
	}
	return before &^ l.mask
}

// UnlockTracks removes one lock of who on each track of t and returns the tracks that became free (TRK-5).
func (l *TrackTable) UnlockTracks(who string, t Tracks) Tracks {
	before := l.mask
	for i, h := range l.holders {
		if t&(1<<i) == 0 {
			continue
		}
		if at := slices.Index(h, who); at >= 0 {
			l.set(i, slices.Delete(h, at, at+1))
		}
	}
	return before &^ l.mask
}

// UnlockAll removes every lock of every holder (TRK-7): the SDK lost control.
func (l *TrackTable) UnlockAll() {
	for i, h := range l.holders {
		l.set(i, h[:0])
	}
}

// set stores the holders of track i and keeps the mask true.
func (l *TrackTable) set(i int, h []string) {
	l.changes++
	l.holders[i] = h
	if len(h) == 0 {
		l.mask &^= 1 << i
	}
}

// Locked reports whether all of t are locked. The empty set is not (TRK-7).
func (l *TrackTable) Locked(t Tracks) bool { t &= named; return t != 0 && l.mask&t == t }

// AnyLocked reports whether at least one of t is locked.
func (l *TrackTable) AnyLocked(t Tracks) bool { return l.mask&t != 0 }

// Mask is the set of locked tracks. It changes exactly on the edges free to locked and back (TRK-6).
func (l *TrackTable) Mask() Tracks { return l.mask }

// Holds reports whether who has a lock on any track; holders with keys refuse a second lock by it (TRK-12).
func (l *TrackTable) Holds(who string) bool {
	for _, h := range l.holders {
		if slices.Contains(h, who) {
			return true
		}
	}
	return false
}

// Who is a text that names the locked tracks among t and their holders.
func (l *TrackTable) Who(t Tracks) string {
	var b strings.Builder
	for i, h := range l.holders {
		if t&(1<<i) == 0 || len(h) == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("; ")
		}
		b.WriteString(trackNames[i] + " held by " + strings.Join(sorted(h), ", "))
	}
	return b.String()
}

// A TrackHolders lists who locks one track, sorted.
type TrackHolders struct {
	Track   Tracks
	Name    string
	Holders []string
}

// Changes grows whenever the holders may have changed.
func (l *TrackTable) Changes() uint64 { return l.changes }

// Holders is a snapshot of every track, locked or not, by bit.
func (l *TrackTable) Holders() []TrackHolders {
	all := make([]TrackHolders, trackCount)
	for i, h := range l.holders {
		all[i] = TrackHolders{Track: 1 << i, Name: trackNames[i], Holders: sorted(h)}
	}
	return all
}

func sorted(names []string) []string {
	s := slices.Clone(names)
	slices.Sort(s)
	return s
}

// Needs is every track that an action or a part of it locks. It calls getters of the action, and a nil one needs none.
func Needs(a Action) Tracks {
	if a == nil {
		return 0
	}
	if n, ok := a.(Needer); ok {
		return a.Tracks() | n.Needs()
	}
	return a.Tracks()
}
