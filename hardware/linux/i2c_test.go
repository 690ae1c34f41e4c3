package linux

import (
	"errors"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/robotd/robotd/hardware"
)

// fakeKernel answers at the boundary of the system calls. Buses with chips on them are tested by hardware/ktest, on a real kernel.
type fakeKernel struct {
	names   map[string]string // kernel names by node
	openErr map[string]syscall.Errno
	noI2C   bool
	hz      uint32
	answer  func(addr uint16, m []message) syscall.Errno

	opens  []string // opened nodes in order
	closed int
	limit  time.Duration
}

func (k *fakeKernel) open(path string) (int, syscall.Errno) {
	if errno := k.openErr[path]; errno != 0 {
		return -1, errno
	}
	if _, ok := k.names[path]; !ok {
		return -1, syscall.ENOENT
	}
	k.opens = append(k.opens, path)
	return len(k.opens), 0
}
func (k *fakeKernel) close(int) { k.closed++ }
func (k *fakeKernel) funcs(int) (uint64, syscall.Errno) {
	if k.noI2C {
		return 0x0eff0008, 0
	}
	return 0x0eff0009, 0
}
func (k *fakeKernel) timeout(_ int, d time.Duration) syscall.Errno { k.limit = d; return 0 }
func (k *fakeKernel) transfer(_ int, t *transfer) syscall.Errno {
	return k.answer(t.messages[0].addr, t.messages[:t.data.count])
}
func (k *fakeKernel) present(path string, _ int) bool  { return k.names[path] != "" }
func (k *fakeKernel) name(path string) string          { return k.names[path] }
func (k *fakeKernel) clock(path string) (uint32, bool) { return k.hz, k.hz != 0 }
func (k *fakeKernel) list() (all []string) {
	for p := range k.names {
		all = append(all, p)
	}
	slices.Sort(all)
	return all
}

func pi() *fakeKernel {
	return &fakeKernel{names: map[string]string{"/dev/i2c-1": "bcm2835 (i2c@7e804000)"}, answer: func(uint16, []message) syscall.Errno { return 0 }}
}

func TestTransferIsOneMessageEachWay(t *testing.T) {
	k := pi()
	var got []string
	k.answer = func(addr uint16, m []message) syscall.Errno {
		s := ""
		for _, x := range m {
			s += " w"
			if x.flags == flagRead {
				s = s[:len(s)-1] + "r"
				unsafe.Slice(x.buf, x.len)[x.len-1] = 0x5a
			}
			s += string(rune('0' + x.len))
			if x.addr != addr {
				t.Errorf("addresses %#x and %#x in one transaction", addr, x.addr)
			}
		}
		got = append(got, s[1:])
		return 0
	}
	b, err := openI2C(I2CConfig{Name: "main", Device: "/dev/i2c-1"}, k)
	if err != nil {
		t.Fatal(err)
	}
	r := make([]byte, 2)
	for _, c := range [][2][]byte{{{1}, nil}, {nil, r}, {{1, 2, 3}, r}, {nil, nil}} {
		if err := b.Tx(0x40, c[0], c[1]); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"w1", "r2", "w3 r2", "w0"}; !slices.Equal(got, want) {
		t.Errorf("messages %q, want %q", got, want)
	}
	if r[1] != 0x5a {
		t.Errorf("read % x", r)
	}
	if st := b.Stats(); st.Transactions != 4 || st.Failed != 0 || st.Bytes != 2+3+7+1 {
		t.Errorf("stats %+v", st)
	}
}

func TestErrnoOfAdapterBecomesItsCause(t *testing.T) {
	for _, c := range []struct {
		errno syscall.Errno
		want  hardware.Cause
	}{
		{syscall.EREMOTEIO, hardware.CauseNack}, // bcm2835, designware: not acknowledged
		{syscall.ENXIO, hardware.CauseNack},     // i2c-gpio
		{syscall.EIO, hardware.CauseNack},       // bcm2835: clock stretched too long; i2c-gpio
		{syscall.EAGAIN, hardware.CauseNack},    // arbitration lost
		{syscall.EINTR, hardware.CauseNack},
		{syscall.ETIMEDOUT, hardware.CauseTimeout}, // bcm2835, designware: never ended
		{syscall.EBUSY, hardware.CauseTimeout},     // held before the start
		{syscall.ENODEV, hardware.CauseGone},
		{syscall.ESHUTDOWN, hardware.CauseGone}, // USB adapters while they go
		{syscall.EOPNOTSUPP, hardware.CauseOther},
		{syscall.EINVAL, hardware.CauseOther},
	} {
		k := pi()
		k.answer = func(uint16, []message) syscall.Errno { return c.errno }
		b, err := openI2C(I2CConfig{Name: "main", Device: "/dev/i2c-1"}, k)
		if err != nil {
			t.Fatal(err)
		}
		err = b.Tx(0x29, []byte{0}, nil)
		var be *hardware.BusError
		if !errors.As(err, &be) || be.Bus != "main" || be.Addr != 0x29 {
			t.Errorf("%v: %#v", c.errno, err)
			continue
		}
		if got := hardware.Classify(err); got != c.want {
			t.Errorf("%v is %s, want %s", c.errno, got, c.want)
		}
		if be.Err != c.errno && be.Kernel != c.errno {
			t.Errorf("%v: lost in %+v", c.errno, be)
		}
	}
}

