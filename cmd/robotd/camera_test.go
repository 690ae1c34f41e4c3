//go:build camera

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/daemon"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
	"github.com/robotd/robotd/cmd/robotd/internal/simrobot"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/hardware/sim"
)

const cameraProgram = "../../resources/examples/camera/camera.py"

// A portrait is a picture with one face: NASA's of Eileen Collins, in the public domain, which scikit-image has as astronaut.png.
// .ci/camera fetches it.
func portrait(t *testing.T) image.Image {
	t.Helper()
	f, err := os.Open(os.Getenv("ROBOTD_FACE"))
	if err != nil {
		t.Fatalf("ROBOTD_FACE names no picture of a face (%v); make camera sets it", err)
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The face in the portrait: its middle, and the width that the detector gives it.
var (
	faceAt      = image.Pt(225, 114)
	faceWidePix = 97.0
)

// picture writes a gray picture of 640 by 480 points with the face at a place, scaled down by a whole number; 0 is no face.
func picture(t *testing.T, file string, at image.Point, smaller int) {
	t.Helper()
	canvas := image.NewRGBA(image.Rect(0, 0, 640, 480))
	draw.Draw(canvas, canvas.Bounds(), image.NewUniform(color.Gray{Y: 120}), image.Point{}, draw.Src)
	if smaller > 0 {
		from := portrait(t)
		const half = 85 // around the middle of the face, hair and chin included
		for y := -half / smaller; y < half/smaller; y++ {
			for x := -half / smaller; x < half/smaller; x++ {
				canvas.Set(at.X+x, at.Y+y, mean(from, faceAt.Add(image.Pt(x*smaller, y*smaller)), smaller))
			}
		}
	}
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, canvas); err != nil {
		t.Fatal(err)
	}
}

// mean is the mean color of a square of points.
func mean(m image.Image, at image.Point, side int) color.Color {
	var r, g, b, n uint32
	for y := range side {
		for x := range side {
			cr, cg, cb, _ := m.At(at.X+x, at.Y+y).RGBA()
			r, g, b, n = r+cr>>8, g+cg>>8, b+cb>>8, n+1
		}
	}
	return color.RGBA{uint8(r / n), uint8(g / n), uint8(b / n), 255}
}

// camera starts the example; its standard error is the text.
func camera(t *testing.T, args ...string) (*exec.Cmd, *spoken) {
	t.Helper()
	c, text := exec.Command("/usr/bin/python3", append([]string{cameraProgram}, args...)...), &spoken{}
	c.Stderr = text
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill() })
	return c, text
}

// What was spoken is text that one goroutine writes and another reads.
type spoken struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *spoken) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *spoken) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// shown is what the example prints of the pictures of a folder.
func shown(t *testing.T, args ...string) (all []control.Detections) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "/usr/bin/python3", append([]string{cameraProgram, "--print"}, args...)...)
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var one control.Detections
		if err := d.Decode(&one); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		all = append(all, one)
	}
}

func TestCameraPlacesFacesByTheGeometryOfThePicture(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	places := []struct {
		name    string
		at      image.Point
		smaller int
	}{
		{"1.png", image.Pt(320, 240), 1}, // in the middle
		{"2.png", image.Pt(120, 240), 1}, // left
		{"3.png", image.Pt(520, 120), 1}, // right and high
		{"4.png", image.Pt(320, 380), 2}, // low, and twice as far
		{"5.png", image.Pt(0, 0), 0},     // nobody
	}
	for _, p := range places {
		picture(t, filepath.Join(dir, p.name), p.at, p.smaller)
	}
	const fov, tilt, faceMM = 60.0, 10.0, 165.0
	found := shown(t, "--source", dir, "--fov", "60", "--tilt", "10", "--face-mm", "165")
	if len(found) != len(places) {
		t.Fatalf("%d pictures shown, want %d", len(found), len(places))
	}
	focal := 320 / math.Tan(fov/2*math.Pi/180)
	for i, p := range places {
		if p.smaller == 0 {
			if len(found[i].Faces) != 0 {
				t.Errorf("%s: %v, want nobody", p.name, found[i].Faces)
			}
			continue
		}
		if len(found[i].Faces) != 1 {
			t.Fatalf("%s: %v, want one face", p.name, found[i].Faces)
		}
		f := found[i].Faces[0]
		// The ray through the middle of the face, in the camera's frame, then turned by the tilt about the robot's left.
		x, y, z := focal, 320-float64(p.at.X), 240-float64(p.at.Y)
		sin, cos := math.Sincos(tilt * math.Pi / 180)
		x, z = x*cos-z*sin, x*sin+z*cos
		bearing, elevation := math.Atan2(y, x), math.Atan2(z, math.Hypot(x, y))
		distance := faceMM * float64(p.smaller) / faceWidePix * math.Hypot(x, y)
		if math.Abs(f.BearingRad-bearing) > 0.02 || math.Abs(f.ElevationRad-elevation) > 0.02 || math.Abs(f.DistanceMM/distance-1) > 0.15 {
			t.Errorf("%s: bearing %.3f elevation %.3f distance %.0f, want %.3f %.3f %.0f", p.name,
				f.BearingRad, f.ElevationRad, f.DistanceMM, bearing, elevation, distance)
		}
		if f.ID != 1 {
			t.Errorf("%s: the face is %d, want 1 as before", p.name, f.ID)
		}
	}
	if found[0].Light != "Illuminated" {
		t.Errorf("light %q", found[0].Light)
	}
}

