package emul

import (
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/robotd/robotd/hardware"
)

// Lines is an emulated GPIO chip. It implements [hardware.Lines]; a line is created when it is first named.
//
// The level of a line is the first of these that exists: that of a short circuit ([Lines.Stuck]), that of the output
// driving it, the one that the world put on it ([Lines.SetInput]), its pull (low unless set by [Lines.Pull]).
type Lines struct {
	guarded
	nets map[string]*net
	now  func() time.Time // for the times of edges; nil until SetNow
	irq  interrupts
}

// A net is one line as the board sees it. Guarded by Lines.mu.
type net struct {
	name    string
	owner   *claim
	drive   bool // level that the owner drives, if it is an output
	input   bool // level that the world puts on it
	driven  bool // the world drives the line
	pull    bool
	gone    bool
	shorted bool
	short   bool
	frozen  bool     // the encoder that begins here counts nothing
	encoder *encoder // for which this is line A
	shaft   int64    // where its shaft is, in quarters of a period
	edges   *edges   // of the owner, if it takes edges
	settle  func()   // brings the world up to now
	out     relay[bool]
}

// NewLines returns a chip whose lines all float on a pull-down.
func NewLines() *Lines { return &Lines{nets: map[string]*net{}} }

// net returns the line of that name. mu must be held.
func (l *Lines) net(name string) *net {
	n := l.nets[name]
	if n == nil {
		n = &net{name: name}
		n.out = relay[bool]{mu: &l.mu, state: func(high *bool) { *high = n.level() }}
		l.nets[name] = n
	}
	return n
}

// level is the voltage on the line. mu must be held.
func (n *net) level() bool {
	switch {
	case n.shorted:
		return n.short
	case n.owner != nil && n.owner.output:
		return n.drive
	case n.driven:
		return n.input
	}
	return n.pull
}

// SetInput lets the world drive the line from now on. An output on the same line takes precedence.
func (l *Lines) SetInput(name string, level bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.net(name)
	n.input, n.driven = level, true
	n.out.change()
	l.note(n)
}

// Level is the voltage on the line, as the world sees it.
func (l *Lines) Level(name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.net(name).level()
}

// Pull chooses the resistor of the line.
func (l *Lines) Pull(name string, high bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.net(name)
	n.pull = high
	n.out.change()
	l.note(n)
}

// OnOutput has f called with each new level of the line that a driver or a fault causes: request, Set, Close, Unplug,
// Stuck. It is not called for the level at the time of OnOutput. A line has one function: a new one replaces it, nil
// removes it.
func (l *Lines) OnOutput(name string, f func(level bool)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.net(name)
	n.out.send = nil
	if f != nil {
		n.out.sent = n.level()
		n.out.send = func(_, now *bool) { f(*now) }
	}
}

// Unplug takes the line away, as the removal of its GPIO chip does, or brings it back. Requests fail with ENODEV
// meanwhile. Handles that are open at removal fail permanently and free the line, so it must be requested again.
func (l *Lines) Unplug(name string, gone bool) {
	l.mu.Lock()
	n := l.net(name)
	n.gone = gone
	if gone && n.owner != nil {
		n.owner.gone = true
		n.owner = nil
	}
	n.out.change()
	l.mu.Unlock()
	n.out.flush()
}

// Stuck ties the line to a level, or releases it. An input reads that level, an output cannot change it.
func (l *Lines) Stuck(name string, level bool, on bool) {
	l.mu.Lock()
	n := l.net(name)
	n.short, n.shorted = level, on
	n.out.change()
	l.note(n)
	l.mu.Unlock()
	n.out.flush()
}

// Output requests the line as an output. EBUSY if it is taken, ENODEV if it is gone.
func (l *Lines) Output(name string, initial bool) (hardware.Line, error) {
	l.mu.Lock()
	c, err := l.claim(name, true)
	if err == nil {
		c.net.drive = initial
		c.net.out.change()
	}
	l.mu.Unlock()
	if err != nil {
		return nil, err
	}
	c.net.out.flush()
	return c, nil
}

// Input requests the line as an input. EBUSY if it is taken, ENODEV if it is gone.
func (l *Lines) Input(name string) (hardware.Line, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c, err := l.claim(name, false)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// claim takes a free line. mu must be held.
func (l *Lines) claim(name string, output bool) (*claim, error) {
	n := l.net(name)
	switch {
	case n.gone:
		return nil, lineError(name, "request", syscall.ENODEV)
	case n.owner != nil:
		return nil, lineError(name, "request", syscall.EBUSY)
	}
	n.owner = &claim{lines: l, net: n, output: output}
	return n.owner, nil
}

// A claim is a requested line. It implements [hardware.Line].
type claim struct {
	lines  *Lines
	net    *net
	output bool
	closed bool
	gone   bool
}

// Name is the kernel name.
func (c *claim) Name() string { return c.net.name }

// Set drives an output. EPERM on an input, ENODEV if the line was unplugged, os.ErrClosed after Close.
func (c *claim) Set(high bool) error {
	c.lines.mu.Lock()
	err := c.usable("set")
	if err == nil && !c.output {
		err = lineError(c.net.name, "set", syscall.EPERM)
	}
	if err == nil {
		c.net.drive = high
		c.net.out.change()
	}
	c.lines.mu.Unlock()
	if err == nil {
		c.net.out.flush()
	}
	return err
}

// Get reads the level.
func (c *claim) Get() (bool, error) {
	c.lines.settle(c.net)
	c.lines.mu.Lock()
	level, err := c.net.level(), c.usable("get")
	c.lines.mu.Unlock()
	return level && err == nil, err
}

// Close releases the line. Closing twice does nothing.
func (c *claim) Close() error {
	c.lines.mu.Lock()
	c.release()
	c.lines.mu.Unlock()
	c.net.out.flush()
	return nil
}

// release frees the line unless it has another owner by now. mu must be held.
func (c *claim) release() {
	c.closed = true
	if c.net.owner == c {
		c.net.owner = nil
		c.net.out.change()
	}
}

// usable reports why the line cannot be used. mu must be held.
func (c *claim) usable(op string) error {
	switch {
	case c.closed:
		return lineError(c.net.name, op, os.ErrClosed)
	case c.gone:
		return lineError(c.net.name, op, syscall.ENODEV)
	}
	return nil
}

func lineError(name, op string, err error) error {
	return fmt.Errorf("line %s: %s: %w", name, op, err)
}

var _ hardware.Lines = (*Lines)(nil)
