package robotmain

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/classgen"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/resources"
)

// libraryDir are the packages of classes in a checkout.
const libraryDir = "behaviors/library"

// A newClass is a class to be written.
type newClass struct {
	name  string
	root  string // of the module
	theme string // in a checkout: its package below libraryDir
}

// A classPlace is where a class goes, in the root of the module and with slashes.
type classPlace struct {
	goDir, listDir string // of the Go file, and of the generated list
	data           string // resource folder
	pkg, testPkg   string
	classes        string // argument of library.Registry in the test
	next           string // what is left to do
}

// scaffoldClass writes a class with its test and a behavior of it, and the list anew. After an error nothing has changed.
func (p *program) scaffoldClass(w io.Writer, c newClass, i instance) error {
	place, err := p.checkClass(c)
	if err != nil {
		return err
	}
	var ch changes
	i.dir = filepath.Join(c.root, filepath.FromSlash(place.data))
	told, err := p.writeClass(c, place, i, &ch)
	if err != nil {
		return errors.Join(ch.undo(), err)
	}
	for _, name := range ch.names() {
		if _, err := fmt.Fprintln(w, name); err != nil {
			return err
		}
	}
	if len(told) > 1 { // the first line is the file of the behavior
		fmt.Fprintln(w, strings.Join(told[1:], "\n"))
	}
	_, err = fmt.Fprintf(w, "next: %s\n", place.next)
	return err
}

// checkClass refuses a class that cannot be written or registered, and finds its place.
func (p *program) checkClass(c newClass) (classPlace, error) {
	old := p.classes.Find(c.name)
	switch {
	case !behaviors.ClassName(c.name):
		return classPlace{}, usage("%q is no name of a class: want letters and digits, with a capital first, such as %q", c.name, "DoDishes")
	case !classgen.Plain(c.name):
		return classPlace{}, usage("the class %s would stand in %s, which go does not build on every machine; choose another name", c.name, classgen.FileOf(c.name))
	case old != nil && old.State == behaviors.Real:
		return classPlace{}, usage("there is a class %s: %s; choose another name", c.name, old.Doc)
	}
	place, err := c.place()
	if err != nil {
		return place, err
	}
	found, err := classgen.Scan(filepath.Join(c.root, filepath.FromSlash(place.listDir)))
	if err != nil {
		return place, usage("the classes of %s cannot be listed:\n%v", c.root, err)
	}
	for _, f := range found {
		if f.Name == c.name {
			return place, usage("the class %s exists at %s:%d", c.name, f.At.Filename, f.At.Line)
		}
	}
	return place, c.declared(place)
}

// place finds out what the module is.
func (c newClass) place() (classPlace, error) {
	module, err := classgen.ImportPath(c.root)
	if _, none := os.Stat(filepath.Join(c.root, "go.mod")); none != nil || err != nil {
		return classPlace{}, usage("%q is no Go module: it has no go.mod; robotd init DIR --module PATH writes one", c.root)
	}
	if module == robotModule {
		return c.inCheckout()
	}
	if c.theme != "" {
		return classPlace{}, usage("--package belongs to a checkout of robotd; %q is the module %s", c.root, module)
	}
	main, err := os.ReadFile(filepath.Join(c.root, "main.go"))
	if err != nil || !strings.Contains(string(main), "classes()") {
		return classPlace{}, usage("%q has no main.go that registers classes(), the generated list; robotd init DIR --module PATH writes one", c.root)
	}
	if _, err := os.Stat(filepath.Join(c.root, moduleData)); err != nil {
		return classPlace{}, usage("%q has no resource folder %s; robotd init DIR --module PATH writes one", c.root, moduleData)
	}
	return classPlace{
		goDir: ".", listDir: ".", data: moduleData, pkg: "main", testPkg: "main", classes: "classes()...",
		next: fmt.Sprintf("cd %s, go test, go build", c.root),
	}, nil
}

