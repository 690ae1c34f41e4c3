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

func ergoName() gen.Atom { return gen.Atom(fmt.Sprintf("bench%d@localhost", ergoNodes.Add(1))) }

// ergoOptions are a node without network and log.
func ergoOptions() (o gen.NodeOptions) {
	o.Network.Mode = gen.NetworkModeDisabled
	o.Log.Level = gen.LogLevelDisabled
	return o
}

func newErgo(us []*Unit) (Barrier, error) {
	node, err := ergo.StartNode(ergoName(), ergoOptions())
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

// askErgo has a dispatcher that sends its question to one unit after the other; the answer to one makes it ask the next. (Its Call loses
// an answer now and then and waits for the timeout.)
type askErgo struct {
	node       gen.Node
	dispatcher gen.PID
	answer     chan int
}

type ergoAsked struct {
	act.Actor
	question *Question
}

// HandleMessage implements act.ActorBehavior.
func (u *ergoAsked) HandleMessage(from gen.PID, _ any) error { return u.Send(from, u.question.Wants()) }

type ergoDispatcher struct {
	act.Actor
	units  []gen.PID
	next   int // is asked next
	answer chan int
}

// HandleMessage implements act.ActorBehavior: a tick begins, or a unit answers.
func (d *ergoDispatcher) HandleMessage(_ gen.PID, m any) error {
	switch yes, answers := m.(bool); {
	case !answers:
		d.next = 0
	case yes:
		d.answer <- d.next - 1
		return nil
	case d.next == len(d.units):
		d.answer <- noUnit
		return nil
	}
	d.next++
	return d.Send(d.units[d.next-1], ergoTick{})
}

func newAskErgo(qs []*Question) (Asker, error) {
	node, err := ergo.StartNode(ergoName(), ergoOptions())
	if err != nil {
		return nil, fmt.Errorf("ergo: %w", err)
	}
	a := &askErgo{node: node, answer: make(chan int, 1)}
	d := &ergoDispatcher{answer: a.answer}
	for _, q := range qs {
		pid, err := node.Spawn(func() gen.ProcessBehavior { return &ergoAsked{question: q} }, gen.ProcessOptions{})
		if err != nil {
			return nil, fmt.Errorf("ergo: %w", err)
		}
		d.units = append(d.units, pid)
	}
	if a.dispatcher, err = node.Spawn(func() gen.ProcessBehavior { return d }, gen.ProcessOptions{}); err != nil {
		return nil, fmt.Errorf("ergo: %w", err)
	}
	return a, nil
}

func (a *askErgo) Tick() int {
	if err := a.node.Send(a.dispatcher, ergoTick{}); err != nil {
		panic(err)
	}
	return <-a.answer
}

func (a *askErgo) Close() { a.node.StopForce() }