// A step is a transaction with what the adapter reports and what must become of it.
type step struct {
	addr  uint16
	errno syscall.Errno
	want  syscall.Errno
}

func TestSilenceOfChipsInARowIsTheBus(t *testing.T) {
	const nack, late = syscall.EREMOTEIO, syscall.ETIMEDOUT
	for name, c := range map[string]struct {
		adapter string
		steps   []step
	}{
		"one chip leaves, the others answer": {"bcm2835 (i2c@7e804000)", []step{
			{0x40, 0, 0}, {0x68, 0, 0}, {0x40, nack, nack}, {0x40, nack, nack}, {0x68, 0, 0}, {0x40, nack, nack},
		}},
		"SDA is held, the adapter says not acknowledged": {"bcm2835 (i2c@7e804000)", []step{
			{0x40, 0, 0}, {0x68, 0, 0}, {0x40, nack, nack}, {0x68, nack, late}, {0x40, nack, late}, {0x40, 0, 0}, {0x68, nack, nack},
		}},
		"a scan of addresses without chips": {"bcm2835 (i2c@7e804000)", []step{
			{0x40, 0, 0}, {0x41, nack, nack}, {0x42, nack, nack}, {0x43, nack, nack},
		}},
		"CP2112: absent from the start among chips that answer": {"CP2112 SMBus Bridge on hidraw0", []step{
			{0x40, 0, 0}, {0x29, late, nack}, {0x29, late, nack}, {0x2a, late, nack}, {0x40, 0, 0}, {0x29, late, nack},
		}},
		"CP2112: bus dead from the start": {"CP2112 SMBus Bridge on hidraw0", []step{
			{0x40, late, nack}, {0x40, late, nack}, {0x68, late, late}, {0x40, late, late},
		}},
		"CP2112: bus dies": {"CP2112 SMBus Bridge on hidraw0", []step{
			{0x40, 0, 0}, {0x68, 0, 0}, {0x40, late, nack}, {0x68, late, late}, {0x40, late, late}, {0x68, 0, 0}, {0x40, late, nack},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			k := pi()
			k.names["/dev/i2c-1"] = c.adapter
			b, err := openI2C(I2CConfig{Name: "main", Device: "/dev/i2c-1"}, k)
			if err != nil {
				t.Fatal(err)
			}
			for i, s := range c.steps {
				k.answer = func(uint16, []message) syscall.Errno { return s.errno }
				err := b.Tx(s.addr, []byte{0}, nil)
				if s.want == 0 && err != nil || s.want != 0 && !errors.Is(err, s.want) {
					t.Errorf("transaction %d at %#x: %v, want %v", i, s.addr, err, s.want)
				}
			}
		})
	}
}

func TestVerdictKeepsWhatTheAdapterReported(t *testing.T) {
	k := pi()
	k.names["/dev/i2c-1"] = "CP2112 SMBus Bridge on hidraw0"
	b, _ := openI2C(I2CConfig{Name: "main", Device: "/dev/i2c-1"}, k)
	k.answer = func(uint16, []message) syscall.Errno { return syscall.ETIMEDOUT }
	err := b.Tx(0x29, nil, make([]byte, 1))
	if got, want := err.Error(), "main address 0x29: remote I/O error (the adapter reports: connection timed out)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestVanishedAdapterIsClosedAndOpenedAgainUnderItsNewNumber(t *testing.T) {
	k := &fakeKernel{names: map[string]string{"/dev/i2c-7": "CP2112 SMBus Bridge on hidraw0"}}
	k.answer = func(uint16, []message) syscall.Errno { return 0 }
	b, err := openI2C(I2CConfig{Name: "main", Adapter: "CP2112"}, k)
	if err != nil {
		t.Fatal(err)
	}
	k.answer = func(uint16, []message) syscall.Errno { return syscall.EIO } // what it says is no help, but its node is gone
	delete(k.names, "/dev/i2c-7")
	for range 3 {
		if err := b.Tx(0x40, []byte{0}, nil); !errors.Is(err, syscall.ENODEV) || hardware.Classify(err) != hardware.CauseGone {
			t.Fatalf("%v, want ENODEV", err)
		}
	}
	if k.closed != 1 {
		t.Errorf("the node was closed %d times; the kernel waits for it once", k.closed)
	}
	if p, _ := b.Device(); p != "" {
		t.Errorf("the bus is still at %s", p)
	}
	k.names["/dev/i2c-9"] = "CP2112 SMBus Bridge on hidraw3"
	k.answer = func(uint16, []message) syscall.Errno { return 0 }
	if err := b.Tx(0x40, []byte{0}, nil); err != nil {
		t.Fatal(err)
	}
	if p, name := b.Device(); p != "/dev/i2c-9" || !strings.HasPrefix(name, "CP2112") {
		t.Errorf("the bus is at %s, %s", p, name)
	}
	b.Close()
	b.Close()
	if err := b.Tx(0x40, nil, nil); !errors.Is(err, os.ErrClosed) || k.closed != 2 {
		t.Errorf("after Close: %v, closed %d times", err, k.closed)
	}
}

