package robotmain

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// command runs one command line and returns its exit code and output.
func command(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, diag bytes.Buffer
	code = execute(t.Context(), Options{}, args, &out, &diag)
	return code, out.String(), diag.String()
}

// contents are the files of a folder with their texts.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		all[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// ownModule is a module that init --module wrote.
func ownModule(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "own")
	if code, _, diag := command(t, "init", dir, "--module", "example.org/own"); code != 0 {
		t.Fatalf("init ends with %d: %s", code, diag)
	}
	return dir
}

func TestClassThatCannotBeWrittenLeavesNothing(t *testing.T) {
	dir := ownModule(t)
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("dance.go", "package main\n\ntype Sit struct{}\n")
	write("robot/behaviors/Broken.json", `{"behaviorClass": "Wait", "behaviorID": "Broken"}`)
	before := contents(t, dir)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--class", "do dishes!", dir}, `"do dishes!" is no name of a class: want letters and digits`},
		{[]string{"--class", "", dir}, `"" is no name of a class`},
		{[]string{"--class", "LookLinux", dir}, "would stand in look_linux.go, which go does not build on every machine"},
		{[]string{"--class", "Explore", dir}, "there is a class Explore: "},
		{[]string{"--class", "Nod", dir}, "the class Nod exists at "},
		{[]string{"--class", "Sit", dir}, "the name Sit is taken at "},
		{[]string{"--class", "DoDishes", "Broken", dir}, `the ID "Broken" is taken by `},
		{[]string{"--class", "DoDishes", "a b", dir}, `"a b" cannot be the ID of a behavior`},
		{[]string{"--class", "DoDishes", dir, "--parent", "Nobody"}, `there is no parent "Nobody"`},
		{[]string{"--class", "DoDishes", dir, "--parent", "Explore"}, "has no list of behaviors"},
		{[]string{"--class", "DoDishes", dir, "--package", "social"}, "--package belongs to a checkout of robotd"},
		{[]string{"--class", "DoDishes", filepath.Join(dir, "robot")}, "is no Go module: it has no go.mod"},
		{[]string{"--class", "DoDishes", "A", "B", dir}, "is too much"},
		{[]string{"Wait", "Nap", filepath.Join(dir, "robot"), "--package", "social"}, "--package belongs to --class"},
	} {
		code, out, diag := command(t, append([]string{"new"}, c.args...)...)
		if code != 2 || out != "" || !strings.Contains(diag, c.want) {
			t.Errorf("%q ends with %d: %s%s\nwant %s", c.args, code, out, diag, c.want)
		}
		if !maps.Equal(before, contents(t, dir)) {
			t.Fatalf("%q changed the module", c.args)
		}
	}
	write("nods.go", strings.Replace(before[filepath.Join(dir, "nod.go")], "NodClass()", "BowClass()", 1))
	if code, _, diag := command(t, "new", "--class", "DoDishes", dir); code != 2 || !strings.Contains(diag, "nods.go:20: the class Bow stands in nods.go") {
		t.Errorf("a broken convention ends with %d: %s", code, diag)
	}
}

func TestClassIsWrittenOnceUnlessForced(t *testing.T) {
	dir := ownModule(t)
	if code, out, diag := command(t, "new", "--class", "DoDishes", "Wash", dir, "--in", "home"); code != 0 || !strings.Contains(out, "next: cd "+dir) {
		t.Fatalf("new ends with %d: %s%s", code, out, diag)
	}
	files := contents(t, dir)
	for name, want := range map[string]string{
		"do_dishes.go": "func DoDishesClass() behaviors.Class {", "do_dishes_test.go": `os.ReadFile("robot/behaviors/home/Wash.json")`,
		"testdata/do_dishes.txt": "Wash.OnActivated", "robot/behaviors/home/Wash.json": `"behaviorClass": "DoDishes"`, "classes_gen.go": "DoDishesClass(),\n\t\tNodClass(),",
	} {
		if text := files[filepath.Join(dir, name)]; !strings.Contains(text, want) || strings.Contains(text, "{{") {
			t.Errorf("%s has no %s:\n%s", name, want, text)
		}
	}
	if code, _, diag := command(t, "new", "--class", "DoDishes", dir); code != 2 || !strings.Contains(diag, "the class DoDishes exists at ") {
		t.Errorf("the same again ends with %d: %s", code, diag)
	}
}

func TestClassInACheckoutNeedsItsPackage(t *testing.T) {
	dir := t.TempDir()
	for _, part := range []string{"behaviors/library", "resources"} {
		if err := os.CopyFS(filepath.Join(dir, part), os.DirFS("../../../"+part)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module "+robotModule+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, diag := command(t, "new", "--class", "DoDishes", dir); code != 2 || !strings.Contains(diag, "needs --package: one of charging, coordinate") {
		t.Errorf("without a package: %d %s", code, diag)
	}
	if code, _, diag := command(t, "new", "--class", "DoDishes", dir, "--package", "socal"); code != 2 || !strings.Contains(diag, `did you mean "social"?`) {
		t.Errorf("in a wrong package: %d %s", code, diag)
	}
	if code, _, diag := command(t, "new", "--class", "DoDishes", dir, "--package", "social", "--in", "freeplay", "--parent", "ModeSelector"); code != 0 {
		t.Fatalf("new ends with %d: %s", code, diag)
	}
	files := contents(t, dir)
	for name, want := range map[string]string{
		"behaviors/library/social/do_dishes.go":      "package social\n",
		"behaviors/library/social/do_dishes_test.go": "package social_test\n",
		"behaviors/library/classes_gen.go":           "social.DoDishesClass(),",
		"resources/behaviors/freeplay/DoDishes.json": `"$schema": "../../schema/`,
	} {
		if !strings.Contains(files[filepath.Join(dir, name)], want) {
			t.Errorf("%s has no %s:\n%s", name, want, files[filepath.Join(dir, name)])
		}
	}
}
