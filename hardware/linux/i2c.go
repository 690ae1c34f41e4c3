package linux

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"

	"github.com/robotd/robotd/hardware"
)

// An I2CConfig tells which adapter a bus is.
type I2CConfig struct {
	// Name of the bus in errors.
	Name string
	// Device is the node, "/dev/i2c-1". Empty means that the adapter is found by its kernel name.
	Device string
	// Adapter is the kernel's name of the adapter, or its beginning: "bcm2835 (i2c@7e804000)", "CP2112 SMBus Bridge". It finds an
	// adapter that comes back with another number. Empty means whatever is at Device.
	Adapter string
	// Timeout bounds one transaction on a stuck bus. 0 means 50 ms and the time of the longest transfer at the speed of the bus. The
	// kernel keeps it for the adapter, so it holds for other programs too.
	Timeout time.Duration
}

// addresses are those of seven bits.
const addresses = 128

// I2C is one adapter. It implements periph's i2c.Bus. All methods are safe for concurrent use; transactions take turns.
type I2C struct {
	conf I2CConfig
	k    kernel

	timeouts atomic.Uint64 // transactions that the adapter gave up; counted with mu held

	mu      sync.Mutex
	limit   time.Duration // of a transaction
	fd      int           // -1 while the adapter is gone
	path    string        // of the open node
	adapter string        // its kernel name
	closed  bool
	judge   judge
	stats   I2CStats
	x       transfer
}

// I2CStats counts what a bus did since it was opened.
type I2CStats struct {
	Transactions uint64
	Failed       uint64
	Bytes        uint64        // sent and received by transactions that succeeded, with the address bytes
	Busy         time.Duration // spent in transactions of callers with a clock
	// Hertz is the clock of the bus as the fastest long transfer shows it: the true one, or a little less. 0 until 32 bytes went in
	// one transaction.
	Hertz float64
}

// OpenI2C opens the adapter, checks that it can do plain I²C, and shortens its time-out.
func OpenI2C(conf I2CConfig) (*I2C, error) { return openI2C(conf, devI2C{}) }

func openI2C(conf I2CConfig, k kernel) (*I2C, error) {
	b := &I2C{conf: conf, k: k, fd: -1}
	if err := b.connect(); err != nil {
		return nil, err
	}
	return b, nil
}

// String is the name of the bus.
func (b *I2C) String() string { return b.conf.Name }

// SetSpeed fails: Linux cannot change the speed of an adapter at run time.
func (b *I2C) SetSpeed(physic.Frequency) error {
	return fmt.Errorf("%s: set speed: %w", b.conf.Name, syscall.EOPNOTSUPP)
}

// Device is the node in use and the kernel's name of the adapter; "" while it is gone.
func (b *I2C) Device() (path, adapter string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fd < 0 {
		return "", ""
	}
	return b.path, b.adapter
}

// Speed is the clock that the device tree asks for, and false if the adapter has none there. It is not what the wire shows: a
// bcm2835 at 100 kHz runs at 50 to 100 kHz with the core clock. See [I2CStats.Hertz].
func (b *I2C) Speed() (physic.Frequency, bool) {
	b.mu.Lock()
	path := b.path
	b.mu.Unlock()
	hz, ok := b.k.clock(path)
	return physic.Frequency(hz) * physic.Hertz, ok
}

// Stats are the counts so far.
func (b *I2C) Stats() I2CStats {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.stats
}

// Close closes the node. Closing twice does nothing.
func (b *I2C) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.drop()
	return nil
}

// Tx writes w and reads r in one transaction with a repeated start between them. Either may be empty. Errors are
// *hardware.BusError: EREMOTEIO not acknowledged, ETIMEDOUT bus stuck, ENODEV adapter gone; other errnos are the kernel's. A bus that
// is gone is opened again when the adapter is back.
func (b *I2C) Tx(addr uint16, w, r []byte) error { return b.tx(nil, addr, w, r) }

// For returns the bus as seen by one device actor, whose clock tells how long transactions take.
func (b *I2C) For(clk hardware.Clock) i2c.Bus {
	if clk == nil {
		return b
	}
	return &i2cView{b, clk}
}

type i2cView struct {
	*I2C
	clk hardware.Clock
}

// Tx is [I2C.Tx] on the caller's clock.
func (v *i2cView) Tx(addr uint16, w, r []byte) error { return v.tx(v.clk, addr, w, r) }

func (b *I2C) tx(clk hardware.Clock, addr uint16, w, r []byte) error {
	if addr >= addresses {
		return &hardware.BusError{Bus: b.conf.Name, Addr: addr, Err: syscall.EINVAL}
	}
	inTime := b.lock(clk)
	defer b.mu.Unlock()
	if !inTime {
		b.count(len(w), len(r), syscall.ETIMEDOUT)
		return &hardware.BusError{Bus: b.conf.Name, Addr: addr, Err: syscall.ETIMEDOUT}
	}
	if b.fd < 0 {
		if err := b.reconnect(addr); err != nil {
			return err
		}
	}
	var begin time.Time
	if clk != nil {
		begin = clk.Now()
	}
	errno := b.k.transfer(b.fd, b.x.fill(addr, w, r))
	b.x.forget()
	b.count(len(w), len(r), errno)
	if clk != nil {
		took := clk.Now().Sub(begin)
		b.measure(len(w), len(r), took, errno)
		if errno != 0 && took >= b.limit/2 { // by its time: adapters differ in the error, and some call a missing acknowledge a time-out
			b.timeouts.Add(1)
		}
	}
	if errno == 0 {
		b.judge.answered(addr)
		return nil
	}
	return b.failed(addr, errno)
}

