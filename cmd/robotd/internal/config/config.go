package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/robotd/robotd/resources"
)

// FileName is the name of the configuration file in its folders.
const FileName = "robotd.json"

// None in place of a file reads none.
const None = "none"

// A Rank orders sources: a later one wins.
type Rank uint8

// The ranks.
const (
	Default Rank = iota
	File
	UserFile
	Variable
	Flag
)

// String is the word of the rank for programs; both files are one.
func (r Rank) String() string {
	return [...]string{"default", "file", "file", "environment", "flag"}[r]
}

// An Origin says where a value comes from.
type Origin struct {
	Rank Rank
	Name string        // of the file, the variable, or the flag with its dashes; empty for a default
	Pos  resources.Pos // in the file
}

func (o Origin) String() string {
	switch {
	case o.Rank == Default:
		return "default"
	case o.Pos.IsValid():
		return o.Name + ":" + o.Pos.String()
	}
	return o.Name
}

// A Place is a file where configuration is looked for.
type Place struct {
	File string
	Rank Rank
	Must bool // that it is not there is an error
	Read bool // by Resolve
}

// Places are the files of this machine, or the one that is named.
func Places(named string) []Place {
	switch named {
	case None:
		return nil
	case "":
	default:
		return []Place{{File: named, Rank: UserFile, Must: true}}
	}
	places := []Place{{File: filepath.Join("/etc/robotd", FileName), Rank: File}}
	if dir, err := os.UserConfigDir(); err == nil {
		places = append(places, Place{File: filepath.Join(dir, "robotd", FileName), Rank: UserFile})
	}
	return places
}

// Sources are what can give flags their values.
type Sources struct {
	Known   *pflag.FlagSet // every setting that there is
	Places  []Place        // in the order of their ranks
	Environ []string       // as os.Environ gives it
	Rules   Rules
	// Salvage leaves out what is wrong and takes the rest; all mistakes are told. Without, the first one ends everything.
	Salvage bool
}

// Rules say what a file may hold beyond the types of the flags.
type Rules struct {
	Words  map[string][]string       // of a setting that takes one of a few
	Either [][2]string               // settings of which one, from a better source, makes the other void
	Void   func(setting string) bool // nil: none
}

// given is a value of one source.
type given struct {
	text   string
	origin Origin
}

// Settings are the flags of a command, with where their values come from.
type Settings struct {
	Places []Place
	from   map[string]Origin
}

// An Error is a wrong value of one source, or a file with mistakes.
type Error struct {
	Text     string
	Findings resources.Diagnostics // about a file; nil for other sources
}

func (e *Error) Error() string { return e.Text }

// flawed is the error of a file.
func flawed(diags ...resources.Diagnostic) *Error {
	diags = slices.DeleteFunc(diags, func(d resources.Diagnostic) bool { return d.Severity != resources.Error })
	all := resources.Diagnostics(diags)
	all.Sort()
	return &Error{all.String(), all}
}

// Resolve sets each flag that does not stand on the command line to the value of the best source, if there is one. Whether a flag stands on
// the command line does not change.
func Resolve(target *pflag.FlagSet, s Sources) (*Settings, error) {
	out := &Settings{Places: slices.Clone(s.Places), from: map[string]Origin{}}
	best := map[string]given{}
	var mistakes []error
	ends := func(err error) bool {
		if err != nil {
			mistakes = append(mistakes, err)
		}
		return err != nil && !s.Salvage
	}
	for i := range out.Places {
		if ends(out.Places[i].read(s, best)) {
			return out, mistakes[0]
		}
	}
	if ends(s.environment(best)) {
		return out, mistakes[0]
	}
	target.Visit(func(f *pflag.Flag) {
		best[f.Name] = given{f.Value.String(), Origin{Rank: Flag, Name: "--" + f.Name}}
	})
	s.Rules.drop(best)
	for _, name := range names(s.Known) {
		f := target.Lookup(name)
		g, ok := best[name]
		if f == nil || !ok {
			continue
		}
		if g.origin.Rank != Flag {
			err := set(f, g)
			if ends(err) {
				return out, err
			}
			if err != nil {
				continue
			}
		}
		out.from[name] = g.origin
	}
	return out, errors.Join(mistakes...)
}

// drop takes away what a better source makes void.
func (r Rules) drop(best map[string]given) {
	for _, pair := range r.Either {
		a, b := best[pair[0]], best[pair[1]]
		switch {
		case a.origin.Rank == Default || b.origin.Rank == Default || a.text == "false":
		case a.origin.Rank < b.origin.Rank:
			delete(best, pair[0])
		case a.origin.Rank > b.origin.Rank:
			delete(best, pair[1])
		}
	}
	for name, g := range best {
		if r.Void != nil && g.origin.Rank != Flag && r.Void(name) {
			delete(best, name)
		}
	}
}

// set gives a flag its value, without marking it as given on the command line.
func set(f *pflag.Flag, g given) error {
	if err := f.Value.Set(g.text); err != nil {
		return g.origin.wrong(f.Name, misread(f, g.text, err))
	}
	return nil
}

// misread words why a flag refuses a text.
func misread(f *pflag.Flag, text string, err error) string {
	want := map[string]string{
		"duration": "a time such as 60ms or 30m", "bool": "true or false", "uint64": "a whole number from 0",
	}[f.Value.Type()]
	if want == "" {
		return fmt.Sprintf("%q: %v", text, err)
	}
	return fmt.Sprintf("want %s, found %q", want, text)
}

// wrong words a mistake in the value of a setting at its place.
func (o Origin) wrong(setting, text string) *Error {
	switch o.Rank {
	case File, UserFile:
		return flawed(resources.Diagnostic{File: o.Name, Line: o.Pos.Line, Col: o.Pos.Col, Code: resources.CodeKeyRange, Message: setting + ": " + text})
	}
	return &Error{Text: o.String() + ": " + text}
}

// Read lists the files that were read.
func (s *Settings) Read() (files []string) {
	for _, p := range s.Places {
		if p.Read {
			files = append(files, p.File)
		}
	}
	return files
}

// From says where the value of a setting comes from.
func (s *Settings) From(setting string) Origin {
	if s == nil {
		return Origin{}
	}
	return s.from[setting]
}

// Given reports whether a setting has a value other than by default.
func (s *Settings) Given(setting string) bool { return s.From(setting).Rank != Default }

// Locate words a mistake in the value of a setting at the place where the value comes from: that of the first of the settings that was
// given. It is nil if none was given, or only on the command line, where text is right as it is.
func (s *Settings) Locate(text string, settings ...string) *Error {
	for _, name := range settings {
		if o := s.From(name); o.Rank != Default {
			if o.Rank == Flag {
				return nil
			}
			return o.wrong(name, withoutFlag(text, name))
		}
	}
	return nil
}

// withoutFlag cuts the flag from the beginning of a message.
func withoutFlag(text, setting string) string {
	for _, after := range []string{": ", " "} {
		if rest, ok := strings.CutPrefix(text, "--"+setting+after); ok && !strings.HasPrefix(rest, "and ") {
			return rest
		}
	}
	return text
}

// names are the flags of a set, in its order.
func names(fl *pflag.FlagSet) []string {
	var out []string
	fl.VisitAll(func(f *pflag.Flag) { out = append(out, f.Name) })
	return out
}

// better keeps the value of the better source.
func better(best map[string]given, setting string, g given) {
	if best[setting].origin.Rank <= g.origin.Rank {
		best[setting] = g
	}
}
