package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/robotd/robotd/resources"
)

// maxSeconds bounds acts and faults. More than a day is taken for a mistake.
const maxSeconds = 24 * 3600

// minSeconds is the shortest duration. Zero has a meaning of its own, so shorter ones are not rounded to it.
const minSeconds = 0.001

// nothing is the body of a command without parameters.
type nothing struct{}

// post returns the handler of one command: it refuses while stopping, decodes the body, calls do, and writes the answer.
func post[T any](s *Server, do func(*Server, context.Context, T) (string, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if s.stopping.Load() {
			deny(w, http.StatusServiceUnavailable, "the robot is stopping")
			return
		}
		var body T
		if err := decode(r, &body); err != nil {
			deny(w, http.StatusBadRequest, err.Error())
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), replyTimeout)
		defer cancel()
		text, err := do(s, ctx, body)
		s.operator.told(r.URL.Path, text, err)
		reply(w, text, err)
	}
}

func reply(w http.ResponseWriter, text string, err error) {
	switch {
	case err == nil:
		writeJSON(w, http.StatusOK, Answer{OK: true, Text: text})
	case errors.Is(err, ErrRefused):
		deny(w, http.StatusUnprocessableEntity, err.Error())
	case errors.Is(err, context.DeadlineExceeded):
		deny(w, http.StatusGatewayTimeout, err.Error())
	default:
		deny(w, http.StatusServiceUnavailable, err.Error())
	}
}

// An IntentRequest is the body of POST /v1/intent. Values are strings, numbers or booleans.
type IntentRequest struct {
	Name string                     `json:"name"`
	Data map[string]json.RawMessage `json:"data,omitempty"`
}

func (s *Server) intent(ctx context.Context, q IntentRequest) (string, error) {
	data := make(map[string]string, len(q.Data))
	for _, k := range sortedKeys(q.Data) {
		text, err := plain(q.Data[k])
		if err != nil {
			return "", Refuse(fmt.Errorf("intent data %s: %w", quote(k), err))
		}
		data[k] = text
	}
	return s.robot.Intent(ctx, q.Name, data)
}

// A Message is the body of POST /v1/intents: what a cloud or an app sends, with their names. The cloud sends parameters as an object (params) or
// as JSON in a text (parameters, with a type), the app at most one text (param).
type Message struct {
	From       string                     `json:"from,omitempty"` // "cloud", which need not be said, or "app"
	Type       string                     `json:"type,omitempty"`
	Intent     string                     `json:"intent,omitempty"`
	Params     map[string]json.RawMessage `json:"params,omitempty"`
	Parameters string                     `json:"parameters,omitempty"`
	Param      string                     `json:"param,omitempty"`
}

// senders are those that a message may come from.
var senders = []string{"app", "cloud"}

func (s *Server) hear(ctx context.Context, m Message) (string, error) {
	cloud := m.Type != "" || m.Params != nil || m.Parameters != ""
	switch {
	case m.From != "" && !slices.Contains(senders, m.From):
		return "", Refuse(resources.Unknown("sender", m.From, senders))
	case m.From == "app" && cloud:
		return "", Refuse(errors.New(`a message of an app has "param" only, no "type", "params" or "parameters"`))
	case m.From != "app" && m.Param != "":
		return "", Refuse(errors.New(`only a message of an app has "param"; say "from": "app"`))
	case m.Params != nil && m.Parameters != "":
		return "", Refuse(errors.New(`"params" and "parameters" exclude each other`))
	}
	return s.robot.Hear(ctx, m)
}

// plain is the text of a JSON string, number or boolean.
func plain(raw json.RawMessage) (string, error) {
	switch text := string(raw); {
	case text == "null" || strings.HasPrefix(text, "{") || strings.HasPrefix(text, "["):
		return "", errors.New("want a string, a number or a boolean")
	case strings.HasPrefix(text, `"`):
		var s string
		err := json.Unmarshal(raw, &s)
		return s, err
	default:
		return text, nil
	}
}

// A RunRequest is the body of POST /v1/run-behavior.
type RunRequest struct {
	ID    string `json:"id"`
	Times int    `json:"times,omitempty"` // 0 = once, -1 = until canceled
}

