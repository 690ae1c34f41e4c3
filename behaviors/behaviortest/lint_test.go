package behaviortest_test

import (
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/param"
)

type tidy struct{ params tidyParams }

type tidyParams struct {
	Count int `key:"count" range:"1..3" default:"1" why:"once is enough for most" doc:"how often"`
}

type hasty struct{ params hastyParams }

type hastyParams struct {
	Count int `key:"count" default:"1" doc:"how often"`
	Speed int `key:"speed" default:"1" why:"default" doc:"how fast"`
	Depth int `key:"depth"`
}

func TestLintClassNamesEachFault(t *testing.T) {
	read := func(p any) func(cfg *behaviors.Config) {
		return func(cfg *behaviors.Config) { param.ReadConfig(cfg, p) }
	}
	tidy, hasty := &tidy{}, &hasty{}
	for _, c := range []struct {
		name string
		impl behaviors.Behavior
		read func(cfg *behaviors.Config)
		want []string
	}{
		{"no keys", struct{}{}, func(*behaviors.Config) {}, nil},
		{"tidy", tidy, read(&tidy.params), nil},
		{"by hand", struct{}{}, func(cfg *behaviors.Config) { cfg.Int("count") }, []string{"has no field params", "key count has no doc"}},
		{"beside", tidy, func(cfg *behaviors.Config) { param.ReadConfig(cfg, &tidy.params); cfg.Bool("more") }, []string{"key more has no doc"}},
		{"hasty", hasty, read(&hasty.params), []string{
			`default "1" has no reason`, `"default" is no reason`, "field Depth of behaviortest_test.hastyParams: the key has no doc", "key depth has no doc",
		}},
		{"malformed", struct{}{}, read(&struct {
			A int `key:"a" range:"3"`
		}{}), []string{`limits "3": want low..high`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			class := behaviors.Class{Name: "Test", New: func(cfg *behaviors.Config) behaviors.Behavior {
				c.read(cfg)
				return c.impl
			}}
			faults := behaviortest.LintClass(class)
			if len(faults) != len(c.want) {
				t.Errorf("the faults are %q, want %d", faults, len(c.want))
			}
			for i := range min(len(faults), len(c.want)) {
				if !strings.Contains(faults[i], c.want[i]) {
					t.Errorf("fault %q does not say %q", faults[i], c.want[i])
				}
			}
		})
	}
}
