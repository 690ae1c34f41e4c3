package bench

import (
	"fmt"
	"sync/atomic"

	"ergo.services/ergo"
	"ergo.services/ergo/act"
	"ergo.services/ergo/gen"
)

type (
	ergoTick struct{}
	ergoDone struct{}
)

// ergoNode has a collector that sends to every unit on request, and reports when all have answered.
type ergoNode struct {
	node      gen.Node
	collector gen.PID
	all       chan struct{}
}

type ergoUnit struct {
	act.Actor
	unit *Unit
}

// HandleMessage implements act.ActorBehavior.
func (u *ergoUnit) HandleMessage(from gen.PID, _ any) error {
	u.unit.Update()
	return u.Send(from, ergoDone{})
}

type ergoCollector struct {
	act.Actor
	units   []gen.PID
	answers int
	all     chan struct{}
}

// HandleMessage implements act.ActorBehavior.
func (c *ergoCollector) HandleMessage(_ gen.PID, m any) error {
	if _, ok := m.(ergoTick); ok {
		for _, pid := range c.units {
			if err := c.Send(pid, ergoTick{}); err != nil {
				return err
			}
		}
		return nil
	}
	if c.answers++; c.answers == len(c.units) {
		c.answers = 0
		c.all <- struct{}{}
	}
	return nil
}

var ergoNodes atomic.Int64 // names are unique in a process

func newErgo(us []*Unit) (Barrier, error) {
	var opts gen.NodeOptions
	opts.Network.Mode = gen.NetworkModeDisabled
	opts.Log.Level = gen.LogLevelDisabled
	node, err := ergo.StartNode(gen.Atom(fmt.Sprintf("bench%d@localhost", ergoNodes.Add(1))), opts)
	if err != nil {
		return nil, fmt.Errorf("ergo: %w", err)
	}
	e := &ergoNode{node: node, all: make(chan struct{}, 1)}
	c := &ergoCollector{all: e.all}
	for _, u := range us {
		pid, err := node.Spawn(func() gen.ProcessBehavior { return &ergoUnit{unit: u} }, gen.ProcessOptions{})
		if err != nil {
			return nil, fmt.Errorf("ergo: %w", err)
		}
		c.units = append(c.units, pid)
	}
	if e.collector, err = node.Spawn(func() gen.ProcessBehavior { return c }, gen.ProcessOptions{}); err != nil {
		return nil, fmt.Errorf("ergo: %w", err)
	}
	return e, nil
}

func (e *ergoNode) Tick() {
	if err := e.node.Send(e.collector, ergoTick{}); err != nil {
		panic(err)
	}
	<-e.all
}

func (e *ergoNode) Close() { e.node.StopForce() }
