package control_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"go.uber.org/goleak"

	"github.com/robotd/robotd/actions/registry"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/metrics/record"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// recorder is a robot that records its calls.
type recorder struct {
	past  control.Past
	feed  *control.Feed
	live  *record.Live
	calls chan string
	fail  error
	sick  []string
}

func (r *recorder) note(format string, args ...any) (string, error) {
	if r.fail != nil {
		return "", r.fail
	}
	text := fmt.Sprintf(format, args...)
	r.calls <- text
	return text, nil
}

func (r *recorder) Feed() *control.Feed { return r.feed }
func (r *recorder) Past() control.Past  { return r.past }
func (r *recorder) Live() *record.Live  { return r.live }
func (r *recorder) Topics() []string    { return []string{"/event", "/stack"} }
func (r *recorder) Hear(_ context.Context, m control.Message) (string, error) {
	return r.note("hear %s %s %s%s", m.From, m.Intent, m.Param, m.Parameters)
}

func (r *recorder) Intent(_ context.Context, name string, data map[string]string) (string, error) {
	return r.note("intent %s %v", name, data)
}

func (r *recorder) Actions(context.Context) (control.ActionsState, error) {
	return control.ActionsState{Known: registry.All()[:1], Running: []control.ActionState{}, Ended: []control.EndedAction{}}, r.fail
}

func (r *recorder) Do(_ context.Context, q control.ActionRequest) (string, error) {
	at, err := q.Position()
	if err != nil {
		return "", control.Refuse(err)
	}
	texts, err := q.Texts()
	if err != nil {
		return "", control.Refuse(err)
	}
	return r.note("do %s %v %v %v", q.Action, texts, at, q.Interrupt)
}

func (r *recorder) Drive(_ context.Context, q control.DriveRequest) (string, error) {
	return r.note("drive %v %v", q.Steering(), q.Interrupt)
}

func (r *recorder) CancelAction(_ context.Context, tag uint64) (string, error) {
	return r.note("cancel action %d", tag)
}

func (r *recorder) RunBehavior(_ context.Context, id string, times int) (string, error) {
	return r.note("run %s %d", id, times)
}

func (r *recorder) Stage(_ context.Context, name string) (string, error) {
	return r.note("stage %s", name)
}

func (r *recorder) SelfTest(_ context.Context, on bool) (string, error) {
	return r.note("self test %t", on)
}

func (r *recorder) Checks(_ context.Context, on bool) (string, error) { return r.note("checks %t", on) }

func (r *recorder) SetVar(_ context.Context, name string, value int32) (string, error) {
	return r.note("var %s %d", name, value)
}

func (r *recorder) Feature(_ context.Context, name, override string) (string, error) {
	return r.note("feature %s %s", name, override)
}

func (r *recorder) Reaction(_ context.Context, conditionType, id string) (string, error) {
	return r.note("reaction %s %s", conditionType, id)
}
func (r *recorder) Wake(context.Context) (string, error)   { return r.note("wake") }
func (r *recorder) Cancel(context.Context) (string, error) { return r.note("cancel") }
func (r *recorder) Act(_ context.Context, a control.Act) (string, error) {
	return r.note("act %+v", a)
}

func (r *recorder) Fault(_ context.Context, device, kind string, d time.Duration) (string, error) {
	return r.note("fault %s %s %v", device, kind, d)
}
func (r *recorder) ClearFaults(context.Context) (string, error) { return r.note("clear") }
func (r *recorder) Faults(context.Context) ([]control.FaultState, error) {
	return []control.FaultState{{Device: "imu", Kind: "nack", LeftS: 1.5}}, nil
}

func (r *recorder) EStop() uint64 {
	r.calls <- "estop"
	return 7
}

func (r *recorder) Resume(_ context.Context, stop uint64) (string, error) {
	return r.note("resume %d", stop)
}

func (r *recorder) Detect(_ context.Context, d control.Detections) (string, error) {
	return r.note("detect %d faces %d objects word=%t", len(d.Faces), len(d.Objects), d.TriggerWord)
}
func (r *recorder) Alive() []string { return nil }
func (r *recorder) Ready() []string { return r.sick }

// stand is a server on a free port, with the recorder behind it.
type stand struct {
	*recorder
	server  *control.Server
	address string
	client  *http.Client
	t       *testing.T
}

