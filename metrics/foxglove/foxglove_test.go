package foxglove

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"github.com/robotd/robotd/metrics/record"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var begin = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// app is a client of a served stream.
type app struct {
	t    *testing.T
	conn *websocket.Conn
	live *record.Live
	ctx  context.Context
}

func connect(t *testing.T, services ...Service) *app {
	t.Helper()
	live := record.NewLive()
	live.Tick(1, time.Second, []record.Message{{Tick: 1, At: time.Second, Topic: "/stack", Data: []byte(`{"depth":1}`)}})
	s := New(Options{
		Name: "robotd", Live: live, Life: record.Life{ID: "life", Begin: begin, Seed: 7}, Services: services,
		Topics: []record.Topic{{Name: "/stack", SchemaName: "robotd.Stack", Schema: `{"type":"object"}`}, {Name: "/tape", Opaque: true}, {Name: "/event"}},
	})
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	t.Cleanup(s.Close)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	t.Cleanup(cancel)
	c, _, err := websocket.Dial(ctx, h.URL, &websocket.DialOptions{Subprotocols: []string{"foxglove.websocket.v1"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.CloseNow() })
	return &app{t, c, live, ctx}
}

func (a *app) send(text string) {
	a.t.Helper()
	if err := a.conn.Write(a.ctx, websocket.MessageText, []byte(text)); err != nil {
		a.t.Fatal(err)
	}
}

func (a *app) call(data []byte) {
	a.t.Helper()
	if err := a.conn.Write(a.ctx, websocket.MessageBinary, data); err != nil {
		a.t.Fatal(err)
	}
}

// want reads one message that contains all the texts.
func (a *app) want(texts ...string) []byte {
	a.t.Helper()
	_, data, err := a.conn.Read(a.ctx)
	if err != nil {
		a.t.Fatal(err)
	}
	for _, text := range texts {
		if !strings.Contains(string(data), text) {
			a.t.Fatalf("%q has no %q", data, text)
		}
	}
	return data
}

// greeted skips what every client is told first.
func (a *app) greeted() *app {
	a.want(`"op":"serverInfo"`, `"capabilities":["parameters"`, `"sessionId":"life"`)
	a.want(`"op":"advertise"`, `"id":1,"topic":"/stack","encoding":"json","schemaName":"robotd.Stack","schema":"{\"type\":\"object\"}","schemaEncoding":"jsonschema"`)
	return a
}

func TestSubscriberOfChannelGetsWhatHoldsAndWhatChanges(t *testing.T) {
	a := connect(t).greeted()
	a.send(`{"op":"subscribe","subscriptions":[{"id":40,"channelId":1}]}`)
	data := a.want(`{"depth":1}`)
	if data[0] != 1 || binary.LittleEndian.Uint32(data[1:]) != 40 || binary.LittleEndian.Uint64(data[5:]) != uint64(begin.Add(time.Second).UnixNano()) {
		t.Errorf("head %v", data[:13])
	}
	a.live.Tick(2, 2*time.Second, []record.Message{
		{Tick: 2, At: 2 * time.Second, Topic: "/event", Data: []byte(`{}`), Instant: true},
		{Tick: 2, At: 2 * time.Second, Topic: "/stack", Data: []byte(`{"depth":2}`)},
	})
	a.want(`{"depth":2}`)
	a.send(`{"op":"unsubscribe","subscriptionIds":[40]}`)
	a.send(`{"op":"unsubscribe","subscriptionIds":[40]}`)
	a.want(`"op":"status","level":2`, `there is no subscription 40`)
	a.live.Tick(3, 3*time.Second, []record.Message{{Tick: 3, At: 3 * time.Second, Topic: "/stack", Data: []byte(`{"depth":3}`)}})
	a.send(`{"op":"getParameters","parameterNames":["seed"],"id":"x"}`)
	a.want(`{"op":"parameterValues","parameters":[{"name":"seed","value":7}],"id":"x"}`)
}

func TestMistakesOfClientsAreTold(t *testing.T) {
	a := connect(t).greeted()
	for _, c := range []struct{ text, want string }{
		{`{`, "no JSON object"},
		{`{}`, "no op"},
		{`{"op":"advertise"}`, `\"advertise\" is not supported: want subscribe`},
		{`{"op":"subscribe","subscriptions":[{"id":1,"channelId":9}]}`, "there is no channel 9"},
		{`{"op":"subscribe","subscriptions":[{"id":1,"channelId":2}]}`, "there is no channel 2"}, // the tape
		{`{"op":"setParameters","parameters":[{"name":"seed","value":1}]}`, "cannot be set"},
	} {
		a.send(c.text)
		a.want(`"op":"status","level":2`, c.want)
	}
	a.send(`{"op":"subscribe","subscriptions":[{"id":1,"channelId":3},{"id":1,"channelId":3}]}`)
	a.want("subscription 1 exists already")
	for _, c := range []struct {
		data []byte
		want string
	}{
		{nil, "is empty"},
		{[]byte{1}, "opcode 1, want 2"},
		{[]byte{2, 0}, "2 bytes, want at least 13"},
		{append([]byte{2, 1, 0, 0, 0, 1, 0, 0, 0}, 9, 0, 0, 0, 'j'), "announces an encoding of 9 bytes and has 1"},
	} {
		a.call(c.data)
		a.want(`"op":"status","level":2`, c.want)
	}
}

// request is the binary message of a call.
func request(service, id uint32, encoding, payload string) []byte {
	b := []byte{opServiceRequest}
	b = binary.LittleEndian.AppendUint32(b, service)
	b = binary.LittleEndian.AppendUint32(b, id)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(encoding)))
	return append(append(b, encoding...), payload...)
}

