package catalog

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/robotd/robotd/resources"
)

// keyDoing is the key of a few words for people.
const keyDoing = "doing"

// MaxDoing bounds the words of "doing", so that they fit on a line.
const MaxDoing = 60

// readDoing reads what the robot does while the behavior is active.
func (e *Entry) readDoing(o *resources.Object) {
	e.Doing = o.StringOr(keyDoing, "")
	switch v, there := o.Optional(keyDoing); {
	case !there || v.Kind() != resources.KindString:
	case strings.TrimSpace(e.Doing) == "":
		o.Errorf(o.ValuePos(keyDoing), "doing-empty", "doing is empty: say in a few words what the robot does, such as \"Exploring\", or remove the key")
	case utf8.RuneCountInString(e.Doing) > MaxDoing || strings.ContainsFunc(e.Doing, unicode.IsControl):
		o.Errorf(o.ValuePos(keyDoing), "doing-long", "doing has to fit on a line: at most %d characters, and none that controls", MaxDoing)
	}
	if e.Doing == "" {
		e.Doing = Words(e.ID[strings.LastIndex(e.ID, anonymousMark)+1:])
	}
}

// Words splits a name like ReactToCliff into words: "React to cliff". Names of abbreviations stay whole.
func Words(name string) string {
	var b strings.Builder
	b.Grow(len(name) + 8) // and some blanks
	rs := []rune(name)
	for i, r := range rs {
		if r == '_' || r == '-' {
			b.WriteByte(' ')
			continue
		}
		after := i > 0 && unicode.IsUpper(r) && (!unicode.IsUpper(rs[i-1]) || i+1 < len(rs) && unicode.IsLower(rs[i+1])) && rs[i-1] != '_'
		if after {
			b.WriteByte(' ')
		}
		if after && (i+1 == len(rs) || !unicode.IsUpper(rs[i+1])) {
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}