func newStand(t *testing.T) *stand {
	t.Helper()
	l, err := control.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &recorder{feed: control.NewFeed(), calls: make(chan string, 100)}
	page := fstest.MapFS{"index.html": {Data: []byte("<title>page</title>")}, "app.js": {Data: []byte("1")}}
	s := control.NewServer(l, r, page, slog.New(slog.DiscardHandler))
	served := make(chan error, 1)
	go func() { served <- s.Serve() }()
	transport := &http.Transport{DisableKeepAlives: true}
	t.Cleanup(func() {
		s.Close()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return &stand{r, s, l.Addr().String(), &http.Client{Transport: transport, Timeout: time.Minute}, t}
}

// send makes a request, on any goroutine. The caller may change its headers. The status is 0 without an answer.
func (s *stand) send(method, path, body string, spoil func(r *http.Request)) (int, control.Answer, http.Header) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, "http://"+s.address+path, strings.NewReader(body))
	if err != nil {
		s.t.Error(err)
		return 0, control.Answer{}, nil
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	if spoil != nil {
		spoil(r)
	}
	resp, err := s.client.Do(r)
	if err != nil {
		s.t.Error(err)
		return 0, control.Answer{}, nil
	}
	defer func() { _ = resp.Body.Close() }()
	raw, _ := io.ReadAll(resp.Body)
	var a control.Answer
	_ = json.Unmarshal(raw, &a)
	return resp.StatusCode, a, resp.Header
}

func header(key, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(key, value) }
}

func TestEveryCommandReachesTheRobot(t *testing.T) {
	s := newStand(t)
	for _, c := range []struct{ path, body, call string }{
		{"/v1/intent", `{"name":"come_here"}`, "intent come_here map[]"},
		{"/v1/intent", `{"name":"set_timer","data":{"time_s":30,"loud":true,"who":"Ada"}}`, "intent set_timer map[loud:true time_s:30 who:Ada]"},
		{"/v1/intents", `{"intent":"cloud_bye","params":{"a":1}}`, "hear  cloud_bye "},
		{"/v1/intents", `{"type":"result","intent":"cloud_bye","parameters":"{}"}`, "hear  cloud_bye {}"},
		{"/v1/intents", `{"from":"app","intent":"app_bye","param":"now"}`, "hear app app_bye now"},
		{"/v1/drive", `{"left_mmps":80,"right_mmps":-80.5,"interrupt":true}`, "drive wheels 80 and -80.5 mm/s true"},
		{"/v1/drive", `{"head_dps":-20,"lift_mmps":5}`, "drive head -20 °/s, lift 5 mm/s false"},
		{"/v1/run-behavior", `{"id":"Wait"}`, "run Wait 0"},
		{"/v1/run-behavior", `{"id":"Wait","times":-1}`, "run Wait -1"},
		{"/v1/stage", `{"stage":"dev"}`, "stage dev"},
		{"/v1/selftest", `{"on":true}`, "self test true"},
		{"/v1/checks", `{"on":false}`, "checks false"},
		{"/v1/var", `{"name":"Speed","value":-3}`, "var Speed -3"},
		{"/v1/wake", `{}`, "wake"},
		{"/v1/cancel", `{}`, "cancel"},
		{"/v1/world", `{"act":"place","x_mm":1,"y_mm":-2,"heading_rad":0.5}`, "act {Act:place Seconds:0 Name: ID:0 XMM:1 YMM:-2 HeadingRad:0.5}"},
		{"/v1/fault", `{"device":"imu","kind":"nack","seconds":1.5}`, "fault imu nack 1.5s"},
		{"/v1/faults/clear", `{}`, "clear"},
		{"/v1/resume", `{"stop":7}`, "resume 7"},
		{"/v1/resume", `{"stop":0}`, "resume 0"},
		{"/v1/detections", `{"age_ms":20,"faces":[{"id":1,"distance_mm":400,"bearing_rad":0.1}],"trigger_word":true}`, "detect 1 faces 0 objects word=true"},
	} {
		status, a, _ := s.send("POST", c.path, c.body, nil)
		if status != 200 || !a.OK || a.Text != c.call {
			t.Errorf("%s %s: status %d, %+v", c.path, c.body, status, a)
			continue
		}
		if got := <-s.calls; got != c.call {
			t.Errorf("%s: the robot was asked %q", c.path, got)
		}
	}
}

