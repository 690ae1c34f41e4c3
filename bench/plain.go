package bench

import "sync"

// updater keeps the compiler from inlining a unit's work into the loop.
type updater interface{ Update() }

// calls makes interface calls in a loop, without any protection: the lower bound.
type calls struct{ units []updater }

func newCalls(us []*Unit) (Barrier, error) {
	c := &calls{}
	for _, u := range us {
		c.units = append(c.units, u)
	}
	return c, nil
}

func (c *calls) Tick() {
	for _, u := range c.units {
		u.Update()
	}
}

func (c *calls) Close() {}

// channels is a goroutine for each unit, with a channel in and a WaitGroup out.
type channels struct {
	in   []chan struct{}
	wait sync.WaitGroup
}

func newChannels(us []*Unit) (Barrier, error) {
	c := &channels{}
	for _, u := range us {
		in := make(chan struct{}, 1)
		c.in = append(c.in, in)
		go func() {
			for range in {
				u.Update()
				c.wait.Done()
			}
		}()
	}
	return c, nil
}

func (c *channels) Tick() {
	c.wait.Add(len(c.in))
	for _, in := range c.in {
		in <- struct{}{}
	}
	c.wait.Wait()
}

func (c *channels) Close() {
	for _, in := range c.in {
		close(in)
	}
}

// orderedChannels asks each unit's goroutine in turn and waits for its answer.
type orderedChannels struct {
	in   []chan struct{}
	done chan struct{}
}

func newOrderedChannels(us []*Unit) (Barrier, error) {
	c := &orderedChannels{done: make(chan struct{})}
	for _, u := range us {
		in := make(chan struct{})
		c.in = append(c.in, in)
		go func() {
			for range in {
				u.Update()
				c.done <- struct{}{}
			}
		}()
	}
	return c, nil
}

func (c *orderedChannels) Tick() {
	for _, in := range c.in {
		in <- struct{}{}
		<-c.done
	}
}

func (c *orderedChannels) Close() {
	for _, in := range c.in {
		close(in)
	}
}

// asker keeps the compiler from inlining a unit's answer into the loop.
type asker interface{ Wants() bool }

// askCalls makes interface calls in a loop, without any protection: the lower bound.
type askCalls []asker

func newAskCalls(qs []*Question) (Asker, error) {
	a := make(askCalls, len(qs))
	for i, q := range qs {
		a[i] = q
	}
	return a, nil
}

func (a askCalls) Tick() int { return first(len(a), func(i int) bool { return a[i].Wants() }) }

func (askCalls) Close() {}

// askChannels asks each unit's goroutine in turn and waits for its answer.
type askChannels struct {
	in     []chan struct{}
	answer chan bool
}

func newAskChannels(qs []*Question) (Asker, error) {
	a := &askChannels{answer: make(chan bool)}
	for _, q := range qs {
		in := make(chan struct{})
		a.in = append(a.in, in)
		go func() {
			for range in {
				a.answer <- q.Wants()
			}
		}()
	}
	return a, nil
}

func (a *askChannels) Tick() int {
	return first(len(a.in), func(i int) bool {
		a.in[i] <- struct{}{}
		return <-a.answer
	})
}

func (a *askChannels) Close() {
	for _, in := range a.in {
		close(in)
	}
}