// inCheckout is the place in robotd itself.
func (c newClass) inCheckout() (classPlace, error) {
	dirs, err := fs.Glob(os.DirFS(c.root), libraryDir+"/*/*.go")
	var themes []string
	for _, d := range dirs {
		if t := path.Base(path.Dir(d)); len(themes) == 0 || themes[len(themes)-1] != t {
			themes = append(themes, t)
		}
	}
	if err != nil || len(themes) == 0 {
		return classPlace{}, usage("%q has no packages of classes in %s", c.root, libraryDir)
	}
	known := false
	for _, t := range themes {
		known = known || t == c.theme
	}
	switch {
	case c.theme == "":
		return classPlace{}, usage("in a checkout of robotd a class needs --package: one of %s", strings.Join(themes, ", "))
	case !known:
		return classPlace{}, usage("%v", resources.UnknownOr("package", c.theme, themes, ""))
	}
	dir := path.Join(libraryDir, c.theme)
	return classPlace{
		goDir: dir, listDir: libraryDir, data: "resources", pkg: c.theme, testPkg: c.theme + "_test",
		next: fmt.Sprintf("go test ./%s, and go test ./behaviors/reference -update for the page of classes", dir),
	}, nil
}

// params is the name of its struct of parameters.
func (c newClass) params() string {
	r := []rune(c.name)
	r[0] = unicode.ToLower(r[0])
	return string(r) + "Params"
}

// declared refuses a name that the package has for something else.
func (c newClass) declared(place classPlace) error {
	dir := filepath.Join(c.root, filepath.FromSlash(place.goDir))
	at, name, err := classgen.Declared(dir, classgen.FileOf(c.name), c.name, c.name+"Class", c.params(), "update"+c.name)
	if err == nil && name != "" {
		err = usage("the name %s is taken at %s:%d; choose another name", name, at.Filename, at.Line)
	}
	return err
}

// writeClass writes everything and returns what to tell of the behavior.
func (p *program) writeClass(c newClass, place classPlace, i instance, ch *changes) ([]string, error) {
	file := classgen.Snake(c.name)
	dir := filepath.Join(c.root, filepath.FromSlash(place.goDir))
	json, err := filepath.Rel(dir, filepath.Join(i.dir, filepath.FromSlash(i.file())))
	if err != nil {
		return nil, err
	}
	fill := strings.NewReplacer("{{package}}", place.pkg, "{{testpackage}}", place.testPkg, "{{class}}", c.name, "{{params}}", c.params(),
		"{{classes}}", place.classes, "{{file}}", file, "{{id}}", i.id, "{{json}}", filepath.ToSlash(json))
	for source, target := range map[string]string{
		"class.go": file + ".go", "class_test.go": file + "_test.go", "class.txt": "testdata/" + file + ".txt",
	} {
		text, err := fs.ReadFile(moduleFiles, path.Join("module", source+".txt"))
		if err != nil {
			return nil, err
		}
		if err := ch.write(filepath.Join(dir, filepath.FromSlash(target)), fill.Replace(string(text)), i.force); err != nil {
			return nil, err
		}
	}
	told, err := p.knowing(c.name).add(i, ch)
	if err != nil {
		return nil, err
	}
	_, err = classgen.Write(filepath.Join(c.root, filepath.FromSlash(place.listDir)))
	return told, err
}

// templateParams are those of the class that is written.
type templateParams struct {
	Times int `key:"times" range:"1..10" default:"2" why:"two nods are a yes" doc:"number of nods"`
}

// A templateClass reads what the written class reads.
type templateClass struct{ params templateParams }

// knowing is the program with a class as it is written: this one was built before it.
func (p *program) knowing(name string) *program {
	q := *p
	q.classes = p.classes.With(behaviors.Class{Name: name, Doc: "Nods a number of times.", New: func(cfg *behaviors.Config) behaviors.Behavior {
		t := &templateClass{}
		param.ReadConfig(cfg, &t.params)
		return t
	}})
	return &q
}
