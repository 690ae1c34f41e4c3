package resources_test

import (
	"testing"

	"github.com/robotd/robotd/resources"
)

// What a slip brings about in other readers is not told as well.
// Rules: data/1.11j, data/1.5a.
func TestOneSlipIsOneFinding(t *testing.T) {
	for name, c := range map[string]struct{ src, want string }{
		"required key misspelt": {
			`{"anims": ["a"], "list": [{"weight": 1}]}`, `f.json:1:2: error: unknown key "anims"; did you mean "anim"?`,
		},
		"required key under another name": {
			`{"clip": ["a"], "list": [{"weight": 1}]}`, `f.json:1:2: error: unknown key "clip"; "anim" is required, and missing`,
		},
		"key one level too high": {
			`{"anim": ["a"], "weight": 1, "list": [{}, {}]}`, `f.json:1:17: error: unknown key "weight"; it belongs in the elements of list`,
		},
		"key one level too low": {
			`{"anim": ["a"], "list": [{"weight": 1, "loud": true}]}`, `f.json:1:40: error: unknown key "loud" in list[0]; it belongs in the object of the file`,
		},
		"key of an object that is not there": {
			`{"anim": ["a"], "quiet": true, "list": [{"weight": 1}]}`, `f.json:1:17: error: unknown key "quiet"; it belongs in modifiers`,
		},
		"element of the wrong type": {
			`{"anim": [7], "list": [{"weight": 1}]}`, `f.json:1:11: error: anim[0]: want a string, found the number 7`,
		},
		"list without elements": {`{"anim": [], "list": [{"weight": 1}]}`, `f.json:1:10: error: anim: names nothing`},
		"a missing key and a foreign one that are not alike": {
			`{"anim": ["a"], "list": [{"weight": 1}, {"weight": 1, "x": 1, "y": 1}]}`,
			"f.json:1:55: error: unknown key \"x\" in list[1]; known keys are \"weight\"\n" + `f.json:1:63: error: unknown key "y" in list[1]; known keys are "weight"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			doc, _ := resources.Parse("f.json", []byte(c.src))
			doc.Places(map[string]string{"quiet": "modifiers"})
			o := doc.Root()
			o.BoolOr("loud", false)
			if len(o.Strings("anim")) == 0 {
				o.KeyErrorf("anim", "key-range", "names nothing")
			}
			for _, e := range o.Objects("list") {
				e.Int("weight")
				e.Finish()
			}
			o.Finish()
			if got := doc.Diagnostics().String(); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			doc.Finish()
			if got := doc.Diagnostics().String(); got != c.want {
				t.Errorf("after a second Finish\n%s", got)
			}
		})
	}
}