// maxTimes bounds the runs of a behavior. More is taken for a mistake.
const maxTimes = 1_000_000

func (s *Server) runBehavior(ctx context.Context, q RunRequest) (string, error) {
	if q.Times < -1 || q.Times > maxTimes {
		return "", Refuse(fmt.Errorf("times: %d is not between 1 and %d, nor -1 for ever", q.Times, maxTimes))
	}
	return s.robot.RunBehavior(ctx, q.ID, q.Times)
}

// A StageRequest is the body of POST /v1/stage.
type StageRequest struct {
	Stage string `json:"stage"`
}

func (s *Server) stage(ctx context.Context, q StageRequest) (string, error) {
	return s.robot.Stage(ctx, q.Stage)
}

// A SwitchRequest is the body of POST /v1/selftest and /v1/checks.
type SwitchRequest struct {
	On bool `json:"on"`
}

func (s *Server) selfTest(ctx context.Context, q SwitchRequest) (string, error) {
	return s.robot.SelfTest(ctx, q.On)
}

func (s *Server) checks(ctx context.Context, q SwitchRequest) (string, error) {
	return s.robot.Checks(ctx, q.On)
}

// A VarRequest is the body of POST /v1/var.
type VarRequest struct {
	Name  string `json:"name"`
	Value int32  `json:"value"`
}

func (s *Server) setVar(ctx context.Context, q VarRequest) (string, error) {
	return s.robot.SetVar(ctx, q.Name, q.Value)
}

// A FeatureRequest is the body of POST /v1/feature.
type FeatureRequest struct {
	Feature  string `json:"feature"`
	Override string `json:"override"` // Default (as the files say), Enabled or Disabled
}

func (s *Server) feature(ctx context.Context, q FeatureRequest) (string, error) {
	return s.robot.Feature(ctx, q.Feature, q.Override)
}

// A ReactionRequest is the body of POST /v1/reaction.
type ReactionRequest struct {
	Condition string `json:"condition"` // its type, as in the map of reactions
	Behavior  string `json:"behavior"`  // empty: none
}

func (s *Server) reaction(ctx context.Context, q ReactionRequest) (string, error) {
	return s.robot.Reaction(ctx, q.Condition, q.Behavior)
}

func (s *Server) cancel(ctx context.Context, _ nothing) (string, error) { return s.robot.Cancel(ctx) }

func (s *Server) world(ctx context.Context, a Act) (string, error) {
	if err := a.Validate(); err != nil {
		return "", Refuse(err)
	}
	return s.robot.Act(ctx, a)
}

// maxID bounds the number of a cube or a face.
const maxID = 10000

// Validate checks name and numbers.
func (a Act) Validate() error {
	if !slices.Contains(Acts(), a.Act) {
		return resources.Unknown("act", a.Act, Acts())
	}
	if names := ActNames(a.Act); names != nil && a.Name != "" && !slices.Contains(names, a.Name) {
		return resources.Unknown("name of "+a.Act, a.Name, names)
	}
	if err := validSeconds(a.Seconds); err != nil {
		return err
	}
	if a.ID < 0 || a.ID > maxID {
		return fmt.Errorf("%s: id %d is not between 0 and %d", a.Act, a.ID, maxID)
	}
	const farMM = 10000
	if !(math.Abs(a.XMM) <= farMM && math.Abs(a.YMM) <= farMM && math.Abs(a.HeadingRad) <= 100) {
		return fmt.Errorf("%s: %g, %g mm, %g rad is out of this world", a.Act, a.XMM, a.YMM, a.HeadingRad)
	}
	return nil
}

func validSeconds(s float64) error {
	if s != 0 && !(s >= minSeconds && s <= maxSeconds) {
		return fmt.Errorf("seconds: %g is neither 0 nor between %g and %d", s, minSeconds, maxSeconds)
	}
	return nil
}

// ValidSpan checks a duration as the API does, for callers that check before they send.
func ValidSpan(d time.Duration) error {
	if d != 0 && (d < time.Millisecond || d > maxSeconds*time.Second) {
		return fmt.Errorf("%v is not between 1ms and %v", d, maxSeconds*time.Second)
	}
	return nil
}

// Seconds turns seconds into a duration.
func Seconds(s float64) time.Duration { return time.Duration(math.Round(s * 1e9)) }

