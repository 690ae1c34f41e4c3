package emul

import (
	"math/rand/v2"
	"syscall"
	"time"
)

// A Fault is the set of faults of one address. The zero value is a healthy chip. Writes reach the chip unless the
// transaction fails; Freeze, Garbage, WrongID and AllOnes damage only the bytes that are read.
//
// If several apply, the first of this order decides the outcome: Unplugged, Stuck or Latency from the adapter's time-out on, Absent,
// NackNext, NackP; and the first of this order the data: AllOnes, Garbage, WrongID, Freeze.
type Fault struct {
	// NackP is the probability, 0 to 1, that a transaction is not acknowledged.
	NackP float64
	// NackNext is the number of coming transactions that are not acknowledged.
	NackNext int
	// Absent: no chip answers. Stuck: the chip holds the bus, the adapter times out. Unplugged: ENODEV.
	Absent, Stuck, Unplugged bool
	// Freeze: a read repeats the last answer to the same read (same register, same length). A register that is read for
	// the first time, or was written since, answers correctly once and then repeats that. Ready bits in a register of
	// their own keep working, so that a frozen chip still delivers data. Class H.
	Freeze bool
	// Garbage: every data byte read is random.
	Garbage bool
	// AllOnes: every data byte read is 0xFF.
	AllOnes bool
	// WrongID: identity registers name a chip that none of our drivers accepts; a chip without identity reads all ones.
	WrongID bool
	// Latency stretches a transaction, and all others wait. From the adapter's time-out on it gives up (ETIMEDOUT).
	Latency time.Duration
	// Until ends the fault; zero means that it stays until replaced. Without any clock it stays too.
	Until time.Time
}

// damage is what happens to the bytes read.
type damage uint8

const (
	sound damage = iota
	frozen
	wrongID
	garbage
	allOnes
)

// A slot is one address of the bus. All fields are guarded by the bus.
type slot struct {
	chip   Chip
	sound  Chip // chip, if it has no fault
	fault  Fault
	faulty bool // fault is not zero
	rng    *rand.Rand
	memory memory
}

// A verdict is the outcome of one transaction.
type verdict struct {
	errno   syscall.Errno // 0 = the transaction reaches the chip
	latency time.Duration
	damage  damage
}

// judge decides the outcome of one transaction at now (zero if unknown) of an adapter with a time-out, and uses up one-time faults.
func (s *slot) judge(now time.Time, timeout time.Duration) verdict {
	if !s.faulty {
		return verdict{}
	}
	f := &s.fault
	if !f.Until.IsZero() && !now.IsZero() && !now.Before(f.Until) {
		s.setFault(Fault{})
		return verdict{}
	}
	v := verdict{latency: f.Latency}
	switch {
	case f.Unplugged:
		return verdict{errno: syscall.ENODEV}
	case f.Stuck, f.Latency >= timeout:
		return verdict{errno: syscall.ETIMEDOUT}
	case f.Absent:
		v.errno = syscall.EREMOTEIO
	case f.NackNext > 0:
		f.NackNext--
		v.errno = syscall.EREMOTEIO
	case f.NackP > 0 && s.rng.Float64() < f.NackP:
		v.errno = syscall.EREMOTEIO
	}
	switch {
	case f.AllOnes:
		v.damage = allOnes
	case f.Garbage:
		v.damage = garbage
	case f.WrongID:
		v.damage = wrongID
	case f.Freeze:
		v.damage = frozen
	}
	return v
}

func (s *slot) setFault(f Fault) {
	s.fault = f
	s.faulty = f != Fault{}
	s.arrange()
}

// arrange lets transactions reach a chip without a fault at once.
func (s *slot) arrange() {
	s.sound = nil
	if !s.faulty {
		s.sound = s.chip
	}
}

// finish damages the bytes just read from c, and remembers undamaged ones for a later freeze.
func (s *slot) finish(c Chip, d damage, w, r []byte) {
	if d == sound {
		s.memory.answered(w, r)
		return
	}
	s.memory.answered(w, nil)
	if len(r) == 0 {
		return
	}
	reg := s.memory.reg
	switch d {
	case allOnes:
		fill(r, 0xFF)
	case garbage:
		for i := range r {
			r[i] = byte(s.rng.Uint32())
		}
	case wrongID:
		impersonate(c, reg, r)
	case frozen:
		if a, ok := c.(alive); ok && a.alive(reg) {
			return
		}
		if old := s.memory.recall(reg, len(r)); old != nil {
			copy(r, old)
			return
		}
		s.memory.remember(r)
	}
}

// identified is a chip that has identity registers. foreignID returns the value that another chip would have in one.
type identified interface {
	foreignID(reg byte) (byte, bool)
}

// alive is a chip with ready registers that a freeze does not touch.
type alive interface {
	alive(reg byte) bool
}

// impersonate replaces the identity bytes of a read that began at reg.
func impersonate(c Chip, reg byte, r []byte) {
	id, ok := c.(identified)
	if !ok {
		fill(r, 0xFF)
		return
	}
	for i := range r {
		if v, ok := id.foreignID(reg + byte(i)); ok {
			r[i] = v
		}
	}
}

func fill(b []byte, v byte) {
	for i := range b {
		b[i] = v
	}
}
