package daemon_test

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
	"github.com/robotd/robotd/cmd/robotd/internal/speech"
)

// What the live robot says is made by the program that speaks, lasts as long as its audio, and is there for the page.
func TestLiveRobotSpeaksThroughItsProgram(t *testing.T) {
	audio := &speech.Audio{Rate: 8000, Channels: 1, PCM: make([]byte, 2*8000*3)} // three seconds: much longer than the words would take
	file := filepath.Join(t.TempDir(), "spoken.wav")
	if err := os.WriteFile(file, audio.WAV(), 0o600); err != nil {
		t.Fatal(err)
	}
	s := setuptest.Options(t, 1)
	s.Speak = []string{"cat", file}
	c, ctx := serve(t, s)
	page := c.Base()
	ask := func() {
		t.Helper()
		if _, err := c.Post(ctx, "/v1/world", control.Act{Act: "face", Name: "Ada"}); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Post(ctx, "/v1/run-behavior", control.RunRequest{ID: "GreetFace", Times: 1}); err != nil {
			t.Fatal(err)
		}
	}
	var number uint64
	var begin, end, asked time.Time
	for late := time.Now().Add(2 * time.Minute); end.IsZero(); {
		looked := time.Now()
		var st control.State
		if _, err := c.Get(ctx, "/v1/state", &st); err != nil {
			t.Fatal(err)
		}
		greets := slices.ContainsFunc(st.Stack, func(l control.StackEntry) bool { return l.ID == "GreetFace" })
		if number == 0 && !greets && time.Since(asked) > 5*time.Second { // the robot lives: it may have something else to do
			ask()
			asked = time.Now()
		}
		speaks := bytes.ContainsRune([]byte(st.Body.Says), ' ') // a text, and no clip
		switch {
		case speaks && number == 0:
			number = st.Body.Sensors.Sound
		case speaks:
		case number != 0:
			end = time.Now()
		case time.Now().After(late):
			t.Fatalf("it says %q", st.Body.Says)
		default:
			begin = looked // at the earliest: a busy machine looks seldom
		}
	}
	if took := end.Sub(begin); took < 2500*time.Millisecond {
		t.Errorf("the words took %v, their audio takes 3 s", took)
	}
	for path, want := range map[string]int{strconv.FormatUint(number, 10): 200, "1234567": 204, "x": 400} {
		r, err := http.Get(page + "/v1/sound/" + path)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(r.Body)
		_ = r.Body.Close()
		if r.StatusCode != want || want == 200 && (!bytes.Equal(body, audio.WAV()) || r.Header.Get("Content-Type") != "audio/wav") {
			t.Errorf("%s: %d, %d bytes of %s", path, r.StatusCode, len(body), r.Header.Get("Content-Type"))
		}
	}
}
