package stacktest

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/stack"
)

// A block is one command of a trace file with what must come out of it.
type block struct {
	comment []string
	command string
	input   []string
	want    []string
}

// RunFile runs every case of a trace file as a subtest. A case begins with a tree command and is named by the rules that
// its comment starts with. With rewrite, expectations are replaced by what came out; a rewritten file must be explained.
func RunFile(t *testing.T, path string, newDriver func() Driver, rewrite bool) {
	t.Helper()
	RunScript(t, path, func() Command {
		d := newDriver()
		return func(command string, input []string) ([]string, error) { return run(d, command, input) }
	}, rewrite)
}

// A Command carries out one command of a trace, with its input lines, and returns what came out. An error ends the case.
type Command func(command string, input []string) ([]string, error)

// RunScript is RunFile for traces with commands of their own. Each case gets a fresh Command.
func RunScript(t *testing.T, path string, fresh func() Command, rewrite bool) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := parseTrace(string(text))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for begin := 0; begin < len(blocks); {
		end := begin + 1
		for end < len(blocks) && blocks[end].command != "tree" {
			end++
		}
		t.Run(caseName(blocks[begin]), func(t *testing.T) { runCase(t, blocks[begin:end], fresh(), rewrite) })
		begin = end
	}
	if rewrite && !t.Failed() {
		if err := os.WriteFile(path, []byte(formatTrace(blocks)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// caseName is the comment up to its first colon: the rule numbers.
func caseName(b block) string {
	if len(b.comment) == 0 {
		return "unnamed"
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(b.comment[0], "# "), ":")
	return name
}

func runCase(t *testing.T, blocks []block, do Command, rewrite bool) {
	t.Helper()
	for i := range blocks {
		b := &blocks[i]
		got, err := do(b.command, b.input)
		if err != nil {
			t.Fatalf("%s: %v", b.command, err)
		}
		if rewrite {
			b.want = got
			continue
		}
		if strings.Join(got, "\n") != strings.Join(b.want, "\n") {
			t.Fatalf("shortest prefix that fails:\n%s\ngot:\n%s", formatTrace(blocks[:i+1]), strings.Join(got, "\n"))
		}
	}
}

// run carries out one command and returns its lines, followed by the violated invariants.
func run(d Driver, command string, input []string) ([]string, error) {
	lines, err := execute(d, command, input)
	if err != nil {
		return nil, err
	}
	for _, v := range d.Violations() {
		lines = append(lines, "VIOLATED "+v)
	}
	if len(lines) == 0 {
		lines = []string{"ok"}
	}
	return lines, nil
}

func execute(d Driver, command string, input []string) ([]string, error) {
	words := strings.Fields(command)
	if words[0] == "tree" {
		tree, err := ParseTree(input)
		if err != nil {
			return nil, err
		}
		lines, err := d.Build(tree)
		return quiet(lines), err
	}
	scripts, err := scriptsOf(words, input)
	if err != nil {
		return nil, err
	}
	switch words[0] {
	case "tick", "chain", "cancel-delegates", "cancel-self":
		return d.Tick(scripts), nil
	case "ticks":
		return ticks(d, words[1:])
	case "state":
		return []string{d.State()}, nil
	case "shutdown":
		return d.Shutdown(), nil
	case "reset-now", "reset-next":
		if len(words) != 2 {
			return nil, fmt.Errorf("%q: want one behavior", command)
		}
		return d.Reset(words[1], words[0] == "reset-now", scripts)
	}
	return nil, fmt.Errorf("unknown command %q", command)
}

// quiet leaves out the Init hooks of a tree, of which only unusual ones are of interest.
func quiet(lines []string) []string {
	var kept []string
	for _, l := range lines {
		if !strings.HasSuffix(l, ".Init") {
			kept = append(kept, l)
		}
	}
	return kept
}

// scriptsOf reads the input of a command, and turns the short forms into scripts of Update:
//
//	chain R A B           R asks and delegates to A, A in its activation to B
//	cancel-delegates A    A cancels its delegates
//	cancel-self A         A cancels itself
func scriptsOf(words, input []string) (Scripts, error) {
	s := Scripts{}
	switch words[0] {
	case "chain":
		hook := stack.HookUpdate
		for i := 1; i+1 < len(words); i++ {
			s.Add(words[i], hook, Step{Ask, words[i+1]}, Step{Delegate, words[i+1]})
			hook = stack.HookActivated
		}
	case "cancel-delegates", "cancel-self":
		for _, id := range words[1:] {
			s.Add(id, stack.HookUpdate, Step{Verb: Verb(words[0])})
		}
	}
	for _, line := range input {
		if err := ParseScript(line, s); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// ticks runs a number of ticks without scripts and prints those of the last one.
func ticks(d Driver, args []string) ([]string, error) {
	n, err := strconv.Atoi(strings.Join(args, " "))
	if err != nil || n < 1 {
		return nil, fmt.Errorf("ticks: want a positive number, not %q", args)
	}
	for range n - 1 {
		d.Tick(Scripts{})
	}
	return d.Tick(Scripts{}), nil
}

// parseTrace splits a file into blocks: comment lines, a command, input lines, "----", expected lines, an empty line.
func parseTrace(text string) ([]block, error) {
	var blocks []block
	var b block
	expected := false
	for i, line := range strings.Split(text, "\n") {
		switch {
		case line == "" && b.command == "":
			if len(b.comment) > 0 {
				b.comment = append(b.comment, "")
			}
		case line == "" && expected:
			blocks = append(blocks, b)
			b, expected = block{}, false
		case line == "":
			return nil, fmt.Errorf("line %d: command %q has no ----", i+1, b.command)
		case expected:
			b.want = append(b.want, line)
		case line == "----":
			expected = true
		case b.command == "" && strings.HasPrefix(line, "#"):
			b.comment = append(b.comment, line)
		case b.command == "":
			b.command = line
		default:
			b.input = append(b.input, line)
		}
	}
	if b.command != "" {
		return nil, fmt.Errorf("last command %q is not finished by an empty line", b.command)
	}
	return blocks, nil
}

func formatTrace(blocks []block) string {
	var sb strings.Builder
	for i, b := range blocks {
		if i > 0 {
			sb.WriteString("\n")
		}
		for _, part := range [][]string{b.comment, {b.command}, b.input, {"----"}, b.want} {
			for _, line := range part {
				sb.WriteString(line + "\n")
			}
		}
	}
	return sb.String() + "\n"
}
