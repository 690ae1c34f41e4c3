package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/resources"
)

// Profile is the robot of the run.
func (o *Options) Profile() *profile.Profile {
	if o.Robot == nil {
		return profile.R1()
	}
	return o.Robot
}

// Robots lists the robots of a tree and those inside the binary, sorted.
func (t Tree) Robots() []string {
	all := append(profile.Names(t.FS), profile.Names(resources.Embedded())...)
	slices.Sort(all)
	return slices.Compact(all)
}

// Robot reads a robot by its name in the tree or inside the binary, or from a file. The findings are those of the file; the profile is nil if
// one of them is an error.
func (t Tree) Robot(word string) (*profile.Profile, resources.Diagnostics, error) {
	if strings.HasSuffix(word, ".json") {
		if info, err := os.Stat(word); err == nil && !info.Mode().IsRegular() { // a pipe would hold the start for ever
			return nil, nil, fmt.Errorf("%s: is no regular file", word)
		}
		src, err := os.ReadFile(word)
		if err != nil {
			var p *fs.PathError
			if errors.As(err, &p) {
				err = p.Err
			}
			return nil, nil, fmt.Errorf("%s: %w", word, err)
		}
		p, diags := profile.Parse(filepath.ToSlash(word), src, t.Words)
		return p, diags, nil
	}
	if slices.Contains(profile.Names(t.FS), word) {
		p, diags, err := profile.Load(t.FS, word, t.Words)
		if t.Dir != "" {
			diags = t.named(diags)
		}
		return p, diags, err
	}
	if known := t.Robots(); !slices.Contains(known, word) {
		return nil, nil, resources.UnknownOr("robot", word, known, "robotd list robots shows them; a file ends in .json")
	}
	return profile.Load(resources.Embedded(), word, t.Words)
}

// CheckRobots reads all robots of the tree and returns their findings.
func (t Tree) CheckRobots() (names []string, all resources.Diagnostics) {
	names = profile.Names(t.FS)
	for _, name := range names {
		_, diags, err := profile.Load(t.FS, name, t.Words)
		if err != nil {
			diags = append(diags, resources.Diagnostic{File: profile.Dir + "/" + name + ".json", Line: 1, Col: 1, Message: err.Error()})
		}
		all = append(all, diags...)
	}
	if t.Dir != "" {
		all = t.named(all)
	}
	return names, all
}
