package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/robotd/robotd/cmd/robotd/internal/config"
)

// flags are those of a small program.
type flags struct {
	set    *pflag.FlagSet
	period time.Duration
	level  string
	quiet  bool
	dir    string
	seed   uint64
}

func newFlags() *flags {
	f := &flags{set: pflag.NewFlagSet("", pflag.ContinueOnError)}
	f.set.DurationVar(&f.period, "period", 60*time.Millisecond, "between two ticks")
	f.set.StringVar(&f.level, "log-level", "", "how much is told")
	f.set.BoolVar(&f.quiet, "no-record", false, "record nothing")
	f.set.StringVar(&f.dir, "record", "", "`folder` of recordings")
	f.set.Uint64Var(&f.seed, "seed", 1, "of chance")
	return f
}

var rules = config.Rules{Words: map[string][]string{"log-level": {"debug", "info"}}, Either: [][2]string{{"no-record", "record"}}}

// resolve resolves flags of a command line, files by rank, and variables.
func resolve(t *testing.T, args []string, system, user string, environ ...string) (*flags, *config.Settings, error) {
	t.Helper()
	f, dir := newFlags(), t.TempDir()
	if err := f.set.Parse(args); err != nil {
		t.Fatal(err)
	}
	places := []config.Place{{File: filepath.Join(dir, "system.json"), Rank: config.File}, {File: filepath.Join(dir, "user.json"), Rank: config.UserFile}}
	for i, text := range []string{system, user} {
		if text != "" {
			if err := os.WriteFile(places[i].File, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	s, err := config.Resolve(f.set, config.Sources{Known: newFlags().set, Places: places, Environ: environ, Rules: rules})
	return f, s, err
}

func TestBetterSourceWins(t *testing.T) {
	f, s, err := resolve(t, []string{"--seed", "9"},
		`{"$schema": "x", "seed": 2, "period": "10ms", "log-level": "debug", "no-record": true}`,
		"{\n  // mine\n  \"seed\": 3, \"period\": \"20ms\", \"log-level\": \"info\"\n}", "ROBOTD_SEED=4", "ROBOTD_PERIOD=30ms", "ROBOTD_TEST_X=1", "HOME=/")
	if err != nil {
		t.Fatal(err)
	}
	if f.seed != 9 || f.period != 30*time.Millisecond || f.level != "info" || !f.quiet || f.dir != "" {
		t.Errorf("%+v", f)
	}
	for name, want := range map[string]string{"seed": "--seed", "period": "ROBOTD_PERIOD", "log-level": "user.json:3:45", "no-record": "system.json:1:82", "record": "default"} {
		if got := filepath.Base(s.From(name).String()); got != want {
			t.Errorf("%s comes from %s, want %s", name, got, want)
		}
	}
	if f.set.Changed("period") || !f.set.Changed("seed") {
		t.Error("a value from elsewhere counts as given on the command line")
	}
	if !s.Given("period") || s.Given("record") {
		t.Error("Given does not tell what has a value")
	}
}

func TestFlagVoidsWhatExcludesItInAFile(t *testing.T) {
	f, s, err := resolve(t, []string{"--record", "there"}, `{"no-record": true}`, "")
	if err != nil || f.quiet || f.dir != "there" || s.Given("no-record") {
		t.Errorf("%+v, %v", f, err)
	}
	f, _, err = resolve(t, nil, `{"record": "there"}`, "", "ROBOTD_NO_RECORD=true")
	if err != nil || !f.quiet || f.dir != "" {
		t.Errorf("%+v, %v", f, err)
	}
	f, _, err = resolve(t, nil, `{"record": "there"}`, `{"no-record": false}`)
	if err != nil || f.quiet || f.dir != "there" {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestEmptyVariableIsNone(t *testing.T) {
	f, _, err := resolve(t, nil, `{"period": "10ms"}`, "", "ROBOTD_PERIOD=")
	if err != nil || f.period != 10*time.Millisecond {
		t.Errorf("%v, %v", f.period, err)
	}
}

// TestMistakeIsToldWithItsPlaceAndTheNearest has one line for each kind of mistake.
func TestMistakeIsToldWithItsPlaceAndTheNearest(t *testing.T) {
	for _, c := range []struct{ file, variable, want string }{
		{`{"perido": "60ms"}`, "", `system.json:1:2: error: unknown key "perido"; did you mean "period"?`},
		{`{"period": 60}`, "", `system.json:1:12: error: period: want a string, found the number 60`},
		{`{"period": "60"}`, "", `system.json:1:12: error: period: want a time such as 60ms or 30m, found "60"`},
		{`{"no-record": "yes"}`, "", `system.json:1:15: error: no-record: want true or false, found the string "yes"`},
		{`{"seed": -1}`, "", `system.json:1:10: error: seed: -1 is below the limit 0`},
		{`{"log-level": "inf"}`, "", `system.json:1:15: error: log-level: unknown value "inf"; did you mean "info"?`},
		{`{"seed": 1, "seed": 2}`, "", `system.json:1:13: error: key "seed" appears twice; the first one is at 1:2`},
		{`{"seed": 1`, "", `system.json:1:11: error:`},
		{`[]`, "", `system.json:1:1: error: a file holds one object`},
		{"", "ROBOTD_PERIDO=1s", `there is no setting with the variable "ROBOTD_PERIDO"; did you mean "ROBOTD_PERIOD"?`},
		{"", "ROBOTD_XYZ=1s", `there is no setting with the variable "ROBOTD_XYZ"; robotd config lists the settings`},
		{"", "ROBOTD_PERIOD=3", `ROBOTD_PERIOD: want a time such as 60ms or 30m, found "3"`},
		{"", "ROBOTD_NO_RECORD=yes", `ROBOTD_NO_RECORD: want true or false, found "yes"`},
		{"", "ROBOTD_LOG_LEVEL=inf", `ROBOTD_LOG_LEVEL: there is no log level "inf"; did you mean "info"?`},
	} {
		_, _, err := resolve(t, nil, c.file, "", c.variable)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s%s: %v\nwant %s", c.file, c.variable, err, c.want)
			continue
		}
		var e *config.Error
		if !errors.As(err, &e) || (e.Findings != nil) != (c.file != "") {
			t.Errorf("%s%s: %#v", c.file, c.variable, err)
		}
	}
}

func TestNamedFileMustBeThere(t *testing.T) {
	s := config.Sources{Known: newFlags().set, Places: config.Places("nowhere.json")}
	if _, err := config.Resolve(newFlags().set, s); err == nil || err.Error() != "there is no configuration file nowhere.json" {
		t.Error(err)
	}
	if len(config.Places(config.None)) != 0 {
		t.Error("none is a file")
	}
}

func TestDefaultPlacesAreSystemAndUser(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", "/home/ada/.config")
	places := config.Places("")
	if len(places) != 2 || places[0].File != "/etc/robotd/robotd.json" || places[1].File != "/home/ada/.config/robotd/robotd.json" || places[0].Rank >= places[1].Rank {
		t.Errorf("%+v", places)
	}
}

func TestMistakeOfTheCallerIsToldWhereTheValueStands(t *testing.T) {
	_, s, err := resolve(t, []string{"--seed", "9"}, `{"period": "5s"}`, "", "ROBOTD_RECORD=x")
	if err != nil {
		t.Fatal(err)
	}
	for setting, want := range map[string]string{"period": "system.json:1:12: error: period: 5s is too long", "record": "ROBOTD_RECORD: 5s is too long", "seed": "", "log-level": ""} {
		got := ""
		if e := s.Locate("--"+setting+" 5s is too long", setting); e != nil {
			got = filepath.Base(e.Text)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", setting, got, want)
		}
	}
}

func TestVoidSettingIsNotSet(t *testing.T) {
	f := newFlags()
	s := config.Sources{Known: newFlags().set, Environ: []string{"ROBOTD_PERIOD=20ms"}, Rules: config.Rules{Void: func(name string) bool { return name == "period" }}}
	if got, err := config.Resolve(f.set, s); err != nil || f.period != 60*time.Millisecond || got.Given("period") {
		t.Errorf("%v, %v", f.period, err)
	}
}
