//go:build kernel

package ktest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware/linux"
)

// Events of /dev/uhid (linux/uhid.h).
const (
	uhidDestroy        = 1
	uhidOutput         = 6
	uhidGetReport      = 9
	uhidGetReportReply = 10
	uhidCreate         = 11
	uhidInput          = 12
	uhidSetReport      = 13
	uhidSetReportReply = 14
)

// Reports of a CP2112 (Silicon Labs AN495).
const (
	gpioConfig    = 0x02 // feature: direction, push-pull, special, clock
	gpioGet       = 0x03 // feature: levels
	gpioSet       = 0x04 // feature: levels, mask
	versionInfo   = 0x05 // feature: part, version
	smbusConfig   = 0x06 // feature
	readRequest   = 0x10
	writeRead     = 0x11
	readForceSend = 0x12
	readResponse  = 0x13
	writeRequest  = 0x14
	statusRequest = 0x15
	statusAnswer  = 0x16
	mostReadBytes = 61
)

// echo is an address at which every bridge acknowledges a write.
const echo = 0x08

// Status of a transfer: done; or an error and its kind.
var (
	statusDone = [2]byte{2, 5}
	statusNack = [2]byte{3, 0}
	statusHeld = [2]byte{3, 1}
)

// A wire is what the bridge's I²C pins are connected to.
type wire interface {
	Tx(addr uint16, w, r []byte) error
}

// pins are what the bridge's eight GPIO pins are connected to.
type pins struct {
	mu     sync.Mutex
	output byte // mask of the pins that the bridge drives
	level  byte // that it drives them to
	input  byte // levels that the world puts on the others
	sets   []byte
	// drive and sense connect the pins to lines of a robot; nil: to nothing, and to input.
	drive func(pin int, output, high bool)
	sense func(pin int) bool
}

// put sets the level that the world puts on a pin.
func (p *pins) put(pin int, high bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.input &^= 1 << pin
	if high {
		p.input |= 1 << pin
	}
}

// levels are the voltages on the pins. The world pulls a pin that nobody drives to its input level.
func (p *pins) levels() byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	for pin := range 8 {
		if p.sense != nil && p.output>>pin&1 == 0 {
			p.input &^= 1 << pin
			if p.sense(pin) {
				p.input |= 1 << pin
			}
		}
	}
	return p.level&p.output | p.input&^p.output
}

// change takes new directions or levels from the kernel.
func (p *pins) change(output, level byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	changed := (output ^ p.output) | (level^p.level)&output
	p.output, p.level = output, level
	for pin := range 8 {
		if p.drive != nil && changed>>pin&1 != 0 {
			p.drive(pin, output>>pin&1 != 0, level>>pin&1 != 0)
		}
	}
}

// driven reports whether the bridge drives the pin, and to what.
func (p *pins) driven(pin int) (output, high bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.output>>pin&1 != 0, p.level>>pin&1 != 0
}

// A bridge is a USB device that the kernel takes for a CP2112.
type bridge struct {
	f    *os.File
	bus  wire
	pins *pins
	mute atomic.Bool // it does not answer status requests: hung
	away atomic.Bool // it is being unplugged

	status [2]byte
	result []byte
	done   chan struct{}
}

// plug connects a bridge and waits for the adapter's node, which it returns. It is unplugged when the test ends.
func plug(t testing.TB, bus wire) (*bridge, string) {
	t.Helper()
	b, node, err := plugIn(bus)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.unplug() })
	return b, node
}

var plugged atomic.Int64

func plugIn(bus wire) (*bridge, string, error) {
	f, err := os.OpenFile("/dev/uhid", os.O_RDWR, 0)
	if err != nil {
		return nil, "", err
	}
	b := &bridge{f: f, bus: bus, pins: &pins{}, done: make(chan struct{})}
	before, chips := nodes(), gpiochips()
	id := fmt.Sprintf("ktest-%d", plugged.Add(1))
	if err := b.create(id); err != nil {
		return nil, "", err
	}
	go b.serve()
	var node string
	err = within(5*time.Second, "the kernel finds a CP2112", func() bool {
		for n := range nodes() {
			if !before[n] {
				node = n
			}
		}
		return node != "" && gpiochips() > chips
	})
	if err == nil {
		err = ready(node)
	}
	return b, node, err
}

// nodes are the adapters of CP2112s.
func nodes() map[string]bool {
	all := map[string]bool{}
	paths, _ := filepath.Glob("/sys/bus/i2c/devices/i2c-*/name")
	for _, p := range paths {
		name, _ := os.ReadFile(p)
		node := "/dev/" + filepath.Base(filepath.Dir(p))
		if _, err := os.Stat(node); err == nil && strings.HasPrefix(string(name), "CP2112") {
			all[node] = true
		}
	}
	return all
}

// ready waits until the driver hears the device: what is reported while it still sets itself up is lost.
func ready(node string) error {
	bus, err := linux.OpenI2C(linux.I2CConfig{Name: "new", Device: node})
	if err != nil {
		return err
	}
	defer bus.Close()
	return within(5*time.Second, "the driver hears the bridge", func() bool { return bus.Tx(echo, []byte{0}, nil) == nil })
}

// gpiochips counts the GPIO chips. A bridge's comes after its adapter.
func gpiochips() int {
	all, _ := filepath.Glob("/dev/gpiochip*")
	return len(all)
}

