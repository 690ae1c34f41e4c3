package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// builtModule is the program of testdata/module, built once outside the checkout, as an author does who uses this checkout by a replace
// directive. It needs no network: the requirements are those of this module.
var builtModule = sync.OnceValues(func() (program string, err error) {
	checkout, err := filepath.Abs("../..")
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(os.Getenv("XDG_STATE_HOME"), "module") // it is removed after the last test
	if err != nil {
		return "", err
	}
	own, err := os.ReadFile(filepath.Join(checkout, "go.mod"))
	if err != nil {
		return "", err
	}
	sums, err := os.ReadFile(filepath.Join(checkout, "go.sum"))
	if err != nil {
		return "", err
	}
	const name = "github.com/robotd/robotd"
	mod := strings.Replace(string(own), "module "+name+"\n", "module example.org/waver\n", 1) +
		"\nrequire " + name + " v0.0.0\n\nreplace " + name + " => " + checkout + "\n"
	if err := errors.Join(os.CopyFS(dir, os.DirFS("testdata/module")), os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o600),
		os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o600)); err != nil {
		return "", err
	}
	program = filepath.Join(dir, "waver")
	build := exec.Command("go", "build", "-mod=mod", "-ldflags=-s -w", "-o", program, ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return program, nil
})

// buildModule returns the program of a foreign module and a folder with the module's resources, of the test alone.
func buildModule(t *testing.T) (dir, program string) {
	t.Helper()
	program, err := builtModule()
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(t.TempDir(), "waver")
	if err := os.CopyFS(dir, os.DirFS("testdata/module")); err != nil {
		t.Fatal(err)
	}
	return dir, program
}

// runs runs a program in a folder and returns its output and exit code.
func runs(t *testing.T, dir, program string, args ...string) (stdout string, code int) {
	t.Helper()
	c := exec.Command(program, args...)
	c.Dir = dir
	var out, diag bytes.Buffer
	c.Stdout, c.Stderr = &out, &diag
	var exit *exec.ExitError
	if err := c.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatalf("%v: %v\n%s", args, err, diag.String())
	}
	if diag.Len() > 0 {
		t.Logf("%v: %s", args, diag.String())
	}
	return out.String(), c.ProcessState.ExitCode()
}

func TestForeignModuleAddsAClassToEveryCommand(t *testing.T) {
	t.Parallel()
	dir, waver := buildModule(t)
	if out, code := runs(t, dir, waver, "check", "tree"); code != 0 || out != "5 behaviors are fine; 0 errors, 0 warnings\n" {
		t.Errorf("check ends with %d: %s", code, out)
	}
	if out, code := runs(t, dir, waver, "check", "--classes"); code != 0 || !strings.Contains(out, "Moves the head to and fro") {
		t.Errorf("check --classes ends with %d and does not list Wave:\n%s", code, out)
	}
	if out, code := runs(t, dir, waver, "graph", "tree"); code != 0 || !strings.Contains(out, "─ WaveTwice  Wave") {
		t.Errorf("graph ends with %d:\n%s", code, out)
	}
	if out, code := runs(t, dir, waver, "version"); code != 0 || !strings.HasPrefix(out, "robotd waver-1 ") {
		t.Errorf("version ends with %d: %s", code, out)
	}
	if out, code := runs(t, dir, waver, "new", "Wave", "WaveAgain", "tree"); code != 0 || !strings.HasPrefix(out, filepath.Join("tree", "behaviors", "WaveAgain.json")) {
		t.Errorf("new ends with %d: %s", code, out)
	}
	out, code := runs(t, dir, waver, "run", "--headless", "--for", "20s", "--resources", "tree", "--summary", "json")
	var sum struct {
		Activations         map[string]uint64 `json:"activations"`
		LifecycleViolations uint64            `json:"lifecycle_violations"`
		Panics              uint64            `json:"panics"`
	}
	if err := json.Unmarshal([]byte(out), &sum); err != nil || code != 0 {
		t.Fatalf("run ends with %d: %v\n%s", code, err, out)
	}
	if sum.Activations["WaveTwice"] == 0 || sum.Activations["Rest"] == 0 || sum.LifecycleViolations+sum.Panics != 0 {
		t.Errorf("summary %+v", sum)
	}
}

