// Package format is the table of the classes that behavior files may name: what each is called and does, which keys its files have, and
// which behaviors it delegates to. Tools ask it about a class that has no Go code, and it makes a stand-in of each of those: a class whose
// gates, conditions, intents, claims and delegates are real, and which shows its name for a while in place of its task.
//
//	row.go, key.go   what a row says
//	rows_*.go        the table, by theme
//	read.go          the one reader of the keys of a row
//	standin.go       the behavior that stands in
//	wants.go         what a row may want
package format

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/robotd/robotd/behaviors"
)

// A Row is what the format says of one class.
type Row struct {
	// Name is what behaviorClass says; Doc is one sentence.
	Name, Doc string
	// Modifiers are letters: c, it may be activated while the robot carries something; o, off treads; n, not on the charger; d, it does
	// not always delegate.
	Modifiers string
	// ModifiersIf are letters that hold if a key says true.
	ModifiersIf map[string]string
	// Cube is what it needs of the connection to the cube; EnsuresCube says that it keeps the cube connected for its delegates.
	Cube        behaviors.CubeRequirement
	EnsuresCube bool
	// Keys are those beside the keys that every behavior has.
	Keys []Key
	// Fixed are the IDs of delegates that the code of the class names; FixedIf are those that it names only if a key says so.
	Fixed   []string
	FixedIf []FixedIf
	// FixedAnonymous are the names of anonymous behaviors that the code of the class names.
	FixedAnonymous []string
	// Options says that what the map of reactions offers are delegates too.
	Options bool
	// Links says that the delegates share scope with the behavior.
	Links bool
	// Intents are tags that the code of the class waits for.
	Intents []string
	// Wants is when a stand-in wants control; Hold is how long it holds it if it delegates to nobody, [Forever] until it loses it.
	Wants Wants
	Hold  time.Duration
	// State is StandIn or Inert. Whether a class is real is known to who registers it: see [StateOf].
	State behaviors.State
}

// Forever is the Hold of what never ends by itself.
const Forever time.Duration = -1

// hold is the Hold of a row that does not say.
const hold = 4 * time.Second

// A FixedIf is a delegate that code names if a key holds a word or is given; with Not, if the key does not say true.
type FixedIf struct {
	Key, Word, ID string
	Not           bool
}

// table is made once, sorted by name, and never changes then.
var table struct {
	once sync.Once
	rows []Row
}

// Rows are all rows, by name. Not to be changed.
func Rows() []Row {
	table.once.Do(func() {
		table.rows = slices.Concat(dispatchers(), wrappers(), blocks(), finders(), voice(), machines(), cubes(), faces(), exploring(), idle(), reactions(),
			moreReactions(), voiceFeatures(), games(), onboarding(), developer(), selfTests())
		for i := range table.rows {
			r := &table.rows[i]
			if r.State == behaviors.Real {
				r.State = behaviors.StandIn
			}
			r.Hold = cmp.Or(r.Hold, hold)
			document(r.Keys)
		}
		slices.SortFunc(table.rows, func(a, b Row) int { return cmp.Compare(a.Name, b.Name) })
	})
	return table.rows
}

// Find returns the row of a class, or nil.
func Find(name string) *Row {
	rows := Rows()
	i, ok := slices.BinarySearchFunc(rows, name, func(r Row, name string) int { return cmp.Compare(r.Name, name) })
	if !ok {
		return nil
	}
	return &rows[i]
}

// StateOf is how a class of the format is here, where real tells which have Go code.
func StateOf(r *Row, real func(name string) bool) behaviors.State {
	if real(r.Name) {
		return behaviors.Real
	}
	return r.State
}

// StandIns makes a class of every row that has no Go code.
func StandIns(real func(name string) bool) []behaviors.Class {
	var out []behaviors.Class
	for i := range Rows() {
		if r := &Rows()[i]; !real(r.Name) {
			out = append(out, r.Class())
		}
	}
	return out
}
