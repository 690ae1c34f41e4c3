package linux

import (
	"math/bits"
	"strings"
	"syscall"
)

// A judge tells a silent chip from a dead bus. One errno does not: a bcm2835 and a designware adapter report a held SDA as a missing
// acknowledge, and a CP2112 reports a missing acknowledge as a time-out. What happens next does: when chips that have answered fall
// silent one after the other, with no answer in between, it is the bus.
type judge struct {
	mute   bool // the adapter reports a missing acknowledge as a time-out
	known  addressSet
	silent addressSet // since the last answer
}

// suspects is how many chips must be silent in a row.
const suspects = 2

// answered notes a transaction that succeeded.
func (j *judge) answered(addr uint16) {
	j.known.add(addr)
	j.silent = addressSet{}
}

// failed turns the kernel's errno into one of those that hardware.CauseOfErrno knows, where it means the same.
func (j *judge) failed(addr uint16, errno syscall.Errno) syscall.Errno {
	switch errno {
	case syscall.ENODEV, syscall.ESHUTDOWN, syscall.ENOENT, syscall.EBADF:
		return syscall.ENODEV
	case syscall.EAGAIN, syscall.EINTR: // arbitration lost; a signal came: not the chip's doing
		return syscall.EAGAIN
	case syscall.EREMOTEIO, syscall.ENXIO, syscall.EIO:
		return j.unanswered(addr, syscall.EREMOTEIO)
	case syscall.ETIMEDOUT:
		if j.mute {
			return j.unanswered(addr, syscall.EREMOTEIO)
		}
		return syscall.ETIMEDOUT
	case syscall.EBUSY: // SCL or SDA is held before the start
		return syscall.ETIMEDOUT
	}
	return errno
}

// unanswered is one, or ETIMEDOUT if addr is not the only chip that fell silent.
func (j *judge) unanswered(addr uint16, one syscall.Errno) syscall.Errno {
	if j.known.has(addr) || j.mute && j.known.size() == 0 {
		j.silent.add(addr)
	}
	if j.silent.has(addr) && j.silent.size() >= suspects {
		return syscall.ETIMEDOUT
	}
	return one
}

// mute reports whether the adapter of that kernel name cannot report a missing acknowledge.
func mute(adapter string) bool { return strings.HasPrefix(adapter, "CP2112") }

// An addressSet is a set of addresses of seven bits.
type addressSet [addresses / 64]uint64

func (s *addressSet) add(a uint16)      { s[a/64] |= 1 << (a % 64) }
func (s *addressSet) has(a uint16) bool { return s[a/64]&(1<<(a%64)) != 0 }

func (s *addressSet) size() int { return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) }