// WallAhead and the sensor that it reads are of the module. The sensor fails once, and its actor opens it anew.
func TestForeignModuleAddsAConditionAndADriver(t *testing.T) {
	t.Parallel()
	dir, waver := buildModule(t)
	if out, code := runs(t, dir, waver, "list", "conditions", "WallAhead"); code != 0 || !strings.Contains(out, "A wall stands right in front") || !strings.Contains(out, "nearer_mm  number, mm, 30 to 1200; required: the wall is nearer than this") {
		t.Errorf("list ends with %d:\n%s", code, out)
	}
	if out, code := runs(t, dir, waver, "schema", "tree", "--out", "schema"); code != 0 {
		t.Errorf("schema ends with %d: %s", code, out)
	}
	schema, err := os.ReadFile(filepath.Join(dir, "schema", "behavior.schema.json"))
	if err != nil || !bytes.Contains(schema, []byte(`"condition.WallAhead"`)) {
		t.Errorf("the schema does not know WallAhead: %v", err)
	}
	misspelt := filepath.Join(dir, "misspelt")
	if err := os.CopyFS(misspelt, os.DirFS(filepath.Join(dir, "tree"))); err != nil {
		t.Fatal(err)
	}
	file := `{"behaviorClass": "Wave", "behaviorID": "WaveTwice", "wantsToBeActivatedCondition": {"conditionType": "WallAhead", "nearer_mn": 200}}`
	if err := os.WriteFile(filepath.Join(misspelt, "behaviors", "WaveTwice.json"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, code := runs(t, dir, waver, "check", "misspelt", "--json"); code != 3 || !strings.Contains(out, "nearer_mm") || strings.Count(out, `"severity"`) != 1 {
		t.Errorf("check ends with %d: %s", code, out)
	}
	recording := filepath.Join(dir, "life")
	out, code := runs(t, dir, waver, "run", "--headless", "--for", "20s", "--resources", "tree", "--record", recording, "--summary", "json")
	if code != 0 || !strings.Contains(out, `"restarts":1,`) {
		t.Errorf("run ends with %d:\n%s", code, out)
	}
	if out, code := runs(t, dir, waver, "replay", recording, "--verify"); code != 0 {
		t.Errorf("replay ends with %d:\n%s", code, out)
	}
	if out, code := runs(t, dir, waver, "why", "Flinch", "--file", recording); code != 0 || !strings.Contains(out, "the next wall is 150.0 mm ahead") || !strings.Contains(out, "a wall must be nearer than 100 mm") {
		t.Errorf("why ends with %d:\n%s", code, out)
	}
}

// The file of a robot asks for a driver of the module by its word, and has its keys. Every command that reads robots knows the word.
func TestRobotsFileNamesADriverOfAModule(t *testing.T) {
	t.Parallel()
	dir, waver := buildModule(t)
	r1, err := os.ReadFile("../../resources/robots/sim.json")
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, driver string) {
		t.Helper()
		text := strings.Replace(string(r1), `"driver": "vl53l0x", "chip": "range"`, driver, 1)
		text = strings.Replace(text, `"robot": "sim"`, `"robot": "`+name+`"`, 1)
		if err := os.WriteFile(filepath.Join(dir, name+".json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("walled", `"driver": "wall", "wall_mm": 130`)
	if out, code := runs(t, dir, waver, "check", "walled.json"); code != 0 || out != "walled.json is fine\n" {
		t.Errorf("check ends with %d: %s", code, out)
	}
	recording := filepath.Join(dir, "walled")
	out, code := runs(t, dir, waver, "run", "--headless", "--robot", "walled.json", "--for", "5s", "--resources", "tree", "--record", recording, "--summary", "json")
	if code != 0 || !strings.Contains(out, `"restarts":0,`) {
		t.Errorf("run ends with %d:\n%s", code, out)
	}
	if out, code := runs(t, dir, waver, "why", "Flinch", "--file", recording); code != 0 || !strings.Contains(out, "the next wall is 130.0 mm ahead") {
		t.Errorf("why ends with %d:\n%s", code, out)
	}
	write("misspelt", `"driver": "wal", "wall_mm": 130`)
	if out, code := runs(t, dir, waver, "check", "misspelt.json"); code != 3 || !strings.Contains(out, "misspelt.json:") || !strings.Contains(out, `"wall"`) {
		t.Errorf("check ends with %d: %s", code, out)
	}
	if out, code := runs(t, dir, waver, "schema", "tree", "--out", "schema"); code != 0 {
		t.Errorf("schema ends with %d: %s", code, out)
	}
	schema, err := os.ReadFile(filepath.Join(dir, "schema", "robot.schema.json"))
	if err != nil || !bytes.Contains(schema, []byte(`"wall"`)) {
		t.Errorf("the schema of robots does not know the word: %v", err)
	}
	if out, code := runs(t, dir, waver, "calibrate", "--list", "--robot", "walled.json", "--state", "state"); code != 0 || !strings.Contains(out, "battery") {
		t.Errorf("calibrate ends with %d: %s", code, out)
	}
	if out, code := runs(t, dir, waver, "doctor", "--robot", "walled.json"); code != 1 || !strings.Contains(out, "walled: R1") {
		t.Errorf("doctor ends with %d: %s", code, out)
	}
}

// The same on a robot that lives in real time, asked through its control API.
func TestConditionAndDriverOfAModuleOnTheRunningRobot(t *testing.T) {
	t.Parallel()
	dir, waver := buildModule(t)
	address, err := freeAddress()
	if err != nil {
		t.Fatal(err)
	}
	metrics, err := freeAddress()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(waver, "run", "--resources", "tree", "--listen", address, "--metrics-listen", metrics, "--state", filepath.Join(dir, "state"))
	c.Dir = dir
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	type device struct {
		Name, Quality, Value string
		Restarts             int
	}
	var state struct{ Devices []device }
	soon(t, "the sensor fails once and works again", func() bool {
		i := -1
		if fetch(t, "http://"+address+"/v1/state", &state) {
			i = slices.IndexFunc(state.Devices, func(d device) bool { return d.Name == "range" })
		}
		return i >= 0 && state.Devices[i].Restarts == 1 && state.Devices[i].Quality == "ok" && strings.HasPrefix(state.Devices[i].Value, "150")
	})
	type gate struct{ Name, Text string }
	var why struct {
		Gates []gate
	}
	if text := textOf(t, "http://"+address+"/v1/reference/markdown"); !strings.Contains(text, "### WallAhead\n\nA wall stands right in front of the robot.") || !strings.Contains(text, "### Wave\n") {
		t.Error("the reference lacks what the module adds")
	}
	if text := textOf(t, "http://"+address+"/v1/reference"); !strings.Contains(text, `src="/reference.js"`) {
		t.Errorf("the page of the reference: %.200s", text)
	}
	soon(t, "why tells the distance", func() bool {
		return fetch(t, "http://"+address+"/v1/why?id=Flinch", &why) && slices.Contains(why.Gates, gate{"WallAhead(100 mm)", "the next wall is 150.0 mm ahead"})
	})
}

// textOf reads a text.
func textOf(t *testing.T, url string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", url, resp.Status, err)
	}
	return string(text)
}

// fetch reads a JSON answer, and reports whether there was one.
func fetch(t *testing.T, url string, into any) bool {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}
	defer func() { _ = resp.Body.Close() }()
	return resp.StatusCode == http.StatusOK && json.NewDecoder(resp.Body).Decode(into) == nil
}

// soon waits until something is so; a minute is what only a robot that hangs needs.
func soon(t *testing.T, what string, is func() bool) {
	t.Helper()
	end, again := time.NewTimer(time.Minute), time.NewTicker(50*time.Millisecond)
	defer end.Stop()
	defer again.Stop()
	for !is() {
		select {
		case <-again.C:
		case <-end.C:
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

// TestInitWritesAModuleThatBuildsAndLives builds what init --module writes, outside the checkout, and runs it.
func TestInitWritesAModuleThatBuildsAndLives(t *testing.T) {
	t.Parallel()
	checkout, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	robotd, err := exec.LookPath("robotd")
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	if out, code := runs(t, work, robotd, "init", "nodder", "--module", "example.org/nodder", "--replace", checkout); code != 0 || !strings.HasPrefix(out, "wrote 8 files to nodder; next: ") {
		t.Fatalf("init ends with %d: %s", code, out)
	}
	dir := filepath.Join(work, "nodder")
	goTool(t, dir, "build", "-ldflags=-s -w", "-o", "nodder", ".")
	nodder := filepath.Join(dir, "nodder")
	if out, code := runs(t, dir, nodder, "check", "robot"); code != 0 || !strings.Contains(out, "NodTwice: behaviors/NodTwice.json (own)") {
		t.Errorf("check ends with %d: %s", code, out)
	}
	if out, code := runs(t, dir, nodder, "list", "classes", "Nod"); code != 0 || !strings.Contains(out, "number of nods") {
		t.Errorf("list ends with %d: %s", code, out)
	}
	if out, code := runs(t, dir, nodder, "list", "conditions", "HeadLow"); code != 0 || !strings.Contains(out, "The head is low.") {
		t.Errorf("list ends with %d: %s", code, out)
	}
	if out, code := runs(t, dir, nodder, "schema", "robot", "--out", "robot/schema"); code != 0 {
		t.Errorf("schema ends with %d: %s", code, out)
	}
	out, code := runs(t, dir, nodder, "run", "--headless", "--for", "20s", "--resources", "robot", "--base", "NodTwice", "--summary", "json")
	if code != 0 || !strings.Contains(out, `"NodTwice":`) {
		t.Errorf("run ends with %d: %s", code, out)
	}
}

// goTool runs go in a module outside the checkout, without a network.
func goTool(t *testing.T, dir string, args ...string) {
	t.Helper()
	c := exec.Command("go", args...)
	c.Dir, c.Env = dir, append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod", "GOWORK=off", "GOSUMDB=off")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// TestNewClassIsRegisteredPassesAndLives writes a class into a module outside the checkout, puts another one beside it by hand, and lives with both.
func TestNewClassIsRegisteredPassesAndLives(t *testing.T) {
	t.Parallel()
	checkout, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	robotd, err := exec.LookPath("robotd")
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	for _, args := range [][]string{
		{"init", "own", "--module", "example.org/own", "--replace", checkout},
		{"new", "--class", "DoDishes", "own", "--parent", "ModeSelector"},
	} {
		if out, code := runs(t, work, robotd, args...); code != 0 {
			t.Fatalf("%s ends with %d: %s", args[0], code, out)
		}
	}
	dir := filepath.Join(work, "own")
	nod, err := os.ReadFile(filepath.Join(dir, "nod.go"))
	if err != nil {
		t.Fatal(err)
	}
	byHand := strings.NewReplacer("package main", "package tricks", "Nod", "Bow", "nod", "bow").Replace(string(nod))
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "tricks"), 0o755), os.WriteFile(filepath.Join(dir, "tricks", "bow.go"), []byte(byHand), 0o600)); err != nil {
		t.Fatal(err)
	}
	goTool(t, dir, "generate", "./...")
	goTool(t, dir, "vet", "./...")
	goTool(t, dir, "test", "./...")
	goTool(t, dir, "build", "-ldflags=-s -w", "-o", "own", ".")
	own := filepath.Join(dir, "own")
	if out, code := runs(t, dir, own, "check", "robot"); code != 0 || !strings.Contains(out, " behaviors are fine; 0 errors, ") {
		t.Errorf("check ends with %d: %s", code, out)
	}
	if out, code := runs(t, dir, own, "list", "classes", "Bow"); code != 0 || !strings.Contains(out, "number of bows") {
		t.Errorf("list ends with %d: %s", code, out)
	}
	if out, code := runs(t, dir, own, "run", "--headless", "--for", "20s", "--resources", "robot", "--base", "DoDishes", "--summary", "json"); code != 0 || !strings.Contains(out, `"DoDishes":`) {
		t.Errorf("run ends with %d: %s", code, out)
	}
}