// within waits until ok, and fails after limit.
func within(limit time.Duration, what string, ok func() bool) error {
	deadline := time.Now().Add(limit)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		if time.Now().After(deadline) {
			return fmt.Errorf("not within %v: %s", limit, what)
		}
		<-tick.C
	}
	return nil
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// send writes an event: its type, then the fields of its struct, packed.
func (b *bridge) send(kind uint32, fields ...any) error {
	var buf bytes.Buffer
	for _, f := range append([]any{kind}, fields...) {
		if err := binary.Write(&buf, binary.LittleEndian, f); err != nil {
			return err
		}
	}
	_, err := b.f.Write(buf.Bytes())
	return err
}

// create introduces the device.
func (b *bridge) create(name string) error {
	var label [128]byte
	copy(label[:], name)
	var descriptor [4096]byte
	const busUSB, vendor, product = 3, 0x10C4, 0xEA90
	return b.send(uhidCreate, label, [64]byte{}, [64]byte{}, uint16(copy(descriptor[:], reports)), uint16(busUSB),
		uint32(vendor), uint32(product), uint32(0x100), uint32(0), descriptor)
}

// reports is the HID descriptor: a vendor's page with the reports that the driver sends without asking the descriptor, or awaits.
var reports = []byte{
	0x06, 0x00, 0xFF, 0x09, 0x01, 0xA1, 0x01, 0x15, 0x00, 0x26, 0xFF, 0x00, 0x75, 0x08,
	0x85, readResponse, 0x09, 0x01, 0x95, 63, 0x81, 0x02,
	0x85, statusAnswer, 0x09, 0x01, 0x95, 6, 0x81, 0x02,
	0x85, writeRequest, 0x09, 0x01, 0x95, 63, 0x91, 0x02,
	0x85, gpioConfig, 0x09, 0x01, 0x95, 4, 0xB1, 0x02,
	0xC0,
}

// unplug takes the device away. It returns when the kernel let go of it, which waits for those who have the adapter open.
func (b *bridge) unplug() {
	b.away.Store(true)
	if b.send(uhidDestroy) == nil {
		b.f.Close()
		<-b.done
	}
}

// serve answers the kernel until the device is gone.
func (b *bridge) serve() {
	defer close(b.done)
	event := make([]byte, 4380)
	for {
		n, err := b.f.Read(event)
		if err != nil {
			return
		}
		e := event[:n]
		body := e[4:]
		switch binary.LittleEndian.Uint32(e) {
		case uhidGetReport:
			err = b.get(body)
		case uhidSetReport:
			err = b.set(body)
		case uhidOutput:
			size := binary.LittleEndian.Uint16(body[4096:])
			err = b.output(body[:size])
		}
		if err != nil && !b.away.Load() {
			fmt.Println("bridge:", err)
		}
	}
}

// get answers a request for a feature report.
func (b *bridge) get(body []byte) error {
	id, report := body[:4], body[4]
	var r []byte
	switch report {
	case versionInfo:
		r = []byte{report, 0x0C, 2}
	case smbusConfig:
		r = make([]byte, 14)
		r[0] = report
	case gpioConfig:
		b.pins.mu.Lock()
		r = []byte{report, b.pins.output, 0xFF, 0, 0}
		b.pins.mu.Unlock()
	case gpioGet:
		r = []byte{report, b.pins.levels()}
	}
	errno := uint16(0)
	if r == nil {
		errno = uint16(syscall.EIO)
	}
	return b.send(uhidGetReportReply, id, errno, uint16(len(r)), r)
}

// set takes a feature report.
func (b *bridge) set(body []byte) error {
	id, data := body[:4], body[8:]
	b.pins.mu.Lock()
	output, level := b.pins.output, b.pins.level
	if data[0] == gpioSet {
		b.pins.sets = append(b.pins.sets, data[1]&data[2])
	}
	b.pins.mu.Unlock()
	switch data[0] {
	case gpioConfig:
		b.pins.change(data[1], level)
	case gpioSet:
		b.pins.change(output, level&^data[2]|data[1]&data[2])
	}
	return b.send(uhidSetReportReply, id, uint16(0))
}

// output takes a report of a transfer.
func (b *bridge) output(d []byte) error {
	switch d[0] {
	case writeRequest:
		b.transfer(d[1], d[3:3+int(d[2])], 0)
	case readRequest:
		b.transfer(d[1], nil, int(binary.BigEndian.Uint16(d[2:])))
	case writeRead:
		b.transfer(d[1], d[5:5+int(d[4])], int(binary.BigEndian.Uint16(d[2:])))
	case statusRequest:
		if b.mute.Load() {
			return nil
		}
		r := []byte{statusAnswer, b.status[0], b.status[1], 0, 0, 0, 0}
		binary.BigEndian.PutUint16(r[5:], uint16(len(b.result)))
		return b.input(r)
	case readForceSend:
		n := copy(make([]byte, mostReadBytes), b.result)
		r := append([]byte{readResponse, 2, byte(n)}, b.result[:n]...)
		b.result = b.result[n:]
		return b.input(r)
	}
	return nil
}

func (b *bridge) input(r []byte) error {
	return b.send(uhidInput, uint16(len(r)), append(r, make([]byte, 64-len(r))...))
}

// transfer carries out a transaction on the wire.
func (b *bridge) transfer(addr byte, w []byte, n int) {
	r := make([]byte, n)
	b.result, b.status = nil, statusDone
	if addr>>1 == echo {
		return
	}
	switch err := b.bus.Tx(uint16(addr>>1), w, r); {
	case err == nil:
		b.result = r
	case errors.Is(err, syscall.ETIMEDOUT):
		b.status = statusHeld
	default:
		b.status = statusNack
	}
}