// lock locks mu. It returns false if the adapter timed out meanwhile and doing so once more would be too late for a driver: all devices wait
// in one queue for a bus that is stuck, and the last one would wait for the time-outs of all others.
func (b *I2C) lock(clk hardware.Clock) (inTime bool) {
	if clk == nil {
		b.mu.Lock()
		return true
	}
	if b.mu.TryLock() {
		return true
	}
	timeouts, asked := b.timeouts.Load(), clk.Now()
	b.mu.Lock()
	return b.timeouts.Load() == timeouts || clk.Now().Sub(asked)+b.limit <= hardware.MaxBusTurn
}

// failed gives an error its verdict, and closes a node whose adapter is gone: the kernel waits for that.
func (b *I2C) failed(addr uint16, errno syscall.Errno) error {
	verdict := b.judge.failed(addr, errno)
	if verdict == syscall.ENODEV || !b.k.present(b.path, b.fd) {
		verdict = syscall.ENODEV
		b.drop()
	}
	e := &hardware.BusError{Bus: b.conf.Name, Addr: addr, Err: verdict}
	if verdict != errno {
		e.Kernel = errno
	}
	return e
}

// count counts a transaction. mu must be held, as for all below.
func (b *I2C) count(w, r int, errno syscall.Errno) {
	b.stats.Transactions++
	if errno != 0 {
		b.stats.Failed++
		return
	}
	b.stats.Bytes += uint64(wireBytes(w, r))
}

// wireBytes are those of a transaction, with an address byte for each direction.
func wireBytes(w, r int) int {
	n := 1 + w + r
	if w > 0 && r > 0 {
		n++
	}
	return n
}

// measure learns the clock from a transfer that is long against what the kernel adds.
func (b *I2C) measure(w, r int, took time.Duration, errno syscall.Errno) {
	b.stats.Busy += took
	if n := wireBytes(w, r); errno == 0 && n >= 32 && took > 0 {
		b.stats.Hertz = max(b.stats.Hertz, float64(9*n)/took.Seconds())
	}
}

// reconnect is connect for a transaction: whatever prevents it, the adapter is gone.
func (b *I2C) reconnect(addr uint16) error {
	if b.closed {
		return fmt.Errorf("%s address %#02x: %w", b.conf.Name, addr, os.ErrClosed)
	}
	err := b.connect()
	if err == nil {
		return nil
	}
	e := &hardware.BusError{Bus: b.conf.Name, Addr: addr, Err: syscall.ENODEV}
	if errors.As(err, &e.Kernel) && e.Kernel == syscall.ENODEV {
		e.Kernel = 0
	}
	return e
}

// connect finds and opens the adapter.
func (b *I2C) connect() error {
	path, err := b.find()
	if err != nil {
		return err
	}
	fd, errno := b.k.open(path)
	if errno != 0 {
		return fmt.Errorf("bus %s: open %s: %w", b.conf.Name, path, errno)
	}
	if err := b.prepare(fd, path); err != nil {
		b.k.close(fd)
		return err
	}
	name := b.k.name(path)
	b.fd, b.path, b.adapter = fd, path, name
	b.judge = judge{mute: mute(name)}
	return nil
}

// find returns the node of the bus.
func (b *I2C) find() (string, error) {
	if b.conf.Adapter == "" {
		return b.conf.Device, nil
	}
	if b.conf.Device != "" && matches(b.k.name(b.conf.Device), b.conf.Adapter) {
		return b.conf.Device, nil
	}
	paths := b.k.list()
	var seen []string
	for _, p := range paths {
		name := b.k.name(p)
		if matches(name, b.conf.Adapter) {
			return p, nil
		}
		seen = append(seen, fmt.Sprintf("%s is %q", p, name))
	}
	return "", fmt.Errorf("bus %s: no I²C adapter is named %q%s: %w", b.conf.Name, b.conf.Adapter, among(seen), syscall.ENODEV)
}

// prepare checks the adapter's abilities and sets its time-out.
func (b *I2C) prepare(fd int, path string) error {
	funcs, errno := b.k.funcs(fd)
	switch {
	case errno != 0:
		return fmt.Errorf("bus %s: %s does not tell what it can do: %w", b.conf.Name, path, errno)
	case funcs&funcI2C == 0:
		return fmt.Errorf("bus %s: %s (%s) speaks SMBus only, and drivers need plain I²C: %w", b.conf.Name, path, b.k.name(path), syscall.EOPNOTSUPP)
	}
	b.limit = b.timeLimit(path)
	if errno := b.k.timeout(fd, b.limit); errno != 0 {
		return fmt.Errorf("bus %s: %s: set time-out: %w", b.conf.Name, path, errno)
	}
	return nil
}

// timeLimit is the time-out of a transaction on path.
func (b *I2C) timeLimit(path string) time.Duration {
	if b.conf.Timeout > 0 {
		return b.conf.Timeout
	}
	hz, ok := b.k.clock(path)
	if !ok || hz == 0 {
		hz = 100_000
	}
	return hardware.BusTimeout(int(hz))
}

// drop closes the node.
func (b *I2C) drop() {
	if b.fd >= 0 {
		b.k.close(b.fd)
		b.fd = -1
	}
}

var _ i2c.BusCloser = (*I2C)(nil)
