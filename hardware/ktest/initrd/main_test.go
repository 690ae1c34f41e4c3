package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestModuleThatIsNotThereOrIsNoneIsNamed(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "hid-cp2112.ko"), []byte(strings.Repeat("no ELF", 20)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"uhid": "no module uhid below " + dir, "hid_cp2112": filepath.Join(dir, "hid-cp2112.ko") + ": bad magic"} {
		if _, err := resolve(dir, []string{name}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestArchiveHasEveryEntryAtAMultipleOfFour(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "p")
	if err := os.WriteFile(program, []byte("seven b"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	if err := run(out, program, dir, nil); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var at []int
	for i := range len(b) - 6 {
		if string(b[i:i+6]) == "070701" {
			at = append(at, i)
		}
	}
	if len(at) != 8 { // five folders, the console, the program, the end
		t.Errorf("%d entries", len(at))
	}
	for _, i := range at {
		if i%4 != 0 {
			t.Errorf("an entry at %d", i)
		}
	}
	if i := strings.Index(string(b), "init\x00"); i < 0 || !strings.HasPrefix(string(b[(i+5+3)&^3:]), "seven b") {
		t.Error("the program is not where its header says")
	}
	if err := run(out, filepath.Join(dir, "nothing"), dir, nil); err == nil {
		t.Error("a program that is not there makes no error")
	}
}