// A robot in a world without people, on the page of a daemon.
func emptyWorld(t *testing.T) string {
	t.Helper()
	s := setuptest.Options(t, 3)
	page, err := control.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	metrics, err := control.ListenAny("127.0.0.1:0", "--metrics-listen")
	if err != nil {
		t.Fatal(err)
	}
	rig := sim.New(sim.Options{Seed: 3, Profile: profile.R1(), Live: true, Nobody: true, StartOffCharger: true, BatteryRatio: 1})
	o := daemon.Options{Control: page, Metrics: metrics, Robot: simrobot.Over(rig, profile.R1(), clock.Live{}, true)}
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan string, 1), make(chan error, 1)
	o.Ready = func(url string) { ready <- url }
	go func() {
		_, err := daemon.Run(ctx, s, o)
		done <- err
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return strings.TrimSuffix(strings.TrimPrefix(<-ready, "http://"), "/")
}

func TestRobotGreetsFaceThatCameraFinds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	picture(t, filepath.Join(dir, "1.png"), image.Pt(320, 240), 1) // wherever it looks
	address := emptyWorld(t)
	began := time.Now()
	_, text := camera(t, "--source", dir, "--loop", "--robot", address)
	var lived []string
	greeted := func() bool {
		var state struct {
			Stack []struct{ ID, State string }
		}
		r, err := http.Get("http://" + address + "/v1/state")
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		if err := json.NewDecoder(r.Body).Decode(&state); err != nil {
			t.Fatal(err)
		}
		for _, b := range state.Stack {
			if now := b.ID + " " + b.State; len(lived) == 0 || !slices.Contains(lived, now) {
				lived = append(lived, now)
			}
			if b.ID == "GreetFace" { // in a world where nobody else is
				return true
			}
		}
		return false
	}
	for !greeted() { // each answer waits for a tick
		if time.Since(began) > 40*time.Second {
			t.Fatalf("nobody is greeted\n%s\n%q", text, lived)
		}
	}
	t.Logf("greeted after %v", time.Since(began).Round(100*time.Millisecond))
}

// A wish is a daemon that only wants and counts.
type wish struct {
	mu        sync.Mutex
	frequency string
	gone      bool
	states    int
	posts     []control.Detections
	refused   int
}

func (w *wish) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.gone {
		w.refused++
		panic(http.ErrAbortHandler) // the connection breaks
	}
	if r.Method == http.MethodGet {
		w.states++
		_, _ = io.WriteString(out, `{"services":{"vision":[{"mode":"Faces","frequency":"`+w.frequency+`"},{"mode":"Pets","frequency":"High"}]},"body":{"head_rad":0.25}}`)
		return
	}
	var d control.Detections
	if err := json.NewDecoder(r.Body).Decode(&d); err != nil {
		http.Error(out, `{"error":"`+strconv.Quote(err.Error())+`"}`, http.StatusBadRequest)
		return
	}
	w.posts = append(w.posts, d)
	_, _ = io.WriteString(out, `{"ok":true}`)
}

