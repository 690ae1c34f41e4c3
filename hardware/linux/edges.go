package linux

import (
	"time"

	"github.com/robotd/robotd/hardware"
)

// Edges requests the line as an input whose changes of level the kernel keeps with their times. EBUSY if it is taken, ENODEV if there is
// no such line.
func (l *Lines) Edges(name string) (hardware.Edges, error) {
	c, p, err := l.open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = c.Close() }()
	e, err := watch(c, l.consumer, []int{p.offset}, []LineConfig{l.conf[name]}, edgesOf(4)[:1], hardware.EdgeQueue)
	if err != nil {
		return nil, l.refused(name, c, p, err)
	}
	return &edges{events: e, name: name}, nil
}

// edges are the changes of level of one line. They implement [hardware.Edges].
type edges struct {
	*events
	name string
}

// Name is the line's name on the robot.
func (e *edges) Name() string { return e.name }

// Take moves the oldest waiting edges into buf and returns how many; it does not wait. ENODEV if the chip is gone, os.ErrClosed after
// Close.
func (e *edges) Take(buf []hardware.Edge) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := 0
	for n < len(buf) {
		batch, err := e.read(len(buf) - n)
		if err != nil {
			return n, lineError(e.name, "take edges", err)
		}
		if len(batch) == 0 {
			break
		}
		for i := range batch {
			ev := &batch[i]
			buf[n] = hardware.Edge{At: time.Duration(ev.Timestamp), Rising: ev.ID == rising, Seq: ev.LineSeqno}
			n++
		}
	}
	return n, nil
}

// Get reads the level.
func (e *edges) Get() (bool, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	v, err := e.levels(1)
	if err != nil {
		return false, lineError(e.name, "get", err)
	}
	return v.Get(0) != 0, nil
}

// Close releases the line. Closing twice does nothing.
func (e *edges) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.close()
	return nil
}

var _ hardware.Edges = (*edges)(nil)
