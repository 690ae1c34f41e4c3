package linux

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminal returns the far end of a pseudo terminal and the node of the near one.
func terminal(t *testing.T) (*os.File, string) {
	t.Helper()
	far, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { far.Close() })
	if err := unix.IoctlSetPointerInt(int(far.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(far.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	return far, fmt.Sprintf("/dev/pts/%d", n)
}

func TestSerialPortPassesEveryByteAsItIs(t *testing.T) {
	far, node := terminal(t)
	p, err := OpenSerial(SerialConfig{Name: "chassis", Device: node})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i) // with CR, LF, Ctrl-C, XON and XOFF
	}
	for _, way := range []struct {
		name     string
		from, to *os.File
	}{{"out", p.File, far}, {"in", far, p.File}} {
		go way.from.Write(all)
		got := make([]byte, 0, 256)
		for buf := make([]byte, 256); len(got) < 256; {
			n, err := way.to.Read(buf)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, buf[:n]...)
		}
		if string(got) != string(all) {
			t.Errorf("%s: % x", way.name, got)
		}
	}
}

func TestSerialReadEndsAtItsDeadlineAndAtClose(t *testing.T) {
	_, node := terminal(t)
	p, err := OpenSerial(SerialConfig{Name: "chassis", Device: node})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.SetReadDeadline(time.Now().Add(time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if _, err := p.File.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("after the deadline: %v", err)
	}
	if err := p.SetReadDeadline(time.Time{}); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		_, err := p.File.Read(make([]byte, 1))
		done <- err
	}()
	p.Close()
	if err := <-done; !errors.Is(err, os.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

func TestSerialPortHasTheSpeedItWasAskedFor(t *testing.T) {
	_, node := terminal(t)
	for baud, want := range map[int]uint32{0: unix.B115200, 9600: unix.B9600, 230400: unix.B230400} { // those that qemu-user knows, too
		p, err := OpenSerial(SerialConfig{Name: "chassis", Device: node, Baud: baud})
		if err != nil {
			t.Fatal(err)
		}
		c, err := p.SyscallConn()
		if err != nil {
			t.Fatal(err)
		}
		c.Control(func(fd uintptr) {
			set, err := unix.IoctlGetTermios(int(fd), unix.TCGETS)
			if err != nil || set.Cflag&unix.CBAUD != want || set.Cflag&unix.CSIZE != unix.CS8 || set.Cflag&(unix.PARENB|unix.CSTOPB|unix.CRTSCTS) != 0 {
				t.Errorf("%d baud: %+v, %v", baud, set, err)
			}
		})
		p.Close()
	}
}

func TestPortThatCannotBeUsedIsRefusedWithTheReason(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		conf SerialConfig
		want string
	}{
		{SerialConfig{Device: "/dev/nowhere"}, "port chassis: open /dev/nowhere: no such file or directory"},
		{SerialConfig{Device: plain}, "port chassis: " + plain + " is no serial port: inappropriate ioctl for device"},
		{SerialConfig{Device: plain, Baud: 100000}, "port chassis: 100000 baud is not a speed; the nearest is 115200: invalid argument"},
	} {
		c.conf.Name = "chassis"
		if _, err := OpenSerial(c.conf); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	if _, err := OpenSPI(SPIConfig{Name: "face", Bus: 9, Select: 1}); err == nil || err.Error() != "port face: open /dev/spidev9.1: no such file or directory" || !errors.Is(err, syscall.ENOENT) {
		t.Error(err)
	}
}
