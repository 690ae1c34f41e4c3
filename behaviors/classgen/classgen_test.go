package classgen

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// module writes a module with these files and returns its folder.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.org/own\n"
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// source is a Go file with one function that returns a class of that name.
func source(pkg, function, name string) string {
	return "package " + pkg + "\n\nimport \"" + behaviorsPath + "\"\n\nfunc " + function + "() behaviors.Class {\n\treturn behaviors.Class{Name: \"" + name + "\"}\n}\n"
}

func TestClassesOfAllPackagesBelowAreListed(t *testing.T) {
	dir := module(t, map[string]string{
		"main.go":       "package main\n\nfunc main() {}\n",
		"nod.go":        strings.NewReplacer("\"git", "b \"git", "behaviors.Class", "b.Class").Replace(source("main", "NodClass", "Nod")),
		"tricks/sit.go": source("tricks", "SitClass", "Sit"), "more/tricks/roll_over.go": source("tricks", "RollOverClass", "RollOver"),
		"tricks/part.go":      source("tricks", "part", "Part"),
		"tricks/sit_test.go":  source("tricks", "WrongClass", "Wrong"),
		"testdata/wrong.go":   source("x", "Wrong", "Wrong"),
		"other/go.mod":        "module example.org/other\n",
		"other/x.go":          source("x", "Wrong", "Wrong"),
		"never.go":            "//go:build never\n\n" + source("main", "Wrong", "Wrong"),
		"of.go":               "package main\n\nimport \"" + behaviorsPath + "\"\n\nfunc Of(n int) behaviors.Class { return behaviors.Class{} }\n",
		"tricks/elsewhere.go": "package tricks\n\nimport \"example.org/own/behaviors\"\n\nfunc Else() behaviors.Class { return behaviors.Class{} }\n",
	})
	if _, err := Write(dir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, File))
	if err != nil {
		t.Fatal(err)
	}
	const want = `import (
	"github.com/robotd/robotd/behaviors"
	"example.org/own/more/tricks"
	tricks2 "example.org/own/tricks"
)

// classes lists the classes of this package and of those below it, by name.
func classes() []behaviors.Class {
	return []behaviors.Class{
		NodClass(),
		tricks.RollOverClass(),
		tricks2.SitClass(),
	}
}
`
	sorted := func(s string) []string { lines := strings.Split(s, "\n"); slices.Sort(lines); return lines }
	if _, got, _ := strings.Cut(string(text), "package main\n\n"); !slices.Equal(sorted(got), sorted(want)) {
		t.Errorf("the list is\n%s\nwant\n%s", got, want)
	}
}

func TestBrokenConventionIsToldWithItsPlace(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"nods.go", source("main", "NodClass", "Nod"), "nods.go:5: the class Nod stands in nods.go: want it in nod.go"},
		{"nod.go", source("main", "NodClass", "Nodd"), `nod.go:6: the class is named "Nod" by NodClass, and "Nodd" here: want the same`},
		{"nod.go", source("main", "Nod", "Nod"), "nod.go:5: the function Nod returns a class: call it NodClass"},
		{"nod.go", source("main", "nodClass", "Nod"), "nod.go:5: the function nodClass is not exported: call it NodClass"},
		{"nod.go", source("main", "Class", "Nod"), "nod.go:5: the function Class says no name of a class"},
		{"do_dishes.go", source("main", "Do_DishesClass", "Do_Dishes"), `do_dishes.go:5: "Do_Dishes" is no name of a class: want letters and digits`},
		{"turn.go", source("main", "TurnWindowsClass", "TurnWindows"), "turn.go:5: the class TurnWindows would stand in turn_windows.go, which go does not build"},
		{"self.go", source("main", "SelfTestClass", "SelfTest"), "self.go:5: the class SelfTest would stand in self_test.go, which go does not build"},
		{"tool/nod.go", source("main", "NodClass", "Nod"), "nod.go:5: the class Nod is in a package main of its own"},
		{"a/bow.go", source("a", "BowClass", "Bow"), "bow.go:5: a second class Bow; the first is at "},
		{"nod.go", "package main\n\nfunc {\n", "nod.go:3:6: expected 'IDENT'"},
	} {
		dir := module(t, map[string]string{"main.go": "package main\n", "bow.go": source("main", "BowClass", "Bow"), c.file: c.text})
		_, err := Write(dir)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.file, err, c.want)
		}
		if _, err := os.Stat(filepath.Join(dir, File)); err == nil {
			t.Errorf("%s: the list was written", c.file)
		}
	}
}

func TestEveryBrokenConventionIsToldAtOnce(t *testing.T) {
	dir := module(t, map[string]string{"b.go": source("main", "NodClass", "Nod"), "a.go": source("main", "BowClass", "Bow")})
	_, err := Scan(dir)
	if err == nil || strings.Count(err.Error(), "\n") != 1 || !strings.Contains(strings.Split(err.Error(), "\n")[0], "a.go:5") {
		t.Errorf("%v", err)
	}
}

func TestListNeedsAPackageAndAModule(t *testing.T) {
	if _, err := Write(module(t, map[string]string{})); err == nil || !strings.Contains(err.Error(), "holds no Go package") {
		t.Errorf("no package: %v", err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(dir); err == nil || !strings.Contains(err.Error(), "is in no Go module") {
		t.Errorf("no module: %v", err)
	}
}

func TestListOfTheLibraryIsWhatGoGenerateWrites(t *testing.T) {
	found, err := Scan("../library")
	if err != nil {
		t.Fatal(err)
	}
	want, err := list("../library", found)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join("../library", File)); err != nil || string(got) != string(want) {
		t.Errorf("%v: go generate ./behaviors/library changes %s", err, File)
	}
}

func TestFileOfAClassIsItsNameInSnakeCase(t *testing.T) {
	for class, want := range map[string]string{
		"Nod": "nod.go", "HighLevelAI": "high_level_ai.go", "TTSLoop": "tts_loop.go", "Turn180": "turn180.go", "FindFaceAndThen": "find_face_and_then.go",
	} {
		if got := FileOf(class); got != want {
			t.Errorf("%s: %s, want %s", class, got, want)
		}
	}
}

func TestDeclaredNameIsFoundOutsideTheFilesOfTheClass(t *testing.T) {
	dir := module(t, map[string]string{"nod.go": "package main\n\ntype Nod int\n", "nod_test.go": "package main\n\nvar Nod2 int\n", "x.go": "package main\n\nfunc (Nod) Bow() {}\n\nconst a, Bow = 1, 2\n"})
	if at, name, err := Declared(dir, "nod.go", "Bow", "Nod", "Nod2"); err != nil || name != "Bow" || at.Line != 5 {
		t.Errorf("%v %s %v", at, name, err)
	}
	if _, name, err := Declared(dir, "nod.go", "Nod", "Nod2"); err != nil || name != "" {
		t.Errorf("%s %v", name, err)
	}
}
