package robotmain

import (
	"bytes"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// completed are the words with which a shell completes a command line.
func completed(t *testing.T, args ...string) []string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := execute(t.Context(), Options{}, append([]string{"__complete"}, args...), &stdout, &stderr); code != exitOK {
		t.Fatalf("%v: exits with %d: %s", args, code, stderr.String())
	}
	var words []string
	for _, line := range strings.Split(strings.TrimSpace(stdout.String()), "\n") {
		if word, _, _ := strings.Cut(line, "\t"); !strings.HasPrefix(word, ":") {
			words = append(words, word)
		}
	}
	return words
}

func TestShellCompletesNamesOfTheBuiltInTreeWithoutARobot(t *testing.T) {
	t.Setenv("ROBOTD_CONFIG", "none")
	t.Setenv("ROBOTD_ADDR", "127.0.0.1:1")
	for line, want := range map[string]string{
		"ctl intent come_": "come_here", "ctl run-behavior ModeS": "ModeSelector", "ctl fault moto": "motors", "ctl fault motors brown": "brownout",
		"ctl stage f": "factory", "ctl checks o": "on", "ctl habitat ": "InHabitat", "ctl picku": "pickup", "why Greet": "GreetFace", "list interf": "",
		"list intent": "intents", "run --robot s": "sim", "run --log-level d": "debug", "run --base ModeS": "ModeSelector", "stop-mot": "stop-motors",
	} {
		got := completed(t, strings.Split(line, " ")...)
		if want == "" && len(got) > 0 || want != "" && !slices.Contains(got, want) {
			t.Errorf("%q is completed by %v, want %q", line, got, want)
		}
	}
}

func TestShellCompletesNamesOfTheRobotThatRuns(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"intents": ["only_here"], "behaviors": ["OnlyHere"]}`))
	})}
	go func() { _ = s.Serve(l) }()
	defer func() { _ = s.Close() }()
	t.Setenv("ROBOTD_CONFIG", "none")
	t.Setenv("ROBOTD_ADDR", l.Addr().String())
	if got := completed(t, "ctl", "intent", ""); !slices.Equal(got, []string{"only_here"}) {
		t.Errorf("intents %v", got)
	}
	if got := completed(t, "ctl", "run-behavior", "--addr", l.Addr().String(), "Only"); !slices.Equal(got, []string{"OnlyHere"}) {
		t.Errorf("behaviors %v", got)
	}
}
