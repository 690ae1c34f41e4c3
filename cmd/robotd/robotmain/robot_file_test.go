package robotmain

import (
	"bytes"
	"io/fs"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/resources"
)

// What check accepts has no squiggles in an editor, and the editor sees a mistake that check sees.
func TestSchemaOfRobotsAcceptsTheBuiltInOnes(t *testing.T) {
	tree := resources.Embedded()
	text, err := fs.ReadFile(tree, resources.SchemaDir+"/robot.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("robot", v); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("robot")
	if err != nil {
		t.Fatal(err)
	}
	valid := func(src string) error {
		doc, diags := resources.Parse("robots/x.json", []byte(src))
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(doc.JSON()))
		if err != nil {
			t.Fatal(err)
		}
		return schema.Validate(v)
	}
	names := profile.Names(tree)
	for _, name := range names {
		src, err := fs.ReadFile(tree, profile.Dir+"/"+name+".json")
		if err != nil {
			t.Fatal(err)
		}
		if err := valid(string(src)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, bad := range [][2]string{{`"body"`, `"boddy"`}, {`"driver": "`, `"driver": "x`}} {
			if valid(strings.Replace(string(src), bad[0], bad[1], 1)) == nil {
				t.Errorf("%s with %s: accepted", name, bad[1])
			}
		}
	}
	if len(names) < 4 {
		t.Errorf("only %v", names)
	}
}

func TestConfigTellsOfARobotThatThereIsNotOnce(t *testing.T) {
	t.Setenv("ROBOTD_ROBOT", "jetbto")
	var out strings.Builder
	c := new(program).newConfig()
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetOut(&out)
	c.SetErr(&out)
	c.SetArgs([]string{"--config", "none"})
	err := c.ExecuteContext(t.Context())
	if err == nil || !strings.Contains(err.Error(), "ROBOTD_ROBOT") || !strings.Contains(err.Error(), `there is no robot "jetbto"; did you mean "jetbot"?`) || out.Len() > 0 {
		t.Errorf("%v\n%s", err, &out)
	}
}
