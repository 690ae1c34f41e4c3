package linux

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Of linux/i2c.h and linux/i2c-dev.h.
const (
	i2cRetries = 0x701
	i2cTimeout = 0x702 // in units of 10 ms
	i2cFuncs   = 0x705
	i2cRdwr    = 0x707

	flagRead = 0x0001
	funcI2C  = 0x1
)

// message is struct i2c_msg.
type message struct {
	addr, flags, len uint16
	buf              *byte
}

// transfer is struct i2c_rdwr_ioctl_data with its messages.
type transfer struct {
	data struct {
		messages *message
		count    uint32
	}
	messages [2]message
}

// fill sets up the messages. A transaction without data is a write of no bytes.
func (t *transfer) fill(addr uint16, w, r []byte) *transfer {
	n := 0
	if len(w) > 0 || len(r) == 0 {
		t.messages[n] = message{addr: addr, len: uint16(len(w)), buf: unsafe.SliceData(w)}
		n++
	}
	if len(r) > 0 {
		t.messages[n] = message{addr: addr, flags: flagRead, len: uint16(len(r)), buf: unsafe.SliceData(r)}
		n++
	}
	t.data.messages, t.data.count = &t.messages[0], uint32(n)
	return t
}

// forget lets the buffers go.
func (t *transfer) forget() { t.messages = [2]message{} }

// A kernel does the system calls of a bus.
type kernel interface {
	open(path string) (fd int, errno syscall.Errno)
	close(fd int)
	funcs(fd int) (uint64, syscall.Errno)
	timeout(fd int, d time.Duration) syscall.Errno
	transfer(fd int, t *transfer) syscall.Errno
	// present reports whether path is still the node that fd was opened from.
	present(path string, fd int) bool
	// name is the kernel's name of the adapter at path, "" if there is none.
	name(path string) string
	// clock is the speed in Hz that the device tree asks for.
	clock(path string) (uint32, bool)
	// list returns the nodes of all adapters, in the order of their numbers.
	list() []string
}

// devI2C is the real kernel.
type devI2C struct{}

func (devI2C) open(path string) (int, syscall.Errno) {
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_CLOEXEC, 0)
	return fd, errnoOf(err)
}

func (devI2C) close(fd int) { _ = unix.Close(fd) }

func (devI2C) funcs(fd int) (uint64, syscall.Errno) {
	var f uint // a C unsigned long
	errno := ioctl(fd, i2cFuncs, unsafe.Pointer(&f))
	return uint64(f), errno
}

// timeout bounds a transaction. The core repeats one that lost arbitration, and only within that time.
func (devI2C) timeout(fd int, d time.Duration) syscall.Errno {
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), i2cTimeout, uintptr((d+10*time.Millisecond-1)/(10*time.Millisecond)))
	return errno
}

func (devI2C) transfer(fd int, t *transfer) syscall.Errno {
	return ioctl(fd, i2cRdwr, unsafe.Pointer(&t.data))
}

func (devI2C) present(path string, fd int) bool {
	var node, open unix.Stat_t
	return unix.Stat(path, &node) == nil && unix.Fstat(fd, &open) == nil && node.Rdev == open.Rdev && node.Ino == open.Ino
}

func (devI2C) name(path string) string {
	b, err := os.ReadFile(filepath.Join(sysI2C(path), "name"))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

func (devI2C) clock(path string) (uint32, bool) {
	b, err := os.ReadFile(filepath.Join(sysI2C(path), "of_node", "clock-frequency"))
	if err != nil || len(b) != 4 {
		return 0, false
	}
	return binary.BigEndian.Uint32(b), true
}

func (devI2C) list() []string {
	paths, _ := filepath.Glob("/dev/i2c-[0-9]*") // the pattern is right
	slices.SortFunc(paths, func(a, b string) int { return number(a) - number(b) })
	return paths
}

// sysI2C is the folder of the adapter at path in sysfs.
func sysI2C(path string) string { return filepath.Join("/sys/bus/i2c/devices", filepath.Base(path)) }

// number is the last number of a path, -1 if there is none.
func number(path string) int {
	n, err := strconv.Atoi(path[strings.LastIndexByte(path, '-')+1:])
	if err != nil {
		return -1
	}
	return n
}

func ioctl(fd int, request uintptr, arg unsafe.Pointer) syscall.Errno {
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), request, uintptr(arg))
	return errno
}

// errnoOf is the errno inside an error of package unix.
func errnoOf(err error) syscall.Errno {
	var errno syscall.Errno
	if err != nil && !errors.As(err, &errno) {
		return syscall.EIO
	}
	return errno
}

// matches reports whether an adapter's or chip's name is the wanted one or begins with it.
func matches(name, want string) bool { return name != "" && strings.HasPrefix(name, want) }

// among lists what there is instead, for an error.
func among(seen []string) string {
	if len(seen) == 0 {
		return "; there is none at all"
	}
	return "; " + strings.Join(seen, ", ")
}
