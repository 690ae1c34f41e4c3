package robotmain

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/robotd/robotd/cmd/robotd/internal/config"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/resources"
)

func (p *program) newConfig() *cobra.Command {
	f := &runFlags{}
	var asJSON bool
	c := &cobra.Command{
		Use:   "config",
		Short: "Print each setting, its value, and where the value comes from",
		Long: `Config prints what robotd run would use: the settings of robotd.json, of the environment and of the flags of run, which it takes too. A value
comes from a flag, else from a variable (ROBOTD_LISTEN for --listen), else from the file of the user, else from that of the system, else it is
the default. Mistakes are told as run tells them; robotd check FILE checks a file alone.`,
		Example: `  robotd config
  ROBOTD_LOG_LEVEL=debug robotd config --period 40ms
  robotd config --config ./robotd.json --json`,
		Args: want(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			if _, err := f.configure(c.Flags()); err != nil {
				return err
			}
			if err := p.known(f, c.ErrOrStderr()); err != nil {
				return err
			}
			r := newConfigReport(c.Flags(), f.settings)
			if f.realtime {
				r.NotPermitted = append(r.NotPermitted, setup.NotPermitted()...)
			}
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(r)
			}
			return r.write(c.OutOrStdout())
		},
	}
	f.register(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

// known reports a robot that there is not, as run does.
func (p *program) known(f *runFlags, errs io.Writer) error {
	tree, err := openTree(f.resources, f.lenient)
	if err != nil {
		return f.locateFolder(usage("%v", err))
	}
	_, err = p.readRobot(tree, f.robot, errs)
	return f.locate(err)
}

// A configReport is what robotd config prints.
type configReport struct {
	Files    []configFile `json:"files"`
	Settings []configLine `json:"settings"`
	// NotPermitted says what realtime would not get if this process were the daemon.
	NotPermitted []string `json:"not_permitted"`
}

type configFile struct {
	File string `json:"file"`
	Read bool   `json:"read"`
}

type configLine struct {
	Name     string `json:"name"`
	Value    string `json:"value"`
	From     string `json:"from"` // default, file, environment or flag
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Col      int    `json:"col,omitempty"`
	Variable string `json:"variable,omitempty"`
	where    string
}

func newConfigReport(fl *pflag.FlagSet, s *config.Settings) configReport {
	r := configReport{Files: []configFile{}, NotPermitted: []string{}}
	for _, p := range s.Places {
		r.Files = append(r.Files, configFile{p.File, p.Read})
	}
	knownSettings().VisitAll(func(known *pflag.Flag) {
		f := fl.Lookup(known.Name)
		if f == nil { // addr, of other commands
			return
		}
		o := s.From(f.Name)
		l := configLine{Name: f.Name, Value: f.Value.String(), From: o.Rank.String(), Line: o.Pos.Line, Col: o.Pos.Col, where: o.String()}
		switch o.Rank {
		case config.File, config.UserFile:
			l.File = o.Name
		case config.Variable:
			l.Variable = o.Name
		}
		r.Settings = append(r.Settings, l)
	})
	return r
}

func (r *configReport) write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, l := range r.Settings {
		value := l.Value
		if value == "" {
			value = "-"
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\n", l.Name, value, l.where)
	}
	for _, f := range r.Files {
		state := "is not there"
		if f.Read {
			state = "is read"
		}
		_, _ = fmt.Fprintf(w, "\n%s %s", f.File, state)
	}
	for _, why := range r.NotPermitted {
		_, _ = fmt.Fprintf(w, "\nrealtime, by the permissions of this command: %s", why)
	}
	if len(r.Files)+len(r.NotPermitted) > 0 {
		_, _ = fmt.Fprintln(w)
	}
	return w.Flush()
}

// isConfig reports whether the argument of check is a configuration file, and no folder.
func isConfig(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular() && filepath.Base(name) == config.FileName
}

// checkConfig checks a configuration file alone, without the environment, but with the behaviors of the folder that it names.
func (p *program) checkConfig(out, errs io.Writer, file string, asJSON bool) error {
	err := p.tryConfig(file, errs)
	var e *exitError
	if err != nil && (!errors.As(err, &e) || e.findings == nil) {
		return err
	}
	result := struct {
		Errors      int                   `json:"errors"`
		Diagnostics resources.Diagnostics `json:"diagnostics"`
	}{Diagnostics: resources.Diagnostics{}}
	text := file + " is fine"
	if e != nil {
		result.Diagnostics, text, err = e.findings, e.findings.String(), findings()
	}
	if result.Errors = len(result.Diagnostics); asJSON {
		return errors.Join(json.NewEncoder(out).Encode(result), err)
	}
	_, wrote := fmt.Fprintln(out, text)
	return errors.Join(wrote, err)
}

// tryConfig does with a file what run does before it starts a robot.
func (p *program) tryConfig(file string, errs io.Writer) error {
	f, c := &runFlags{}, &cobra.Command{}
	f.register(c)
	s := sources(file, settingRules())
	s.Environ = nil
	if _, err := f.resolve(c.Flags(), s); err != nil {
		return err
	}
	cat, err := p.loadEither(f.resources, f.lenient, errs)
	if err != nil {
		return f.locateFolder(err)
	}
	o := setup.Options{Catalog: cat, Base: f.base, Period: f.period, Budget: f.budget}
	if err := o.Validate(); err != nil {
		return f.locate(wrongOption(err))
	}
	tree, err := openTree(f.resources, f.lenient)
	if err == nil {
		_, err = p.readRobot(tree, f.robot, errs)
	}
	return f.locate(err)
}