// Rules: 6.8/JsonIntent, data/4.3b.
func TestInvalidRequestIsAnsweredWithTheNearestWord(t *testing.T) {
	s := newStand(t)
	for _, c := range []struct {
		path, body string
		status     int
		text       string
	}{
		{"/v1/intent", `{"nam":"x"}`, 400, `did you mean "name"?`},
		{"/v1/intent", `{"name":3}`, 400, "name: a number does not fit"},
		{"/v1/intent", `{"name":[]}`, 400, "name: an array does not fit"},
		{"/v1/intent", ``, 400, "empty"},
		{"/v1/intent", `{`, 400, "body"},
		{"/v1/intent", `{"name":"x"} {}`, 400, "more than one"},
		{"/v1/intent", `{"name":"x","data":{"a":[1]}}`, 422, `intent data "a"`},
		{"/v1/world", `{"act":"pikup"}`, 422, `did you mean "pickup"?`},
		{"/v1/world", `{"act":"zzzzz"}`, 422, "valid: beat button carry cube"},
		{"/v1/fault", `{"zzzzz":1}`, 400, "valid: device kind seconds"},
		{"/v1/world", `{"act":"touch","seconds":-1}`, 422, "nor between"},
		{"/v1/world", `{"act":"place","x_mm":1e9}`, 422, "out of this world"},
		{"/v1/world", `{"act":"cube","id":-1}`, 422, "cube: id -1 is not between 0 and 10000"},
		{"/v1/fault", `{"device":"imu","kind":"nack","seconds":1e9}`, 422, "nor between"},
		{"/v1/fault", `{"device":"imu","kind":"nack","seconds":1e-12}`, 422, "nor between"},
		{"/v1/drive", `{"left_mmps":171}`, 422, "left_mmps: 171 is not between -170 and 170"},
		{"/v1/drive", `{"speed":1}`, 400, `"speed"`},
		{"/v1/run-behavior", `{"id":"Wait","times":-2}`, 422, "times: -2 is not between 1 and 1000000"},
		{"/v1/cancel", `null`, 400, "null"},
		{"/v1/cancel", `[]`, 400, "a JSON object"},
		{"/v1/intents", `{"from":"ap"}`, 422, `did you mean "app"?`},
		{"/v1/intents", `{"intnt":"x"}`, 400, `did you mean "intent"?`},
		{"/v1/intents", `{"intent":"x","param":"y"}`, 422, `"from": "app"`},
		{"/v1/intents", `{"from":"app","intent":"x","params":{}}`, 422, `"param" only`},
		{"/v1/intents", `{"intent":"x","params":{},"parameters":"{}"}`, 422, "exclude each other"},
		{"/v1/intent", `{"name":null}`, 400, "null"},
		{"/v1/intent", `{"name":"a","name":"b"}`, 400, "twice"},
		{"/v1/intent", `{"name":"a","data":{"k":1,"k":2}}`, 400, "twice"},
		{"/v1/intent", `{"Name":"a"}`, 400, `did you mean "name"?`},
		{"/v1/intent", `{"name":"a","data":{"k":null}}`, 422, `intent data "k"`},
		{"/v1/intent", `{"name":"a","data":` + strings.Repeat("[", 30000) + `}`, 400, "nested"},
		{"/v1/intent", many(`{"name":"x","data":{`, `"%d":0`, `}}`), 400, "body: more than 256 keys in one object"},
		{"/v1/intent", "{\"name\":\"x\"\x00}", 400, "body: invalid character '\\x00' after object key:value pair"},
		{"/v1/intent", `{"name":"x"`, 400, "body: unexpected end of JSON input"},
		{"/v1/intent", `{"name":"x"}]`, 400, "body: more than one JSON value"},
		{"/v1/detections", `{"faces":[{"ID":1}]}`, 400, `did you mean "id"?`},
		{"/v1/detections", `{"age_ms":-1}`, 422, "age_ms"},
		{"/v1/detections", `{"source":"my camera"}`, 422, `source: "my camera" is no name of at most 32 letters, digits, dots, dashes and underlines, such as camera`},
		{"/v1/detections", `{"source":"camera","hold_ms":20000}`, 422, "hold_ms: 20000 is not between 0 and 10000"},
		{"/v1/world", `{"act":"motion","name":"Topp"}`, 422, `there is no name of motion "Topp"; did you mean "Top"?`},
		{"/v1/world", `{"act":"habitat","name":"Outside"}`, 422, `there is no name of habitat "Outside"; valid: InHabitat NotInHabitat Unknown`},
		{"/v1/detections", `{"faces":[{"id":1,"distance_mm":400},{"id":2,"distance_mm":-500}]}`, 422, "faces[1].distance_mm: -500 is not between 0 and 20000; the nearest is 0"},
		{"/v1/detections", `{"faces":[{"id":1,"distance_mm":1e300}]}`, 422, "faces[0].distance_mm: 1e+300 is not between 0 and 20000; the nearest is 20000"},
		{"/v1/detections", `{"faces":[{"id":1,"distance_mm":1e400}]}`, 400, "faces.distance_mm: a number 1e400 does not fit"},
		{"/v1/detections", `{"faces":[{"id":1,"distance_mm":NaN}]}`, 400, "invalid character 'N'"},
		{"/v1/detections", `{"faces":[{"id":1,"bearing_rad":90}]}`, 422, "faces[0].bearing_rad: 90 is not between -6.283185307179586 and 6.283185307179586; the nearest is 6.283185307179586"},
		{"/v1/detections", `{"faces":[{"id":1,"elevation_rad":-6.3}]}`, 422, "faces[0].elevation_rad: -6.3 is not between -6.28"},
		{"/v1/detections", `{"objects":[{"id":1,"kind":"cube","distance_mm":20000.1}]}`, 422, "objects[0].distance_mm: 20000.1 is not between 0 and 20000; the nearest is 20000"},
		{"/v1/detections", `{"objects":[{"id":1,"kind":"cube","bearing_rad":-7}]}`, 422, "objects[0].bearing_rad: -7 is not between"},
		{"/v1/detections", `{"objects":[{"id":1,"kind":"charger","heading_rad":180}]}`, 422, "objects[0].heading_rad: 180 is not between"},
		{"/v1/detections", `{"objects":[{"id":1,"kind":"cube","base_mm":1e12}]}`, 422, "objects[0].base_mm: 1e+12 is not between -20000 and 20000; the nearest is 20000"},
		{"/v1/detections", `{"points":[{"kind":"Person","bearing_rad":100}]}`, 422, "points[0].bearing_rad: 100 is not between"},
		{"/v1/detections", `{"light":"Dark"}`, 422, `light: there is no word "Dark"; valid: Unknown Illuminated Darkened`},
		{"/v1/detections", `{"beat":"Stedy"}`, 422, `beat: there is no word "Stedy"; did you mean "Steady"?`},
		{"/v1/detections", `{"beat":"Steady","tempo_bpm":20}`, 422, "tempo_bpm: 20 is not between 30 and 300, nor 0 for a tempo that is not known"},
		{"/v1/detections", `{"beat":"Steady","tempo_bpm":120,"beat_age_ms":-1}`, 422, "beat_age_ms: -1 is not between 0 and 1000000"},
		{"/v1/detections", `{"habitat":"In"}`, 422, `habitat: there is no word "In"; valid: Unknown InHabitat NotInHabitat`},
		{"/v1/detections", `{"error":"ImageQualityToDark"}`, 422, `did you mean "ImageQualityTooDark"?`},
		{"/v1/detections", `{"points":[{"kind":"Person","bearing_rad":0},{"kind":"Persn","bearing_rad":0}]}`, 422, `points[1].kind: there is no kind "Persn"; did you mean "Person"?`},
		{"/v1/detections", `{"motion":{"left":1.5}}`, 422, "motion: 1.5 is not between 0 and 1"},
		{"/v1/detections", many(`{"pets":[`, `{"id":%d}`, `]}`), 422, "detections: more than 64 faces, objects, points or pets"},
		{"/v1/resume", `{}`, 422, `stop: missing; a resume names the stop that it ends, by "number" of "stop" in /v1/state`},
		{"/v1/resume", `{"stop":null}`, 400, "null"},
		{"/v1/resume", `{"stop":-1}`, 400, "stop: a number -1 does not fit"},
		{"/v1/resume", `{"stop":1.5}`, 400, "stop: a number 1.5 does not fit"},
		{"/v1/resume", `{"number":7}`, 400, `unknown key "number"; valid: stop`},
	} {
		status, a, _ := s.send("POST", c.path, c.body, nil)
		if status != c.status || a.OK || !strings.Contains(a.Error, c.text) {
			t.Errorf("%s %s: status %d, %+v; want %d with %q", c.path, c.body, status, a, c.status, c.text)
		}
	}
}

