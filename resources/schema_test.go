package resources_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/robotd/robotd/behaviors/reference"
	"github.com/robotd/robotd/resources"
)

// onlyReader are the mistakes that a JSON Schema cannot tell, each with the reason.
var onlyReader = map[string]string{
	"duplicate-escaped.json":     "a parser of JSON keeps one of two equal keys",
	"duplicate-key.json":         "a parser of JSON keeps one of two equal keys",
	"duplicate-nested.json":      "a parser of JSON keeps one of two equal keys",
	"required-float-huge.json":   "numbers of JSON Schema have any size",
	"required-int-huge.json":     "numbers of JSON Schema have any size",
	"required-int-exponent.json": "4e1 is an integer of JSON Schema",
	"required-int-fraction.json": "4.0 is an integer of JSON Schema",
}

// sampleSchema is the schema of what the sample decoder reads.
func sampleSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	keys := resources.Explore(func(o *resources.Object) { decodeSample(o) })
	text, err := json.Marshal(reference.Schema(keys, sampleNames))
	if err != nil {
		t.Fatal(err)
	}
	return compiled(t, text)
}

func compiled(t *testing.T, text []byte) *jsonschema.Schema {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("sample.json", value); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("sample.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSchemaRejectsWhatTheReaderRejectsByShape compares both over every file of testdata/bad that is JSON at all.
func TestSchemaRejectsWhatTheReaderRejectsByShape(t *testing.T) {
	schema := sampleSchema(t)
	files, err := filepath.Glob("testdata/bad/*.json")
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		doc, syntax := resources.Parse(file, src)
		if doc == nil || slices.ContainsFunc(syntax, func(d resources.Diagnostic) bool { return d.Code != resources.CodeKeyDuplicate }) {
			continue // the parser of an editor tells
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(doc.JSON()))
		if err != nil {
			t.Fatal(err)
		}
		_, diags := checkSample(file, src)
		base := filepath.Base(file)
		reason, excused := onlyReader[base]
		switch refused := schema.Validate(value) != nil; {
		case excused && refused:
			t.Errorf("%s: the schema rejects it; take it from the list of what only the reader can see", base)
		case excused && reason == "":
			t.Errorf("%s: no reason is given", base)
		case diags.HasErrors() && !refused && !excused:
			t.Errorf("%s: the schema accepts it, the reader says:\n%v", base, diags)
		case !diags.HasErrors() && refused:
			t.Errorf("%s: the schema rejects it, the reader does not: %v", base, schema.Validate(value))
		}
		compared++
	}
	if compared < 40 {
		t.Errorf("only %d files were compared", compared)
	}
}

func TestSchemaAcceptsAFileWithoutAMistake(t *testing.T) {
	doc, diags := resources.Parse("sample.json", []byte(sampleFile))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(doc.JSON()))
	if err != nil {
		t.Fatal(err)
	}
	if err := sampleSchema(t).Validate(value); err != nil {
		t.Error(err)
	}
}
