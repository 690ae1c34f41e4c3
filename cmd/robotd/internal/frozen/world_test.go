package frozen

import (
	"encoding/gob"
	"encoding/json"
	"errors"
	"net"
	"os"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/hardware/sim"
)

// An edge is what the world's process prints when the motors' power comes or goes.
type edge struct {
	Power bool      `json:"power"`
	At    time.Time `json:"at"`
	Beat  time.Time `json:"beat"` // the last rising edge of MOTOR_BEAT that had arrived
}

// body is the process with the world and the chips.
type body struct {
	rig  *sim.Rig
	beat atomic.Pointer[time.Time]
	out  chan edge
}

// runWorld serves a body on a socket until the process is killed. It prints one line when it is ready, and one for each edge of
// the motors' power.
func runWorld(socket string) error {
	ratio, err := strconv.ParseFloat(os.Getenv(envRatio), 64)
	if err != nil {
		return err
	}
	b := &body{out: make(chan edge, 1024)}
	b.beat.Store(&time.Time{})
	b.rig = sim.New(sim.Options{
		Seed: 7, Now: time.Now(), StartOffCharger: true, BatteryRatio: 1, Nobody: true, PulseRatio: ratio,
		OnPower: func(at time.Time, on bool) { b.out <- edge{on, at, *b.beat.Load()} },
	})
	b.rig.SetNow(time.Now)
	l, err := net.Listen("unix", socket)
	if err != nil {
		return err
	}
	go b.print()
	go func() { // the world goes on also when nobody looks at it
		for range time.Tick(sim.StepMS * time.Millisecond) {
			b.rig.Stats()
		}
	}()
	for {
		conn, err := l.Accept()
		if err != nil {
			return err
		}
		go b.serve(conn)
	}
}

func (b *body) print() {
	enc := json.NewEncoder(os.Stdout)
	_ = enc.Encode("ready")
	for e := range b.out {
		_ = enc.Encode(e)
	}
}

// serve answers one connection. The line that it requested is released with it, as the kernel does when a process ends.
func (b *body) serve(conn net.Conn) {
	defer conn.Close()
	enc, dec, h := gob.NewEncoder(conn), gob.NewDecoder(conn), &held{}
	defer h.close()
	for {
		var q request
		if dec.Decode(&q) != nil {
			return
		}
		a, err := b.do(q, h)
		if err != nil && !errors.As(err, &a.Errno) {
			a.Err = err.Error()
		}
		if enc.Encode(a) != nil {
			return
		}
	}
}

// held is the line or the encoder of one connection.
type held struct {
	name    string
	line    hardware.Line
	encoder hardware.Encoder
}

func (h *held) close() {
	if h.line != nil {
		_ = h.line.Close()
	}
	if h.encoder != nil {
		_ = h.encoder.Close()
	}
}

func (b *body) do(q request, h *held) (a answer, err error) {
	switch q.Op {
	case opTx:
		a.R = make([]byte, q.N)
		err = b.rig.Bus(sim.BusName, nil).Tx(q.Addr, q.W, a.R)
	case opOutput:
		h.name = q.Name
		h.line, err = b.rig.Lines().Output(q.Name, q.High)
	case opInput:
		h.line, err = b.rig.Lines().Input(q.Name)
	case opEncoder:
		h.encoder, err = b.rig.Lines().Encoder(q.Name, q.Other, q.N)
	case opDetect:
		d := b.rig.Detect(time.Now())
		a.Detections = &d
	case opStats:
		s := b.rig.Stats()
		a.Stats = &s
	case opView:
		v := b.rig.View()
		a.View = &v
	default:
		return b.use(q, h)
	}
	return a, err
}

// use does something with the line of the connection.
func (b *body) use(q request, h *held) (a answer, err error) {
	switch {
	case q.Op == opSet && h.line != nil:
		if err = h.line.Set(q.High); h.name == profile.R1().Drive.Beat && q.High {
			now := time.Now()
			b.beat.Store(&now)
		}
	case q.Op == opGet && h.line != nil:
		a.High, err = h.line.Get()
	case q.Op == opCount && h.encoder != nil:
		a.Count, a.High = h.encoder.Count()
	default:
		err = syscall.EBADF
	}
	return a, err
}
