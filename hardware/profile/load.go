package profile

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/robotd/robotd/resources"
)

// Dir is the folder of the profiles in a resource tree.
const Dir = "robots"

// Default is the robot of a run that names none.
const Default = "sim"

// Names lists the robots of a tree, sorted.
func Names(tree fs.FS) []string {
	files, _ := fs.Glob(tree, path.Join(Dir, "*.json"))
	for i, f := range files {
		files[i] = strings.TrimSuffix(path.Base(f), ".json")
	}
	slices.Sort(files)
	return files
}

// Load reads the robot of that name from a tree. The findings are those of its file. An unknown name is an error that lists the known ones.
func Load(tree fs.FS, name string, also Words) (*Profile, resources.Diagnostics, error) {
	if known := Names(tree); !slices.Contains(known, name) {
		return nil, nil, resources.Unknown("robot", name, known)
	}
	file := path.Join(Dir, name+".json")
	src, err := fs.ReadFile(tree, file)
	if err != nil {
		return nil, nil, fmt.Errorf("robot %s: %w", name, err)
	}
	p, diags := Parse(file, src, also)
	return p, diags, nil
}

// Parse reads a profile from the bytes of a file. Its name must be that of the file. The profile is nil if there are errors.
func Parse(file string, src []byte, also Words) (*Profile, resources.Diagnostics) {
	doc, diags := resources.Parse(file, src)
	if doc == nil && !diags.HasErrors() {
		return nil, append(diags, resources.Diagnostic{File: file, Line: 1, Col: 1, Severity: resources.Error, Code: resources.CodeKeyRequired, Message: "there is no robot in it; a file of a robot holds one object, in { }"})
	}
	if doc == nil {
		return nil, diags
	}
	o := doc.Root()
	p := Read(o, also)
	if want := strings.TrimSuffix(path.Base(file), ".json"); o.Has("robot") && !o.Spoilt("robot") && p.Name != want {
		o.KeyErrorf("robot", "robot-name", "is %q, but the file is %s", p.Name, path.Base(file))
	}
	doc.Finish()
	if doc.Errors() > 0 {
		p = nil
	}
	return p, doc.Diagnostics()
}

// R1 is the reference robot, the profile [Default] of the built-in tree.
var R1 = sync.OnceValue(func() *Profile {
	p, diags, err := Load(resources.Embedded(), Default, nil)
	if err != nil || p == nil {
		panic(fmt.Sprintf("profile: built-in robot: %v %v", err, diags))
	}
	return p
})