func TestRobotErrorsMapToStatusCodes(t *testing.T) {
	s := newStand(t)
	for _, c := range []struct {
		err    error
		status int
	}{
		{control.Refuse(errors.New(`there is no intent "x"`)), 422},
		{fmt.Errorf("no tick answered: %w", context.DeadlineExceeded), 504},
		{errors.New("the robot is stopping"), 503},
	} {
		s.fail = c.err
		if status, a, _ := s.send("POST", "/v1/cancel", "{}", nil); status != c.status || a.Error != c.err.Error() {
			t.Errorf("%v: status %d, %+v", c.err, status, a)
		}
	}
}

func TestStoppingServerRefusesAllButTheEmergencyStop(t *testing.T) {
	s := newStand(t)
	s.server.Refuse()
	if status, a, _ := s.send("POST", "/v1/cancel", "{}", nil); status != 503 || !strings.Contains(a.Error, "stopping") {
		t.Errorf("status %d, %+v", status, a)
	}
	if status, a, _ := s.send("POST", "/v1/estop", "{}", nil); status != 200 || !a.OK {
		t.Errorf("emergency stop: status %d, %+v", status, a)
	}
}

func TestReadyNamesTheFailingChecks(t *testing.T) {
	s := newStand(t)
	if status, a, _ := s.send("GET", "/readyz", "", nil); status != 200 || !a.OK {
		t.Errorf("well: status %d", status)
	}
	s.sick = []string{"device_motors"}
	if status, a, _ := s.send("GET", "/readyz", "", nil); status != 503 || a.OK {
		t.Errorf("sick: status %d", status)
	}
}