// during sets what is wanted and returns what comes in a span of time.
func (w *wish) during(span time.Duration, frequency string, gone bool) (posts []control.Detections, states, refused int) {
	w.mu.Lock()
	w.frequency, w.gone, w.posts, w.states, w.refused = frequency, gone, nil, 0, 0
	w.mu.Unlock()
	time.Sleep(span) // rates are counted in real time: they are those of another process
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.posts), w.states, w.refused
}

func TestCameraObeysWantedRateOutlivesDaemonAndEndsOnSignal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	picture(t, filepath.Join(dir, "1.png"), image.Pt(320, 240), 2)
	w := &wish{frequency: "Low"}
	server := httptest.NewUnstartedServer(w)
	server.Config.ErrorLog = nil
	server.Start()
	defer server.Close()
	c, text := camera(t, "--source", dir, "--loop", "--rate", "4", "--robot", server.Listener.Addr().String())
	for began := time.Now(); ; {
		if posts, _, _ := w.during(100*time.Millisecond, "Low", false); len(posts) > 0 {
			break
		}
		if time.Since(began) > 20*time.Second {
			t.Fatalf("nothing is posted\n%s", text)
		}
	}
	low, _, _ := w.during(3*time.Second, "Low", false)
	if n := len(low); n < 3 || n > 7 {
		t.Errorf("%d posts in 3 s at Low, want about 6", n)
	}
	for _, d := range low {
		if len(d.Faces) != 1 || d.Faces[0].ElevationRad < 0.22 || d.Faces[0].ElevationRad > 0.28 || d.Light != "" || d.AgeMS <= 0 {
			t.Errorf("posted %+v, want one face at the elevation of the head, 0.25, its age, and no light, which is not wanted", d)
		}
	}
	high, _, _ := w.during(3*time.Second, "High", false)
	if n := len(high); n < 6 || n > 13 {
		t.Errorf("%d posts in 3 s at High, want about 12 at --rate 4", n)
	}
	w.during(600*time.Millisecond, "Never", false) // one picture may be on its way
	if posts, states, _ := w.during(2*time.Second, "Never", false); len(posts) > 0 || states == 0 || states > 3 {
		t.Errorf("%d posts and %d looks in 2 s while nothing is wanted, want 0 and about 2", len(posts), states)
	}
	if _, _, refused := w.during(3*time.Second, "Low", true); refused == 0 || refused > 5 {
		t.Errorf("%d tries in 3 s without a daemon, want 1 to 5", refused)
	}
	if posts, _, _ := w.during(6*time.Second, "Low", false); len(posts) == 0 {
		t.Errorf("nothing is posted once the daemon is back\n%s", text)
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	over := make(chan error, 1)
	go func() { over <- c.Wait() }()
	select {
	case err := <-over:
		if err != nil {
			t.Errorf("%v, want a clean end\n%s", err, text)
		}
	case <-time.After(5 * time.Second):
		t.Error("it does not end on SIGTERM")
	}
	if lines := strings.Count(text.String(), "\n"); lines > 12 || !strings.Contains(text.String(), "no robotd at") {
		t.Errorf("its log has %d lines, want a few, one of them about the daemon that is gone:\n%s", lines, text)
	}
}

func TestCameraNamesWhatIsWrongWithItsArguments(t *testing.T) {
	t.Parallel()
	empty := t.TempDir()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--fov", "0"}, "argument --fov: '0' is not a number from 10 to 170 degrees"},
		{[]string{"--rate", "fast"}, "argument --rate: 'fast' is not a number from 0.1 to 30 pictures a second"},
		{[]string{"--source", "nowhere"}, "argument --source: there is no nowhere; a camera (/dev/video0), a video or a folder is expected"},
		{[]string{"--source", empty}, "no picture (.jpg .jpeg .png"},
		{[]string{"--robot", "a:b"}, "argument --robot: 'a:b' is no address; one like 127.0.0.1:8420 is expected"},
		{[]string{"--cascades", empty}, "haarcascade_frontalface_alt2.xml is not there; Debian has it in opencv-data"},
		{[]string{"--print", "--source", "/dev/video-none"}, "/dev/video-none gives no pictures: not there, held by another program, or not permitted (group video)"},
	} {
		out, err := exec.CommandContext(t.Context(), "/usr/bin/python3", append([]string{cameraProgram}, c.args...)...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), c.want) || strings.Contains(string(out), "Traceback") {
			t.Errorf("%v: %v\n%s\nwant %q", c.args, err, out, c.want)
		}
	}
}
