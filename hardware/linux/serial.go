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

// Serial is a serial port: eight bits, no parity, one stop bit, no flow control, every byte as it is. Its calls never wait: Read takes the
// bytes that have come, none with a nil error if nothing has, and Write as many as the kernel has room for. When the port is gone both fail with
// ENODEV, for good. It has one owner.
type Serial struct {
	name string
	fd   int // -1 after Close
	gone bool
}

// Read takes the bytes that have come.
func (s *Serial) Read(b []byte) (int, error) {
	if err := s.usable("read"); err != nil || len(b) == 0 {
		return 0, err
	}
	n, err := unix.Read(s.fd, b)
	if n == 0 && err == nil { // hung up
		err = unix.EIO
	}
	return s.moved("read", n, err)
}

// Write hands over as much of b as there is room for.
func (s *Serial) Write(b []byte) (int, error) {
	if err := s.usable("write"); err != nil || len(b) == 0 {
		return 0, err
	}
	n, err := unix.Write(s.fd, b)
	return s.moved("write", n, err)
}

// moved turns the outcome of a system call into that of the port: a port that cannot be read or written has gone.
func (s *Serial) moved(op string, n int, err error) (int, error) {
	switch errnoOf(err) {
	case 0:
		return n, nil
	case unix.EAGAIN, unix.EINTR:
		return 0, nil
	}
	s.gone = true
	return 0, s.usable(op)
}

func (s *Serial) usable(op string) error {
	switch {
	case s.fd < 0:
		return fmt.Errorf("port %s: %s: %w", s.name, op, os.ErrClosed)
	case s.gone:
		return fmt.Errorf("port %s: %s: %w", s.name, op, syscall.ENODEV)
	}
	return nil
}

// Close closes the port. Closing twice does nothing.
func (s *Serial) Close() error {
	if s.fd >= 0 {
		unix.Close(s.fd)
		s.fd = -1
	}
	return nil
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
		unix.Close(fd)
		if errors.Is(err, syscall.ENOTTY) {
			return nil, fmt.Errorf("port %s: %s is no serial port: %w", conf.Name, conf.Device, err)
		}
		return nil, fmt.Errorf("port %s: set up %s: %w", conf.Name, conf.Device, err)
	}
	return &Serial{name: conf.Name, fd: fd}, nil
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
