package daemon_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
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
	say := control.ActionRequest{Action: "Say", Params: map[string]json.RawMessage{"text": json.RawMessage(`"well, hello"`)}, Interrupt: true}
	var number uint64
	var begin, end, asked time.Time
	for late := time.Now().Add(2 * time.Minute); end.IsZero(); {
		<-time.After(10 * time.Millisecond)
		looked := time.Now()
		var st control.State
		if _, err := c.Get(ctx, "/v1/state", &st); err != nil {
			t.Fatal(err)
		}
		if number == 0 && time.Since(asked) > 5*time.Second { // the robot lives: it may end what it says
			if _, err := c.Post(ctx, "/v1/actions/do", say); err != nil {
				t.Log(err) // something else holds the track
			}
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