// A FaultRequest is the body of POST /v1/fault. Zero seconds: until cleared.
type FaultRequest struct {
	Device  string  `json:"device"`
	Kind    string  `json:"kind"`
	Seconds float64 `json:"seconds"`
}

func (s *Server) fault(ctx context.Context, q FaultRequest) (string, error) {
	if err := validSeconds(q.Seconds); err != nil {
		return "", Refuse(err)
	}
	return s.robot.Fault(ctx, q.Device, q.Kind, Seconds(q.Seconds))
}

func (s *Server) clearFaults(ctx context.Context, _ nothing) (string, error) {
	return s.robot.ClearFaults(ctx)
}

func (s *Server) wake(ctx context.Context, _ nothing) (string, error) { return s.robot.Wake(ctx) }

// A ResumeRequest is the body of POST /v1/resume: the number of the stop that its sender was shown.
type ResumeRequest struct {
	Stop *uint64 `json:"stop"`
}

// resume ends the stop that the request names and no later one. A request that names none is refused. The refusal does not tell the
// number, because a client that takes it from there was not shown the stop.
func (s *Server) resume(ctx context.Context, q ResumeRequest) (string, error) {
	if q.Stop == nil {
		return "", Refuse(errors.New(`stop: missing; a resume names the stop that it ends, by "number" of "stop" in /v1/state`))
	}
	return s.robot.Resume(ctx, *q.Stop)
}

// maxSightings bounds the faces and the objects of one image.
const maxSightings = 64

func (s *Server) detections(ctx context.Context, d Detections) (string, error) {
	switch {
	case max(len(d.Faces), len(d.Objects), len(d.Points), len(d.Pets)) > maxSightings:
		return "", Refuse(fmt.Errorf("detections: more than %d faces, objects, points or pets", maxSightings))
	case !(d.BeatAgeMS >= 0 && d.BeatAgeMS <= 1e6):
		return "", Refuse(fmt.Errorf("beat_age_ms: %g is not between 0 and 1000000", d.BeatAgeMS))
	case !(d.AgeMS >= 0 && d.AgeMS <= 1e6):
		return "", Refuse(fmt.Errorf("age_ms: %g is not between 0 and 1000000", d.AgeMS))
	}
	if err := errors.Join(d.validSource(), d.validWords(), d.validPlaces()); err != nil {
		return "", Refuse(err)
	}
	return s.robot.Detect(ctx, d)
}

// estop reads no body, waits for no tick, and works while the server is stopping.
func (s *Server) estop(w http.ResponseWriter, _ *http.Request) {
	stop := s.robot.EStop()
	s.operator.told(estopPath, fmt.Sprintf("stop %d", stop), nil)
	w.Header().Set("Connection", "close") // the answer does not wait for a body that was announced
	writeJSON(w, http.StatusOK, Answer{OK: true, Text: fmt.Sprintf("stopped: the motors are switched off at once, the mind follows with its next tick (stop %d)", stop), Stop: stop})
}

// state answers with the state view of the tick that is asked for, or else waits for that of the next tick. If none comes in time, it
// sends the newest one.
func (s *Server) state(w http.ResponseWriter, r *http.Request) {
	if r.URL.RawQuery != "" || s.over() != nil {
		ask(s, s.instants, stillState, "tick", "at")(w, r)
		return
	}
	ctx, cancel := s.patience(r.Context())
	defer cancel()
	f, err := s.robot.Feed().Next(ctx)
	if err != nil {
		f = s.robot.Feed().Newest()
	}
	if f == nil {
		deny(w, http.StatusServiceUnavailable, "no tick has completed yet")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(append(f.JSON(), '\n'))
}

// patience is how long an answer waits for a tick: until the server closes at most, for then none comes any more.
func (s *Server) patience(of context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(of, replyTimeout)
	end := context.AfterFunc(s.streams, cancel)
	return ctx, func() {
		end()
		cancel()
	}
}

func (s *Server) faults(w http.ResponseWriter, r *http.Request) {
	all, err := s.robot.Faults(r.Context())
	if err != nil {
		reply(w, "", err)
		return
	}
	if all == nil {
		all = []FaultState{}
	}
	writeJSON(w, http.StatusOK, all)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