func TestBusThatCannotBeUsedIsRefusedWithTheReason(t *testing.T) {
	for _, c := range []struct {
		conf I2CConfig
		k    fakeKernel
		want string
		is   syscall.Errno
	}{
		{I2CConfig{Device: "/dev/i2c-1"}, fakeKernel{}, "bus main: open /dev/i2c-1: no such file or directory", syscall.ENOENT},
		{
			I2CConfig{Device: "/dev/i2c-1"},
			fakeKernel{openErr: map[string]syscall.Errno{"/dev/i2c-1": syscall.EACCES}},
			"bus main: open /dev/i2c-1: permission denied", syscall.EACCES,
		},
		{
			I2CConfig{Device: "/dev/i2c-0"},
			fakeKernel{names: map[string]string{"/dev/i2c-0": "SMBus stub driver"}, noI2C: true},
			"bus main: /dev/i2c-0 (SMBus stub driver) speaks SMBus only, and drivers need plain I²C: operation not supported", syscall.EOPNOTSUPP,
		},
		{
			I2CConfig{Adapter: "CP2112"},
			fakeKernel{names: map[string]string{"/dev/i2c-0": "bcm2835 (i2c@7e205000)", "/dev/i2c-1": "bcm2835 (i2c@7e804000)"}},
			`bus main: no I²C adapter is named "CP2112"; /dev/i2c-0 is "bcm2835 (i2c@7e205000)", /dev/i2c-1 is "bcm2835 (i2c@7e804000)": no such device`, syscall.ENODEV,
		},
		{I2CConfig{Adapter: "CP2112"}, fakeKernel{}, `bus main: no I²C adapter is named "CP2112"; there is none at all: no such device`, syscall.ENODEV},
	} {
		c.conf.Name = "main"
		_, err := openI2C(c.conf, &c.k)
		if err == nil || err.Error() != c.want || !errors.Is(err, c.is) {
			t.Errorf("%v\nwant %s", err, c.want)
		}
	}
}

func TestTimeoutBoundsALongTransferAtTheSpeedOfTheBus(t *testing.T) {
	for _, c := range []struct {
		hz   uint32
		conf time.Duration
		want time.Duration
	}{
		{400_000, 0, 73062500 * time.Nanosecond},
		{100_000, 0, 142250 * time.Microsecond},
		{0, 0, 142250 * time.Microsecond}, // not told: as slow as a Raspberry Pi is by default
		{100_000, 30 * time.Millisecond, 30 * time.Millisecond},
	} {
		k := pi()
		k.hz = c.hz
		if _, err := openI2C(I2CConfig{Name: "main", Device: "/dev/i2c-1", Timeout: c.conf}, k); err != nil || k.limit != c.want {
			t.Errorf("%d Hz, %v: %v, want %v (%v)", c.hz, c.conf, k.limit, c.want, err)
		}
	}
}

// tick is a clock that goes on by step with each reading.
type tick struct {
	now  time.Time
	step time.Duration
}

func (c *tick) Now() time.Time      { c.now = c.now.Add(c.step); return c.now }
func (c *tick) Sleep(time.Duration) {}

func TestLongTransferShowsTheClockOfTheBus(t *testing.T) {
	b, _ := openI2C(I2CConfig{Name: "main", Device: "/dev/i2c-1"}, pi())
	clk := &tick{step: 3 * time.Millisecond}
	v := b.For(clk)
	if err := v.Tx(0x40, []byte{0}, make([]byte, 8)); err != nil || b.Stats().Hertz != 0 {
		t.Errorf("a short transfer tells %g Hz (%v)", b.Stats().Hertz, err)
	}
	if err := v.Tx(0x40, []byte{0}, make([]byte, 32)); err != nil { // 35 bytes on the wire
		t.Fatal(err)
	}
	if hz := b.Stats().Hertz; hz != 9*35/0.003 {
		t.Errorf("%g Hz", hz)
	}
	if busy := b.Stats().Busy; busy != 6*time.Millisecond {
		t.Errorf("busy for %v", busy)
	}
}

func TestTransferAllocatesNothing(t *testing.T) {
	b, _ := openI2C(I2CConfig{Name: "main", Device: "/dev/i2c-1"}, pi())
	w, r := []byte{0}, make([]byte, 14)
	if n := testing.AllocsPerRun(100, func() { _ = b.Tx(0x68, w, r) }); n != 0 {
		t.Errorf("%g allocations a transaction", n)
	}
}

func TestAddressOfMoreThanSevenBitsIsRefused(t *testing.T) {
	b, _ := openI2C(I2CConfig{Name: "main", Device: "/dev/i2c-1"}, pi())
	if err := b.Tx(0x80, nil, nil); !errors.Is(err, syscall.EINVAL) {
		t.Error(err)
	}
}
