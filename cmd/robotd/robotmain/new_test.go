package robotmain

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNewAsksAgainAfterAnAnswerThatCannotBe(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../../resources")); err != nil {
		t.Fatal(err)
	}
	p, err := newProgram(Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	answers := strings.Join([]string{"Wiat", "Wait", "../Nap", "Nap", "nowhere", dir, "Explore", ""}, "\n")
	if err := p.ask(strings.NewReader(answers+"\n"), &out, instance{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`did you mean "Wait"?`, "want letters, digits and _", `directory "nowhere" does not exist`, "Nap.json", "has no list of behaviors"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the dialog has no %q:\n%s", want, out.String())
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "behaviors", "Nap.json")); err != nil || !strings.Contains(string(text), `"$schema": "../schema/behavior.schema.json"`) {
		t.Errorf("%s, %v", text, err)
	}
	if err := p.ask(strings.NewReader("Wait\n"), &out, instance{}); err == nil || !strings.Contains(err.Error(), "no answer to") {
		t.Errorf("an end of the answers gives %v", err)
	}
}
