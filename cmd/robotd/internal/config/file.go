package config

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/robotd/robotd/resources"
)

// read adds what a file says. A file in a default place may be absent.
func (p *Place) read(s Sources, best map[string]given) error {
	dir := filepath.Dir(p.File)
	if _, err := os.Stat(p.File); errors.Is(err, fs.ErrNotExist) {
		if p.Must {
			return &Error{Text: fmt.Sprintf("there is no configuration file %s", p.File)}
		}
		return nil
	}
	p.Read = true
	doc, diags := resources.LoadFile(os.DirFS(dir), filepath.Base(p.File))
	var found map[string]given
	if doc != nil {
		found = s.Rules.readObject(doc.Root(), s.Known)
		doc.Finish()
		diags = append(diags, doc.Diagnostics()...)
	}
	if diags.HasErrors() && !s.Salvage {
		return flawed(diags.Prefix(dir)...)
	}
	for name, g := range found {
		g.origin.Rank, g.origin.Name = p.Rank, p.File
		better(best, name, g)
	}
	if diags.HasErrors() {
		return flawed(diags.Prefix(dir)...)
	}
	return nil
}

// Keys are what a file may hold.
func (r Rules) Keys(known *pflag.FlagSet) []resources.KeyInfo {
	return resources.Explore(func(o *resources.Object) { r.readObject(o, known) })
}

// readObject reads a value for each flag of a set.
func (r Rules) readObject(o *resources.Object, known *pflag.FlagSet) map[string]given {
	found := map[string]given{}
	known.VisitAll(func(f *pflag.Flag) {
		text := r.readKey(o, f)
		_, usage := pflag.UnquoteUsage(f)
		o.Describe(f.Name, usage)
		if _, there := o.Peek(f.Name); there && !o.Spoilt(f.Name) {
			found[f.Name] = given{text: text, origin: Origin{Pos: o.ValuePos(f.Name)}}
		}
	})
	return found
}

// readKey reads the value of a flag as the flag takes it.
func (r Rules) readKey(o *resources.Object, f *pflag.Flag) string {
	if words := r.Words[f.Name]; words != nil {
		return o.EnumOr(f.Name, f.DefValue, words)
	}
	switch f.Value.Type() {
	case "bool":
		return strconv.FormatBool(o.BoolOr(f.Name, f.DefValue == "true"))
	case "uint64":
		def, _ := strconv.Atoi(f.DefValue)
		return strconv.Itoa(o.IntRangeOr(f.Name, def, 0, math.MaxInt))
	}
	return o.StringOr(f.Name, f.DefValue)
}
