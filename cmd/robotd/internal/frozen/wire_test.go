package frozen

import (
	"encoding/gob"
	"errors"
	"fmt"
	"net"
	"sync"
	"syscall"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"github.com/robotd/robotd/cmd/robotd/internal/simrobot"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/sim"
)

// op is what a request asks for.
type op uint8

const (
	opTx      op = iota // one transaction on the bus
	opOutput            // the line belongs to this connection from now on, and is released with it
	opInput             //
	opEncoder           //
	opSet
	opGet
	opCount
	opDetect
	opStats
	opView
)

// A request asks the world for one thing. One connection has one request at a time.
type request struct {
	Op          op
	Name, Other string
	Addr        uint16
	W           []byte
	N           int // bytes to read, or edges of a period to count
	High        bool
	Now         time.Time
}

// An answer has the fields that its request asked for, or an error.
type answer struct {
	R          []byte
	Errno      syscall.Errno
	Err        string
	High       bool // level, or whether a count is whole
	Count      int64
	Detections *hardware.Detections
	Stats      *sim.Stats
	View       *sim.View
}

// A link is a connection to the world.
type link struct {
	mu   sync.Mutex
	conn net.Conn
	enc  *gob.Encoder
	dec  *gob.Decoder
}

func dial(socket string) (*link, error) {
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", syscall.ENODEV, err)
	}
	return &link{conn: conn, enc: gob.NewEncoder(conn), dec: gob.NewDecoder(conn)}, nil
}

// ask sends a request and waits for its answer. A world that is gone is a missing device.
func (l *link) ask(q request) (a answer, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err = l.enc.Encode(q); err == nil {
		err = l.dec.Decode(&a)
	}
	switch {
	case err != nil:
		return a, fmt.Errorf("%w: %w", syscall.ENODEV, err)
	case a.Errno != 0:
		return a, a.Errno
	case a.Err != "":
		return a, errors.New(a.Err)
	}
	return a, nil
}

// far is a world in another process. Acts and faults are not passed on.
type far struct {
	simrobot.World // nil: what is not below is not there
	socket         string
	eyes           *link
	panel          *emul.SPI // moves nothing, and stays in this process
}

func newFar(socket string) (*far, error) {
	eyes, err := dial(socket)
	return &far{socket: socket, eyes: eyes, panel: emul.NewSPI("spi0.0")}, err
}

func (f *far) Bus(string, hardware.Clock) i2c.Bus {
	l, err := dial(f.socket)
	return &farBus{l, err}
}
func (f *far) Lines() hardware.Lines              { return farLines{f.socket} }
func (f *far) SPI(string) (spi.PortCloser, error) { return f.panel.Open() }
func (f *far) Pin(l hardware.Line) gpio.PinOut    { return emul.Pin(l) }
func (f *far) Faults() []sim.Fault                { return nil }
func (f *far) Stats() (s sim.Stats) {
	a, _ := f.eyes.ask(request{Op: opStats})
	set(&s, a.Stats)
	return s
}

func (f *far) View() (v sim.View) { a, _ := f.eyes.ask(request{Op: opView}); set(&v, a.View); return v }

func (f *far) Detect(now time.Time) (d hardware.Detections) {
	a, _ := f.eyes.ask(request{Op: opDetect, Now: now})
	set(&d, a.Detections)
	return d
}

// Temperatures are not passed on.
func (f *far) Temperatures(time.Time) (battery, processor float64) { return 0, 0 }

// set copies what came.
func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

type farBus struct {
	*link
	err error
}

func (b *farBus) String() string                    { return sim.BusName }
func (b *farBus) SetSpeed(f physic.Frequency) error { return nil }
func (b *farBus) Tx(addr uint16, w, r []byte) error {
	if b.err != nil {
		return b.err
	}
	a, err := b.ask(request{Op: opTx, Addr: addr, W: w, N: len(r)})
	copy(r, a.R)
	return err
}

type farLines struct{ socket string }

func (f farLines) open(q request) (*farLine, error) {
	l, err := dial(f.socket)
	if err != nil {
		return nil, err
	}
	if _, err := l.ask(q); err != nil {
		_ = l.conn.Close()
		return nil, fmt.Errorf("line %s: %w", q.Name, err)
	}
	return &farLine{l, q.Name}, nil
}

func (f farLines) Output(name string, initial bool) (hardware.Line, error) {
	return orNil[hardware.Line](f.open(request{Op: opOutput, Name: name, High: initial}))
}

func (f farLines) Input(name string) (hardware.Line, error) {
	return orNil[hardware.Line](f.open(request{Op: opInput, Name: name}))
}

func (f farLines) Encoder(a, b string, edges int) (hardware.Encoder, error) {
	return orNil[hardware.Encoder](f.open(request{Op: opEncoder, Name: a, Other: b, N: edges}))
}

// Edges are not passed on: the times of a far kernel would need its clock.
func (f farLines) Edges(name string) (hardware.Edges, error) {
	return nil, fmt.Errorf("line %s: %w", name, syscall.EOPNOTSUPP)
}

// orNil is a nil interface beside an error.
func orNil[T any](l *farLine, err error) (t T, _ error) {
	if err != nil {
		return t, err
	}
	return any(l).(T), nil
}

// A farLine is a line or an encoder.
type farLine struct {
	*link
	name string
}

func (l *farLine) Name() string { return l.name }
func (l *farLine) Close() error { _ = l.conn.Close(); return nil }
func (l *farLine) Set(high bool) error {
	_, err := l.ask(request{Op: opSet, High: high})
	return err
}

func (l *farLine) Get() (bool, error) {
	a, err := l.ask(request{Op: opGet})
	return a.High, err
}

func (l *farLine) Count() (int64, bool) {
	a, err := l.ask(request{Op: opCount})
	return a.Count, a.High && err == nil
}
