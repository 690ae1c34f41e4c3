package resources_test

import (
	"encoding/json"
	"testing"

	"github.com/robotd/robotd/resources"
)

func TestWithoutLeavesEverythingElseWhereItStands(t *testing.T) {
	doc, diags := resources.Parse("x.json", []byte(`{
  "a": 1, // one
  "list": ["x", {"y": 2, "z": [3]}, "w"],
  "b": {"c": true}
}`))
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	for want, places := range map[string][]resources.Pos{
		`{"list":["x",{"y":2,"z":[3]},"w"],"b":{"c":true}}`: {{Line: 2, Col: 8}},
		`{"a":1,"list":["x",{"y":2,"z":[3]},"w"]}`:          {{Line: 4, Col: 8}},
		`{"a":1,"list":[{"y":2}],"b":{}}`:                   {{Line: 3, Col: 12}, {Line: 3, Col: 31}, {Line: 3, Col: 37}, {Line: 4, Col: 14}},
		`{"a":1,"list":[],"b":{"c":true}}`:                  {{Line: 3, Col: 12}, {Line: 3, Col: 17}, {Line: 3, Col: 37}},
		`{}`:                                                {{Line: 2, Col: 8}, {Line: 3, Col: 11}, {Line: 4, Col: 8}},
	} {
		cut := map[resources.Pos]bool{}
		for _, p := range places {
			cut[p] = true
		}
		out, n := doc.Without(cut)
		var v, w any
		if err := json.Unmarshal([]byte(out.JSON()), &v); err != nil {
			t.Errorf("%s: %v\n%s", want, err, out.JSON())
			continue
		}
		_ = json.Unmarshal([]byte(want), &w)
		got, _ := json.Marshal(v)
		wanted, _ := json.Marshal(w)
		if string(got) != string(wanted) || n != len(places) || len(out.JSON()) != len(doc.JSON()) {
			t.Errorf("%s: %s, %d cut", want, got, n)
		}
	}
	if _, n := doc.Without(map[resources.Pos]bool{{Line: 1, Col: 1}: true, {Line: 9, Col: 9}: true}); n != 0 {
		t.Errorf("%d cut where nothing stands", n)
	}
}
