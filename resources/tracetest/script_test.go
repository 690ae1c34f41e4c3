package tracetest_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/robotd/robotd/resources/tracetest"
)

var vocabulary = tracetest.Common(map[tracetest.Verb]tracetest.Form{
	"act": tracetest.Target | tracetest.Then, "delegate": tracetest.Target | tracetest.Then, "note": tracetest.May,
})

func parse(text string) (tracetest.Scripts, error) {
	s := tracetest.Scripts{}
	return s, vocabulary.Parse(tracetest.Line{File: "a.txt", No: 7, Text: text}, s)
}

func TestScriptIsRead(t *testing.T) {
	s, err := parse("A.OnActivated: ask B;delegate B then; act then; note; note a b; fail")
	want := []tracetest.Step{
		{Verb: "ask", To: "B"}, {Verb: "delegate", To: "B", Then: true}, {Verb: "act", To: "then"}, {Verb: "note"}, {Verb: "note", To: "a b"}, {Verb: "fail"},
	}
	if err == nil {
		t.Errorf("act without a name is read as %v", s)
	}
	want = slices.Delete(want, 2, 3)
	s, err = parse("A.OnActivated: ask B;delegate B then; note; note a b; fail")
	if got := s.Take(tracetest.Moment{ID: "A", Hook: tracetest.Activated}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

func TestMistakesOfScriptsNameFileAndLine(t *testing.T) {
	for text, want := range map[string]string{
		"A.Update":            `a.txt:7: script "A.Update": want ID.Hook: step; step`,
		"Update: fail":        `a.txt:7: script "Update: fail": want ID.Hook: step; step`,
		".Update: fail":       `a.txt:7: script ".Update: fail": want ID.Hook: step; step`,
		"A.update: fail":      `a.txt:7: script "A.update: fail": unknown hook "update"; want one of Init, `,
		"A.Update: jump":      `a.txt:7: script "A.Update: jump": unknown step "jump"; want one of act, ask, cancel-delegates, `,
		"A.Update:":           `a.txt:7: script "A.Update:": unknown step ""; want one of `,
		"A.Update: ask":       `a.txt:7: script "A.Update: ask": "ask" of what? want a name`,
		"A.Update: act then":  `a.txt:7: script "A.Update: act then": "act then" of what? want a name`,
		"A.Update: yes B":     `a.txt:7: script "A.Update: yes B": "yes" takes no "B"`,
		"A.Update: fail; ask": `a.txt:7: script "A.Update: fail; ask": "ask" of what? want a name`,
	} {
		if _, err := parse(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
}

// Each call of a hook takes its own list; the last one of a question stays.
func TestCallsTakeTheirScripts(t *testing.T) {
	s := tracetest.Scripts{}
	for _, hook := range []string{tracetest.Update, tracetest.Wants} {
		s.Add("A", hook, tracetest.Step{Verb: tracetest.Yes})
		s.Add("A", hook, tracetest.Step{Verb: tracetest.No})
	}
	again := s.Clone()
	for _, s := range []tracetest.Scripts{s, again} {
		for hook, want := range map[string]string{tracetest.Update: "yes no - -", tracetest.Wants: "yes no no no"} {
			var got []string
			for range 4 {
				word := "-"
				if steps := s.Take(tracetest.Moment{ID: "A", Hook: hook}); len(steps) > 0 {
					word = steps[0].String()
				}
				got = append(got, word)
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s: %v, want %s", hook, got, want)
			}
		}
	}
}

func TestLogNests(t *testing.T) {
	var l tracetest.Log
	at := l.Enter("A.WantsToBeActivated")
	l.Enter("B.WantsToBeActivated")
	l.Printf("facts: %s", "none")
	l.Leave()
	l.Leave()
	l.Add(at, " yes")
	l.Printf("last")
	want := []string{"A.WantsToBeActivated yes", "  B.WantsToBeActivated", "    facts: none", "last"}
	if got := l.Lines(); !slices.Equal(got, want) || len(l.Lines()) != 0 {
		t.Errorf("%q", got)
	}
}
