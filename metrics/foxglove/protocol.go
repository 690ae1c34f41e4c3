package foxglove

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
)

// subprotocols are the names of the protocol: that of the present apps, and that of older ones. The messages are the same.
var subprotocols = []string{"foxglove.sdk.v1", "foxglove.websocket.v1"}

// Opcodes of binary messages.
const (
	opMessage         = 1 // server: subscription, time, payload
	opServiceRequest  = 2 // client: service, call, encoding, payload
	opServiceResponse = 3 // server: the same
)

// Levels of a status.
const (
	statusWarning = 1
	statusError   = 2
)

type serverInfo struct {
	Op                 string            `json:"op"`
	Name               string            `json:"name"`
	Capabilities       []string          `json:"capabilities"`
	SupportedEncodings []string          `json:"supportedEncodings"`
	Metadata           map[string]string `json:"metadata"`
	SessionID          string            `json:"sessionId"`
}

type advertise struct {
	Op       string    `json:"op"`
	Channels []channel `json:"channels"`
}

type channel struct {
	ID             uint32 `json:"id"`
	Topic          string `json:"topic"`
	Encoding       string `json:"encoding"`
	SchemaName     string `json:"schemaName"`
	Schema         string `json:"schema"`
	SchemaEncoding string `json:"schemaEncoding"`
}

type advertiseServices struct {
	Op       string       `json:"op"`
	Services []serviceRow `json:"services"`
}

type serviceRow struct {
	ID       uint32      `json:"id"`
	Name     string      `json:"name"`
	Type     string      `json:"type"`
	Request  serviceSide `json:"request"`
	Response serviceSide `json:"response"`
}

type serviceSide struct {
	Encoding       string `json:"encoding"`
	SchemaName     string `json:"schemaName"`
	SchemaEncoding string `json:"schemaEncoding"`
	Schema         string `json:"schema"`
}

type status struct {
	Op      string `json:"op"`
	Level   int    `json:"level"`
	Message string `json:"message"`
}

type parameterValues struct {
	Op         string      `json:"op"`
	Parameters []parameter `json:"parameters"`
	ID         string      `json:"id,omitempty"`
}

type parameter struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

type serviceFailure struct {
	Op        string `json:"op"`
	ServiceID uint32 `json:"serviceId"`
	CallID    uint32 `json:"callId"`
	Message   string `json:"message"`
}

// A command is a text message of a client.
type command struct {
	Op            string `json:"op"`
	Subscriptions []struct {
		ID        uint32 `json:"id"`
		ChannelID uint32 `json:"channelId"`
	} `json:"subscriptions"`
	SubscriptionIDs []uint32    `json:"subscriptionIds"`
	ParameterNames  []string    `json:"parameterNames"`
	Parameters      []parameter `json:"parameters"`
	ID              string      `json:"id"`
}

func parseCommand(text []byte) (c command, err error) {
	if err = json.Unmarshal(text, &c); err != nil {
		return c, fmt.Errorf("the message is no JSON object of the protocol: %w", err)
	}
	if c.Op == "" {
		return c, errors.New("the message has no op")
	}
	return c, nil
}

// A call is a request to a service.
type call struct {
	service, id uint32
	encoding    string
	payload     []byte
}

// parseCall reads a binary message of a client. The payload is not copied.
func parseCall(data []byte) (call, error) {
	const head = 1 + 4 + 4 + 4
	switch {
	case len(data) == 0:
		return call{}, errors.New("the binary message is empty")
	case data[0] != opServiceRequest:
		return call{}, fmt.Errorf("the binary message has the opcode %d, want %d: clients publish nothing here", data[0], opServiceRequest)
	case len(data) < head:
		return call{}, fmt.Errorf("the service request has %d bytes, want at least %d", len(data), head)
	}
	c := call{service: binary.LittleEndian.Uint32(data[1:]), id: binary.LittleEndian.Uint32(data[5:])}
	n := binary.LittleEndian.Uint32(data[9:])
	if uint64(n) > uint64(len(data)-head) {
		return c, fmt.Errorf("the service request announces an encoding of %d bytes and has %d", n, len(data)-head)
	}
	c.encoding, c.payload = string(data[head:head+int(n)]), data[head+int(n):]
	return c, nil
}

// messageFrame is a message of a subscription.
func messageFrame(subscription uint32, nanoseconds uint64, payload []byte) []byte {
	b := make([]byte, 0, 13+len(payload))
	b = append(b, opMessage)
	b = binary.LittleEndian.AppendUint32(b, subscription)
	b = binary.LittleEndian.AppendUint64(b, nanoseconds)
	return append(b, payload...)
}

// responseFrame is the answer of a service.
func responseFrame(c call, payload []byte) []byte {
	const encoding = "json"
	b := make([]byte, 0, 13+len(encoding)+len(payload))
	b = append(b, opServiceResponse)
	b = binary.LittleEndian.AppendUint32(b, c.service)
	b = binary.LittleEndian.AppendUint32(b, c.id)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(encoding)))
	b = append(b, encoding...)
	return append(b, payload...)
}