func TestServiceAnswersOrSaysWhyNot(t *testing.T) {
	a := connect(t, Service{Name: "/wake", Call: func(_ context.Context, q []byte) ([]byte, error) {
		if string(q) == "{}" {
			return []byte(`{"ok":true}`), nil
		}
		return nil, errors.New("want an empty object")
	}})
	a.want(`"capabilities":["parameters","services"]`)
	a.want(`"op":"advertise"`)
	a.want(`"op":"advertiseServices"`, `"name":"/wake"`)
	a.call(request(1, 5, "json", "{}"))
	if got := a.want(`{"ok":true}`); string(got) != string(append([]byte{opServiceResponse}, request(1, 5, "json", `{"ok":true}`)[1:]...)) {
		t.Errorf("answer %q", got)
	}
	a.call(request(1, 6, "json", "[]"))
	a.want(`{"op":"serviceCallFailure","serviceId":1,"callId":6,"message":"want an empty object"}`)
	a.call(request(2, 7, "json", "{}"))
	a.want(`"callId":7,"message":"there is no service 2"`)
	a.call(request(1, 8, "protobuf", "{}"))
	a.want(`"callId":8,"message":"the encoding \"protobuf\" is not known: want json"`)
}

func TestClientWithoutSubprotocolAndForeignPagesAreRefused(t *testing.T) {
	s := New(Options{Live: record.NewLive(), Origins: []string{"app.foxglove.dev"}})
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	dial := func(o *websocket.DialOptions) (*websocket.Conn, error) {
		c, r, err := websocket.Dial(t.Context(), h.URL, o)
		if r != nil && r.Body != nil {
			_ = r.Body.Close()
		}
		return c, err
	}
	c, err := dial(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusPolicyViolation {
		t.Error(err)
	}
	for origin, allowed := range map[string]bool{"https://app.foxglove.dev": true, "https://evil.example": false} {
		c, err := dial(&websocket.DialOptions{Subprotocols: subprotocols, HTTPHeader: map[string][]string{"Origin": {origin}}})
		if (err == nil) != allowed {
			t.Errorf("%s: %v", origin, err)
		}
		if c != nil {
			_ = c.CloseNow()
		}
	}
	s.Close()
}

// FuzzClient reads what a client may send. It must not panic, and what it takes is inside of what was sent.
func FuzzClient(f *testing.F) {
	f.Add(request(1, 2, "json", "{}"))
	f.Add([]byte(`{"op":"subscribe","subscriptions":[{"id":1,"channelId":1}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, err := parseCall(data); err == nil && 13+len(c.encoding)+len(c.payload) != len(data) {
			t.Errorf("%d bytes of %d", 13+len(c.encoding)+len(c.payload), len(data))
		}
		if m, err := parseCommand(data); err == nil && !json.Valid(data) {
			t.Errorf("%+v", m)
		}
	})
}
