// Package bench compares robotd with other runtimes at two jobs. In each tick every one of n units runs its Update once, and the
// tick ends when all have (barrier.go); and a dispatcher asks n units which of them wants control (ask.go).
//
// It is a module of its own, so that the peers stay out of the product. One file holds one peer. `make bench`
// runs it together with the product's own benchmarks and prints one table (package table).
package bench

// A Barrier runs n units under one runtime. One goroutine uses it.
type Barrier interface {
	// Tick runs every unit's Update once and returns when all have ended.
	Tick()
	// Close stops what New started.
	Close()
}

// A Unit is the user's code: the same trivial work under each runtime.
type Unit struct{ Updates int }

// Update does the work of one tick.
func (u *Unit) Update() { u.Updates++ }

// A Peer is one way to run units.
type Peer struct {
	Name string // of the benchmark and of the row
	// Ordered says that the units run one at a time in a fixed order, as a behavior stack needs it.
	Ordered bool
	// Isolated says that a panic of one unit does not end the process.
	Isolated bool
	// Module is the module path; empty for Go's own and robotd.
	Module string
	New    func([]*Unit) (Barrier, error)
}

// The modules of the peers.
const (
	behaviortreeModule = "github.com/joeycumines/go-behaviortree"
	protoactorModule   = "github.com/asynkron/protoactor-go"
	hollywoodModule    = "github.com/anthdm/hollywood"
	ergoModule         = "ergo.services/ergo"
)

// Peers are the rows of the table.
var Peers = []Peer{
	{"robotd", true, true, "", newRobotd},
	{"robotd-direct", true, true, "", newRobotdDirect},
	{"calls", true, false, "", newCalls},
	{"channels-ordered", true, false, "", newOrderedChannels},
	{"channels-fanout", false, false, "", newChannels},
	{"behaviortree-sequence", true, false, behaviortreeModule, newSequence},
	{"behaviortree-fork", false, false, behaviortreeModule, newFork},
	{"protoactor-request", true, true, protoactorModule, newProtoRequest},
	{"protoactor-send", false, true, protoactorModule, newProtoSend},
	{"hollywood", false, true, hollywoodModule, newHollywood},
	{"ergo", false, true, ergoModule, newErgo},
}

// units makes n of them.
func units(n int) []*Unit {
	all := make([]*Unit, n)
	for i := range all {
		all[i] = &Unit{}
	}
	return all
}
