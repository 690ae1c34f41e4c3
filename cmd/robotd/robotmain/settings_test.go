package robotmain

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/robotd/robotd/resources"
)

var updateSchema = flag.Bool("update", false, "write the shipped schema of robotd.json anew")

func TestShippedSchemaOfRobotdJSONIsWhatItMayHold(t *testing.T) {
	shippedSchema(t, "robotd.schema.json")
}

func TestShippedSchemaOfRobotsIsWhatTheyMayHold(t *testing.T) { shippedSchema(t, "robot.schema.json") }

func shippedSchema(t *testing.T, name string) {
	t.Helper()
	p, err := newProgram(Options{})
	if err != nil {
		t.Fatal(err)
	}
	schemas, err := p.schemas(nil)
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := encodeIndented(&want, schemas[name]); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("../../../resources", resources.SchemaDir, name)
	if *updateSchema {
		if err := os.WriteFile(file, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%s is not what such a file may hold now: go test ./cmd/robotd/robotmain -run Schema -update (%v)", name, err)
	}
}

// TestEveryFlagOfRunIsASettingOrOfOneRun: a new flag is a setting unless it is listed.
func TestEveryFlagOfRunIsASettingOrOfOneRun(t *testing.T) {
	f, c := &runFlags{}, &cobra.Command{}
	f.register(c)
	known := knownSettings()
	c.Flags().VisitAll(func(one *pflag.Flag) {
		if setting := known.Lookup(one.Name) != nil; setting == slices.Contains(ofOneRun, one.Name) {
			t.Errorf("--%s: a setting: %v", one.Name, setting)
		}
	})
	for _, name := range ofLiveRuns {
		if known.Lookup(name) == nil {
			t.Errorf("%s is no setting", name)
		}
	}
}
