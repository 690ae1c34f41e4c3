package foxglove

import (
	"context"
	"fmt"
	"sync"

	"github.com/coder/websocket"

	"github.com/robotd/robotd/metrics/record"
)

// A client is one connection.
type client struct {
	server *Server
	conn   *websocket.Conn
	ctx    context.Context
	sub    *record.Subscription
	calls  chan struct{} // holds one for each call that is being answered

	mu     sync.Mutex
	by     map[string][]uint32 // subscriptions by topic
	topics map[uint32]string   // topic by subscription
}

// serve talks with the client until the connection ends.
func (c *client) serve() {
	for _, v := range c.server.info() {
		if !c.text(v) {
			return
		}
	}
	var senders sync.WaitGroup
	ctx, stop := context.WithCancel(c.ctx)
	senders.Go(func() {
		defer stop()
		c.stream(ctx)
	})
	c.listen(ctx, &senders)
	stop()
	senders.Wait()
}

// stream sends what changes.
func (c *client) stream(ctx context.Context) {
	for {
		batch, lost, err := c.sub.Next(ctx)
		if err != nil {
			return
		}
		if lost > 0 && !c.text(status{"status", statusWarning, fmt.Sprintf("%d messages were lost: this client is too slow", lost)}) {
			return
		}
		for _, m := range batch {
			if !c.message(m) {
				return
			}
		}
	}
}

// message sends one message to each of its subscriptions. A key that is gone has no message.
func (c *client) message(m record.Message) bool {
	if m.Data == nil {
		return true
	}
	c.mu.Lock()
	ids := c.by[m.Topic]
	c.mu.Unlock()
	for _, id := range ids {
		if !c.write(websocket.MessageBinary, messageFrame(id, c.server.at(m.At), m.Data)) {
			return false
		}
	}
	return true
}

// listen obeys the client.
func (c *client) listen(ctx context.Context, senders *sync.WaitGroup) {
	for {
		kind, data, err := c.conn.Read(ctx)
		if err != nil {
			return
		}
		if kind == websocket.MessageBinary {
			err = c.serviceCall(ctx, data, senders)
		} else {
			err = c.command(data)
		}
		if err != nil && !c.text(status{"status", statusError, err.Error()}) {
			return
		}
	}
}

// command obeys one text message.
func (c *client) command(text []byte) error {
	m, err := parseCommand(text)
	if err != nil {
		return err
	}
	switch m.Op {
	case "subscribe":
		for _, s := range m.Subscriptions {
			if err := c.subscribe(s.ID, s.ChannelID); err != nil {
				return err
			}
		}
	case "unsubscribe":
		for _, id := range m.SubscriptionIDs {
			if err := c.unsubscribe(id); err != nil {
				return err
			}
		}
	case "getParameters":
		c.text(parameterValues{"parameterValues", c.server.parameters(m.ParameterNames), m.ID})
	case "setParameters":
		return fmt.Errorf("parameters tell what the robot runs with and cannot be set: change the files or flags and start it anew")
	default:
		return fmt.Errorf("%q is not supported: want subscribe, unsubscribe or getParameters", m.Op)
	}
	return nil
}

// maxSubscriptions bounds the subscriptions of one client.
const maxSubscriptions = 256

func (c *client) subscribe(id, channelID uint32) error {
	topic := ""
	for _, ch := range c.server.channels {
		if ch.ID == channelID {
			topic = ch.Topic
		}
	}
	c.mu.Lock()
	_, taken := c.topics[id]
	full := len(c.topics) >= maxSubscriptions
	if topic != "" && !taken && !full {
		c.topics[id] = topic
		c.by[topic] = append(c.by[topic][:len(c.by[topic]):len(c.by[topic])], id)
	}
	c.mu.Unlock()
	switch {
	case topic == "":
		return fmt.Errorf("subscription %d: there is no channel %d", id, channelID)
	case taken:
		return fmt.Errorf("subscription %d exists already", id)
	case full:
		return fmt.Errorf("subscription %d: more than %d", id, maxSubscriptions)
	}
	// Again: a second subscription of a topic gets its values too, and the first one gets them once more.
	c.sub.Remove(topic)
	c.sub.Add(topic)
	return nil
}

func (c *client) unsubscribe(id uint32) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	topic, ok := c.topics[id]
	if !ok {
		return fmt.Errorf("there is no subscription %d", id)
	}
	delete(c.topics, id)
	var rest []uint32
	for _, other := range c.by[topic] {
		if other != id {
			rest = append(rest, other)
		}
	}
	c.by[topic] = rest
	if len(rest) == 0 {
		c.sub.Remove(topic)
	}
	return nil
}

// serviceCall answers a call on a goroutine of its own, a few at once.
func (c *client) serviceCall(ctx context.Context, data []byte, senders *sync.WaitGroup) error {
	q, err := parseCall(data)
	if err != nil {
		return err
	}
	fail := func(text string) {
		c.text(serviceFailure{"serviceCallFailure", q.service, q.id, text})
	}
	switch {
	case q.service == 0 || int(q.service) > len(c.server.opts.Services):
		fail(fmt.Sprintf("there is no service %d", q.service))
		return nil
	case q.encoding != "json":
		fail(fmt.Sprintf("the encoding %q is not known: want json", q.encoding))
		return nil
	}
	select {
	case c.calls <- struct{}{}:
	default:
		fail(fmt.Sprintf("more than %d calls at once", pendingCalls))
		return nil
	}
	senders.Go(func() {
		defer func() { <-c.calls }()
		ctx, cancel := context.WithTimeout(ctx, callLimit)
		defer cancel()
		answer, err := c.server.opts.Services[q.service-1].Call(ctx, q.payload)
		if err != nil {
			fail(err.Error())
			return
		}
		c.write(websocket.MessageBinary, responseFrame(q, answer))
	})
	return nil
}

func (c *client) text(v any) bool { return c.write(websocket.MessageText, encode(v)) }

// write sends one message and reports whether the client took it.
func (c *client) write(kind websocket.MessageType, data []byte) bool {
	ctx, cancel := context.WithTimeout(c.ctx, writeLimit)
	defer cancel()
	return c.conn.Write(ctx, kind, data) == nil
}