func TestControlListensOnLoopbackOnly(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:8420", "[::]:0", "robot.example:8420", "8420"} {
		l, err := control.Listen(address)
		if err == nil {
			_ = l.Close()
			t.Errorf("%s was opened", address)
		} else if !errors.Is(err, control.ErrRefused) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestTakenPortSaysWhatToDo(t *testing.T) {
	l, err := control.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	_, err = control.Listen(l.Addr().String())
	if err == nil || !strings.Contains(err.Error(), l.Addr().String()+" is in use") || !strings.Contains(err.Error(), "--listen") {
		t.Errorf("error: %v", err)
	}
}

func TestClientDistinguishesUnreachableFromForeignServer(t *testing.T) {
	l, err := control.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	_ = l.Close()
	c, err := control.NewClient(address, 2*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Post(t.Context(), "/v1/cancel", struct{}{}); !errors.Is(err, control.ErrUnreachable) {
		t.Errorf("nobody there: %v", err)
	}
	s := newStand(t)
	if c, err = control.NewClient(s.address, 2*time.Minute); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Get(t.Context(), "/app.js", &control.State{}); err == nil || !strings.Contains(err.Error(), "is that a robotd?") {
		t.Errorf("not an API: %v", err)
	}
}

func TestWrongMethodIsAnsweredWithTheRightOne(t *testing.T) {
	s := newStand(t)
	for path, allow := range map[string]string{"/v1/cancel": "POST", "/v1/state": "GET, HEAD"} {
		if status, a, h := s.send("DELETE", path, "", nil); status != 405 || h.Get("Allow") != allow || a.Error == "" {
			t.Errorf("%s: status %d, Allow %q, %+v", path, status, h.Get("Allow"), a)
		}
	}
}

// Clients that announce a body and do not send it do not keep other clients from commanding the robot.
func TestSlowBodiesDoNotBlockOtherClients(t *testing.T) {
	s := newStand(t)
	for range 40 { // more than there are slots
		c, err := net.Dial("tcp", s.address)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		if _, err := fmt.Fprintf(c, "POST /v1/cancel HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n", s.address); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || !strings.Contains(line, "100") { // the body is being waited for
			t.Fatalf("%q, %v", line, err)
		}
	}
	if status, a, _ := s.send("POST", "/v1/cancel", "{}", nil); status != 200 || !a.OK {
		t.Errorf("status %d, %+v", status, a)
	}
}

func TestSlowBodyTimesOut(t *testing.T) {
	s := newStand(t)
	c, err := net.Dial("tcp", s.address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	_, _ = fmt.Fprintf(c, "POST /v1/cancel HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{", s.address)
	_ = c.SetReadDeadline(time.Now().Add(time.Minute))
	if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || !strings.Contains(line, "408") {
		t.Errorf("%q, %v", line, err)
	}
}

// Whoever asks for the state when no tick comes any more is answered when the server closes, and does not hold that up.
func TestCloseAnswersThoseWhoWaitForATick(t *testing.T) {
	s := newStand(t)
	s.feed.Publish(control.NewFrame(func() *control.State { return &control.State{Tick: 7} }))
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", s.address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if _, err := fmt.Fprintf(c, "GET /v1/state HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", s.address); err != nil {
		t.Fatal(err)
	}
	for !s.feed.Wanted() {
		runtime.Gosched()
	}
	s.server.CloseWithin(time.Minute)
	s.server.Close()
	if raw, err := io.ReadAll(c); err != nil || !strings.HasPrefix(string(raw), "HTTP/1.1 200 ") || !strings.Contains(string(raw), `"tick":7`) {
		t.Errorf("%q, %v", raw, err)
	}
}
