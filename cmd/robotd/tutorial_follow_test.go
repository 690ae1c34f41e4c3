package main_test

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// tutorialDir is the folder that the tutorial makes.
const tutorialDir = "my-robot"

// A step is one fenced block of the tutorial: a file to write (json, go), a change of one (diff), commands with what they print
// (console) or without (sh). Blocks of other languages are excerpts, which are not typed.
type step struct {
	kind, file, text string
}

// named matches a file in the text of the tutorial. The last one before a block is the file that the block is about.
var named = regexp.MustCompile("`((?:my-robot|behaviors)/[\\w./-]+\\.(?:json|go))`")

func tutorialSteps(t *testing.T) (steps []step) {
	t.Helper()
	src, err := os.ReadFile(tutorial)
	if err != nil {
		t.Fatal(err)
	}
	file := ""
	for i, part := range strings.Split(string(src), "```") {
		if i%2 == 1 {
			kind, text, _ := strings.Cut(part, "\n")
			steps = append(steps, step{kind, file, text})
		} else if all := named.FindAllStringSubmatch(part, -1); len(all) > 0 {
			file = all[len(all)-1][1]
		}
	}
	if len(steps) < 15 {
		t.Fatalf("only %d steps", len(steps))
	}
	return steps
}

// patch applies a change: the lines that begin with a space or minus must stand in the text once.
func patch(t *testing.T, file, text, change string) string {
	t.Helper()
	var from, to strings.Builder
	for line := range strings.Lines(change) {
		if line[0] != '+' {
			from.WriteString(line[1:])
		}
		if line[0] != '-' {
			to.WriteString(line[1:])
		}
	}
	if strings.Contains(text, to.String()) {
		return text // a reader made it in the checkout
	}
	if n := strings.Count(text, from.String()); n != 1 {
		t.Fatalf("the tutorial changes lines of %s that stand there %d times, want once:\n%s", file, n, from.String())
	}
	return strings.Replace(text, from.String(), to.String(), 1)
}

// A reader follows the tutorial. What it changes in the checkout is laid over it, for the go command only.
type reader struct {
	t       *testing.T
	work    string            // where my-robot is
	bin     string            // first on the path
	root    string            // of the checkout
	overlay map[string]string // changed file of the checkout → where its new text is
}

func TestTutorialFollowedToTheLetterWorks(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	r := &reader{t: t, work: t.TempDir(), bin: t.TempDir(), root: root, overlay: map[string]string{}}
	for _, s := range tutorialSteps(t) {
		switch s.kind {
		case "json", "go":
			r.write(s.file, s.text)
		case "diff":
			r.write(s.file, patch(t, s.file, r.read(s.file), s.text))
		case "console":
			r.console(s.text)
		case "sh":
			for line := range strings.Lines(s.text) {
				r.command(strings.TrimSpace(line))
			}
		case "jsonc":
		default:
			t.Errorf("nobody follows a block of the language %q", s.kind)
		}
	}
}

// place is where a file of the tutorial is on disk.
func (r *reader) place(file string) string {
	if strings.HasPrefix(file, tutorialDir) {
		return filepath.Join(r.work, file)
	}
	name := filepath.Join(r.root, file)
	if over := r.overlay[name]; over != "" {
		return over
	}
	return name
}

func (r *reader) read(file string) string {
	r.t.Helper()
	text, err := os.ReadFile(r.place(file))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

func (r *reader) write(file, text string) {
	r.t.Helper()
	if !strings.HasPrefix(file, tutorialDir) {
		r.overlay[filepath.Join(r.root, file)] = filepath.Join(r.work, strings.ReplaceAll(file, "/", "-"))
	}
	if err := os.WriteFile(r.place(file), []byte(text), 0o600); err != nil {
		r.t.Fatalf("the tutorial writes %s: %v", file, err)
	}
}

// cmd is a command in a folder, with the reader's path.
func (r *reader) cmd(dir, name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir, c.Env = dir, append(os.Environ(), "PATH="+r.bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return c
}

// mark separates what one command of a block prints from what the next one does.
const mark = "== next =="

// console runs the lines that begin with a dollar in one shell, and compares what each prints with the lines below it.
func (r *reader) console(block string) {
	r.t.Helper()
	var script strings.Builder
	script.WriteString("mark() { rc=$?; echo '" + mark + "'; return $rc; }\n")
	var lines, wants []string
	for line := range strings.Lines(block) {
		if c, ok := strings.CutPrefix(line, "$ "); ok {
			script.WriteString("mark\n" + c)
			lines, wants = append(lines, c), append(wants, "")
		} else {
			wants[len(wants)-1] += line
		}
	}
	c := r.cmd(r.work, "sh")
	c.Stdin = strings.NewReader(script.String())
	out, _ := c.CombinedOutput() // the exit code of the last command does not count
	got := strings.Split(string(out), mark+"\n")[1:]
	if len(got) != len(wants) {
		r.t.Fatalf("%d commands gave %d outputs:\n%s", len(wants), len(got), out)
	}
	for i, want := range wants {
		if !printed(want).MatchString(got[i]) {
			r.t.Errorf("$ %sprints\n%s\nthe tutorial says\n%s", lines[i], got[i], want)
		}
	}
}

// printed matches what the tutorial shows: … is any text, and alone on a line any number of lines.
func printed(want string) *regexp.Regexp {
	var b strings.Builder
	for line := range strings.Lines(want) {
		if line == "…\n" {
			b.WriteString(`(?:.*\n)*`)
			continue
		}
		b.WriteString(strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*"))
	}
	return regexp.MustCompile("^" + b.String() + "$")
}

// command runs a line that prints nothing of interest: a robot that lives until it is told to stop, or a command in the checkout
// with the reader's changes.
func (r *reader) command(line string) {
	r.t.Helper()
	words := strings.Fields(line)
	switch {
	case strings.HasPrefix(line, "robotd run "):
		r.live(words[1:])
	case line == "make build":
		r.golang("build", "-o", filepath.Join(r.bin, "robotd"), "./cmd/robotd")
	case strings.HasPrefix(line, "go "):
		r.golang(words[1], words[2:]...)
	default:
		r.t.Errorf("nobody follows the command %q", line)
	}
}

// golang runs the go command over the changed checkout.
func (r *reader) golang(verb string, args ...string) {
	r.t.Helper()
	text, err := json.Marshal(map[string]any{"Replace": r.overlay})
	if err != nil {
		r.t.Fatal(err)
	}
	file := filepath.Join(r.work, "overlay")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		r.t.Fatal(err)
	}
	flags := []string{verb, "-overlay", file}
	if verb == "test" {
		flags = append(flags, "-vet=off") // it wants to be in the directory of each package, and that of a new one is not there
	}
	if out, err := r.cmd(r.root, "go", append(flags, args...)...).CombinedOutput(); err != nil {
		r.t.Fatalf("go %s %s: %v\n%s", verb, strings.Join(args, " "), err, out)
	}
}

// live starts the daemon, on ports of its own, and stops it in order once it is ready.
func (r *reader) live(args []string) {
	r.t.Helper()
	c := r.cmd(r.work, "robotd", append(args, "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0")...)
	log, err := c.StderrPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		r.t.Fatal(err)
	}
	var said strings.Builder
	ready := false
	for lines := bufio.NewScanner(log); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		if strings.Contains(lines.Text(), "msg=ready") {
			ready = true
			_ = c.Process.Signal(syscall.SIGTERM)
		}
	}
	if err := c.Wait(); err != nil || !ready {
		r.t.Errorf("robotd %s: ready %t, %v\n%s", strings.Join(args, " "), ready, err, said.String())
	}
}
