package daemon_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers/legacy"

	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
	"github.com/robotd/robotd/resources"
)

// calls are requests of every kind: what they send is as the reference says, and so is what comes back, refusals included.
var calls = []struct{ method, path, body string }{
	{"GET", "/v1/state", ""},
	{"GET", "/v1/faults", ""},
	{"GET", "/healthz", ""},
	{"GET", "/readyz", ""},
	{"POST", "/v1/intent", `{"name": "come_here", "data": {"loud": true}}`},
	{"POST", "/v1/intent", `{"name": "no_such"}`},
	{"POST", "/v1/intents", `{"intent": "come_here", "params": {"loud": true}}`},
	{"POST", "/v1/intents", `{"type": "result", "intent": "dance", "parameters": "{\"bars\": 2}\n"}`},
	{"POST", "/v1/intents", `{"from": "app", "intent": "explore", "param": "now"}`},
	{"POST", "/v1/intents", `{"type": "debug"}`},
	{"POST", "/v1/wake", `{}`},
	{"GET", "/v1/actions", ""},
	{"POST", "/v1/actions/do", `{"action": "MoveHead", "params": {"angle_deg": 20}, "interrupt": true}`},
	{"POST", "/v1/actions/do", `{"action": "MoveHead", "params": {"angle": 20}}`},
	{"GET", "/v1/actions", ""},
	{"POST", "/v1/actions/cancel", `{}`},
	{"POST", "/v1/actions/cancel", `{"tag": 5}`},
	{"POST", "/v1/drive", `{"left_mmps": 0, "right_mmps": 0, "head_dps": 20, "interrupt": true}`},
	{"POST", "/v1/drive", `{"left_mmps": 500, "right_mmps": 0}`},
	{"POST", "/v1/run-behavior", `{"id": "Explore", "times": 1}`},
	{"POST", "/v1/cancel", `{}`},
	{"POST", "/v1/var", `{"name": "Speed", "value": 3}`},
	{"POST", "/v1/var", `{"name": "", "value": 3}`},
	{"POST", "/v1/feature", `{"feature": "NoSuch", "override": "Enabled"}`},
	{"POST", "/v1/feature", `{"feature": "NoSuch", "override": "perhaps"}`},
	{"POST", "/v1/reaction", `{"condition": "CliffDetected", "behavior": "ReactToCliff"}`},
	{"POST", "/v1/checks", `{"on": true}`},
	{"POST", "/v1/selftest", `{"on": true}`},
	{"POST", "/v1/selftest", `{"on": false}`},
	{"POST", "/v1/stage", `{"stage": "complete"}`},
	{"POST", "/v1/world", `{"act": "touch", "seconds": 0.5}`},
	{"POST", "/v1/fault", `{"device": "range", "kind": "nack", "seconds": 0.5}`},
	{"GET", "/v1/faults", ""},
	{"POST", "/v1/faults/clear", `{}`},
	{"POST", "/v1/detections", `{"faces": [{"id": 3, "name": "Ada", "bearing_rad": 0.1, "elevation_rad": 0, "distance_mm": 400}]}`},
	{"GET", "/v1/behaviors/files", ""},
	{"GET", "/v1/behaviors/file?path=behavior_config.json", ""},
	{"GET", "/v1/behaviors/file?path=../secret.json", ""},
	{"GET", "/v1/behaviors/set", ""},
	{"POST", "/v1/behaviors/check", `{"path": "behaviors/reactions/ReactToTouch.json", "text": "{ \"behaviorClass\": \"ReactToTuch\" }"}`},
	{"POST", "/v1/behaviors/check", `{"path": "/etc/passwd", "text": ""}`},
	{"POST", "/v1/behaviors/plan", `{}`},
	{"POST", "/v1/behaviors/apply", `{"path": "behaviors/reactions/ReactToTouch.json", "text": "{"}`},
	{"POST", "/v1/behaviors/reload", `{}`},
	{"POST", "/v1/behaviors/rollback", `{}`},
	{"POST", "/v1/estop", ""},
	{"POST", "/v1/resume", `{"stop": 1}`},
	{"GET", "/v1/state", ""},
	{"GET", "/v1/state?tick=1", ""},
	{"GET", "/v1/state?tock=1", ""},
	{"GET", "/v1/history", ""},
	{"GET", "/v1/timeline?from=0&to=1", ""},
	{"GET", "/v1/series", ""},
	{"GET", "/v1/series?names=battery&from=0&to=1&points=10", ""},
	{"GET", "/v1/activations?id=ModeSelector", ""},
	{"GET", "/v1/why?id=Explore&tick=1", ""},
	{"GET", "/v1/log?level=warn&q=range", ""},
	{"GET", "/v1/tree", ""},
	{"GET", "/v1/budget", ""},
}

// A living robot answers as the reference of its API says, with no key more and none of another type.
func TestLivingRobotAnswersAsTheReferenceSays(t *testing.T) {
	c, ctx := serve(t, setuptest.Options(t, 1))
	doc := strictReference(t)
	base := c.Base()
	doc.Servers = openapi3.Servers{{URL: base}}
	router, err := legacy.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	called := map[string]bool{}
	for _, q := range calls {
		called[strings.SplitN(q.path, "?", 2)[0]] = true
		request, err := http.NewRequestWithContext(ctx, q.method, base+q.path, strings.NewReader(q.body))
		if err != nil {
			t.Fatal(err)
		}
		if q.body != "" {
			request.Header.Set("Content-Type", "application/json")
		}
		route, params, err := router.FindRoute(request)
		if err != nil {
			t.Errorf("%s %s: %v", q.method, q.path, err)
			continue
		}
		in := &openapi3filter.RequestValidationInput{Request: request, PathParams: params, Route: route}
		if err := openapi3filter.ValidateRequest(ctx, in); err != nil {
			t.Errorf("%s %s: the reference refuses %s: %v", q.method, q.path, q.body, err)
		}
		request.Body = io.NopCloser(strings.NewReader(q.body))
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		out := &openapi3filter.ResponseValidationInput{RequestValidationInput: in, Status: response.StatusCode, Header: response.Header}
		out.SetBodyBytes(text)
		if err := openapi3filter.ValidateResponse(ctx, out); err != nil {
			t.Errorf("%s %s %s: %d %.200s: %v", q.method, q.path, q.body, response.StatusCode, text, err)
		}
	}
	for path, item := range doc.Paths.Map() {
		if !called[path] && path != "/v1/events" && path != "/v1/watch" {
			t.Errorf("no call tries %s (%v)", path, item.Operations())
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

// strictReference is the reference that is served; keys that it does not name are mistakes.
func strictReference(t *testing.T) *openapi3.T {
	t.Helper()
	text, err := resources.Embedded().Open("web/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = text.Close() }()
	var b bytes.Buffer
	if _, err := b.ReadFrom(text); err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	no := false
	for _, s := range doc.Components.Schemas {
		if len(s.Value.Properties) > 0 {
			s.Value.AdditionalProperties = openapi3.AdditionalProperties{Has: &no}
		}
	}
	return doc
}
