package linux

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// A SerialConfig tells which serial port a part is on.
type SerialConfig struct {
	Name   string
	Device string // "/dev/serial0", "/dev/ttyUSB0"
	Baud   int    // 0 means 115200
}

// bauds are the speeds that a port can have.
var bauds = map[int]uint32{
	1200: unix.B1200, 2400: unix.B2400, 4800: unix.B4800, 9600: unix.B9600, 19200: unix.B19200, 38400: unix.B38400,
	57600: unix.B57600, 115200: unix.B115200, 230400: unix.B230400, 460800: unix.B460800, 500000: unix.B500000,
	921600: unix.B921600, 1000000: unix.B1000000, 2000000: unix.B2000000, 4000000: unix.B4000000,
}

// Serial is a serial port: eight bits, no parity, one stop bit, no flow control, every byte as it is. It is a [hardware.Serial], whose
// calls never wait; those of its File do, until a deadline or Close.
type Serial struct {
	*os.File
	name string
	raw  syscall.RawConn
}

// Read takes what has come.
func (s *Serial) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	n, err := once(s.raw.Read, unix.Read, p)
	if n == 0 && err == nil { // the end of a file: nobody is at the other end any more
		err = syscall.EIO
	}
	return s.result("read", n, err)
}

// Write gives what the kernel has room for.
func (s *Serial) Write(p []byte) (int, error) {
	n, err := once(s.raw.Write, unix.Write, p)
	return s.result("write", n, err)
}

// once makes one system call on a port that does not block.
func once(on func(func(fd uintptr) bool) error, call func(fd int, p []byte) (int, error), p []byte) (n int, err error) {
	closed := on(func(fd uintptr) bool {
		for {
			if n, err = call(int(fd), p); !errors.Is(err, syscall.EINTR) {
				return true
			}
		}
	})
	return max(n, 0), errors.Join(closed, err)
}

// result makes of an errno what hardware.Serial promises: no byte is no error, and whatever else fails is a port that is gone.
func (s *Serial) result(op string, n int, err error) (int, error) {
	switch {
	case err == nil, errors.Is(err, syscall.EAGAIN):
		return n, nil
	case errors.Is(err, os.ErrClosed):
		return n, err
	}
	return n, fmt.Errorf("port %s: %s: %v: %w", s.name, op, err, syscall.ENODEV) //nolint:errorlint // whatever it was, the port is gone
}

// OpenSerial opens the port for this process alone and drops what was received before.
func OpenSerial(conf SerialConfig) (*Serial, error) {
	baud := conf.Baud
	if baud == 0 {
		baud = 115200
	}
	speed, ok := bauds[baud]
	if !ok {
		return nil, fmt.Errorf("port %s: %d baud is not a speed; the nearest is %d: %w", conf.Name, baud, nearest(baud), syscall.EINVAL)
	}
	fd, err := unix.Open(conf.Device, unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("port %s: open %s: %w", conf.Name, conf.Device, err)
	}
	if err := raw(fd, speed); err != nil {
		_ = unix.Close(fd)
		if errors.Is(err, syscall.ENOTTY) {
			return nil, fmt.Errorf("port %s: %s is no serial port: %w", conf.Name, conf.Device, err)
		}
		return nil, fmt.Errorf("port %s: set up %s: %w", conf.Name, conf.Device, err)
	}
	file := os.NewFile(uintptr(fd), conf.Device)
	conn, err := file.SyscallConn()
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("port %s: %w", conf.Name, err)
	}
	return &Serial{file, conf.Name, conn}, nil
}

// raw sets the port up.
func raw(fd int, speed uint32) error {
	t, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		return err
	}
	t.Iflag, t.Oflag, t.Lflag = 0, 0, 0
	t.Cflag = unix.CS8 | unix.CREAD | unix.CLOCAL | speed
	t.Ispeed, t.Ospeed = speed, speed
	t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(fd, unix.TCSETS, t); err != nil {
		return err
	}
	if err := unix.IoctlSetInt(fd, unix.TIOCEXCL, 0); err != nil {
		return err
	}
	return unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIOFLUSH)
}

// nearest is the speed that differs least from baud.
func nearest(baud int) int {
	best := 115200
	for b := range bauds {
		if d, old := distance(b, baud), distance(best, baud); d < old || d == old && b < best {
			best = b
		}
	}
	return best
}

func distance(a, b int) int { return max(a-b, b-a) }

// usable is why this process may not read and write the node, 0 if it may.
func usable(node string) syscall.Errno {
	return errnoOf(unix.Faccessat(unix.AT_FDCWD, node, unix.R_OK|unix.W_OK, unix.AT_EACCESS))
}
