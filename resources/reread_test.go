package resources_test

import (
	"reflect"
	"testing"

	"github.com/robotd/robotd/resources"
)

// Rules: data/1.2i, data/1.11f.
func TestADocumentIsRereadAsItWasParsed(t *testing.T) {
	src := "\xef\xbb\xbf// why\n\r\n  {\n  \"speed\": \"fast\", /* words */\n  \"$schema\": \"x\", \"unknown\": 1,\n  \"inner\": {\"a\": [1, 2]}}  // end"
	parsed := mustParse(t, src)
	reread := resources.Reread("f.json", parsed.JSON())
	read := func(d *resources.Document) (resources.Pos, []float64, string) {
		d.Root().Float("speed")
		floats := d.Root().Object("inner").Floats("a")
		d.Finish()
		return d.Root().Pos(), floats, d.Diagnostics().String()
	}
	pos, floats, said := read(parsed)
	pos2, floats2, said2 := read(reread)
	if pos != pos2 || !reflect.DeepEqual(floats, floats2) || said != said2 || said == "" || len(floats) != 2 {
		t.Errorf("parsed: at %v, %v, %s\nreread: at %v, %v, %s", pos, floats, said, pos2, floats2, said2)
	}
	if third := resources.Reread("f.json", parsed.JSON()); !third.Root().Has("speed") || len(third.Diagnostics()) > 0 {
		t.Errorf("what was found in another reading stuck: %v", third.Diagnostics())
	}
}
