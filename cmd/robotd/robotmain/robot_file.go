package robotmain

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/robotd/robotd/behaviors/reference"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/resources"
)

// robotFile describes the files of robots, for schema and list: what the code that reads them accepts.
func (p *program) robotFile() reference.File {
	words := p.named.Words()
	return reference.File{
		Name: "robot", Pattern: profile.Dir + "/*.json", Doc: "A robot: its buses, chips, lines and parts, and how large it is.",
		Keys: resources.Explore(func(o *resources.Object) { profile.Read(o, words) }),
	}
}

// isRobotFile reports whether the argument of check is the file of a robot, and no folder, behavior or configuration.
func isRobotFile(name string) bool {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || filepath.Ext(name) != ".json" {
		return false
	}
	src, err := os.ReadFile(name)
	if err != nil {
		return false
	}
	doc, _ := resources.Parse(name, src)
	if doc == nil {
		return true // its finding says why it is nothing
	}
	return doc.Root().Has("robot") || doc.Root().Has("parts")
}

// checkRobotFile checks the file of a robot alone.
func (p *program) checkRobotFile(out io.Writer, name string, strict, asJSON bool) error {
	src, err := os.ReadFile(name)
	if err != nil {
		return usage("%v", err)
	}
	_, diags := profile.Parse(filepath.ToSlash(name), src, p.named.Words())
	if diags.HasErrors() || strict && diags.Count(resources.Warning) > 0 {
		err = findings()
	}
	if asJSON {
		return errors.Join(json.NewEncoder(out).Encode(struct {
			Errors      int                   `json:"errors"`
			Warnings    int                   `json:"warnings"`
			Diagnostics resources.Diagnostics `json:"diagnostics"`
		}{diags.Count(resources.Error), diags.Count(resources.Warning), append(resources.Diagnostics{}, diags...)}), err)
	}
	text := diags.String()
	if len(diags) == 0 {
		text = name + " is fine"
	}
	_, wrote := fmt.Fprintln(out, text)
	return errors.Join(wrote, err)
}
