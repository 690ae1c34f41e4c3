package robotmain

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/robotd/robotd/behaviors/classgen"
	"github.com/robotd/robotd/resources"
)

// moduleFiles are what init --module writes; the names of the files end in .txt here, so that they are no part of this module.
//
//go:embed module
var moduleFiles embed.FS

// robotModule is the module that a module of classes requires.
const robotModule = "github.com/robotd/robotd"

// moduleData is the resource folder of the module.
const moduleData = "robot"

// modulePath is what the path of a Go module looks like, closely enough for a message.
var modulePath = regexp.MustCompile(`^[a-z0-9]([a-zA-Z0-9._~-]*[a-zA-Z0-9])?(/[a-zA-Z0-9._~-]*[a-zA-Z0-9])*$`)

// A moduleOf is a module to be written.
type moduleOf struct {
	path     string // of the module
	checkout string // of robotd, for a replace directive; empty for none
}

// write writes the module to dir and returns the number of files.
func (m moduleOf) write(dir string) (n int, err error) {
	if !modulePath.MatchString(m.path) {
		return 0, usage("%q is no path of a Go module; want one such as example.org/my-robot", m.path)
	}
	name := path.Base(m.path)
	files := map[string]string{"go.mod": m.goMod()}
	if m.checkout != "" {
		if files["go.sum"], err = m.sums(); err != nil {
			return 0, err
		}
	}
	for source, target := range map[string]string{
		"main.go": "main.go", "nod.go": "nod.go", "head_low.go": "head_low.go", "NodTwice.json": path.Join(moduleData, resources.BehaviorsDir, "NodTwice.json"),
	} {
		text, err := fs.ReadFile(moduleFiles, path.Join("module", source+".txt"))
		if err != nil {
			return 0, err
		}
		files[target] = strings.ReplaceAll(string(text), "{{name}}", name)
	}
	files[path.Join(moduleData, resources.LayerFile)] = layerText
	if err := writeFolder(dir, files); err != nil {
		return 0, err
	}
	_, err = classgen.Write(dir)
	return len(files) + 1, err
}

// goMod is the module file. Until versions of robotd are published it is found by a replace directive.
func (m moduleOf) goMod() string {
	version := strings.TrimPrefix(runtime.Version(), "go")
	if f := strings.Fields(version); len(f) > 0 && f[0][0] >= '0' && f[0][0] <= '9' {
		version = f[0]
	} else {
		version = "1.25"
	}
	replace := "// Until versions of robotd are published, name your checkout:\n// replace " + robotModule + " => ../robotd\n"
	if m.checkout != "" {
		replace = "// Until versions of robotd are published.\nreplace " + robotModule + " => " + m.checkout + "\n"
	}
	return fmt.Sprintf("module %s\n\ngo %s\n\nrequire %s v0.0.0\n\n%s", m.path, version, robotModule, replace)
}

// sums are the checksums of what the checkout requires.
func (m moduleOf) sums() (string, error) {
	mod, err := os.ReadFile(filepath.Join(m.checkout, "go.mod"))
	if err != nil || !strings.HasPrefix(string(mod), "module "+robotModule+"\n") {
		return "", usage("%q is no checkout of %s: its go.mod does not begin with that module", m.checkout, robotModule)
	}
	sums, err := os.ReadFile(filepath.Join(m.checkout, "go.sum"))
	return string(sums), err
}
