package bench

// An Asker asks n units under one runtime, one after the other, which of them wants control. One goroutine uses it.
type Asker interface {
	// Tick asks the units in order until one says yes, and returns its index, or -1 if every one says no.
	Tick() int
	// Close stops what New started.
	Close()
}

// A Question is the user's code: it reads a variable and compares. The same under each runtime.
type Question struct {
	Asked int // how often
	level *int
	below int // says yes if the level is below it
}

// Wants answers.
func (q *Question) Wants() bool {
	q.Asked++
	return *q.level < q.below
}

// noUnit as the index of the unit that says yes: none does.
const noUnit = -1

// questions makes n of them. The unit of the index yes says yes, the others say no.
func questions(n, yes int) []*Question {
	level := 7
	all := make([]*Question, n)
	for i := range all {
		all[i] = &Question{level: &level, below: 5}
	}
	if yes != noUnit {
		all[yes].below = 9
	}
	return all
}

// An AskPeer is one way to ask units.
type AskPeer struct {
	Name     string // of the benchmark and of the row
	What     string // who answers
	Isolated bool   // a panic of one unit does not end the process
	Module   string // module path; empty for Go's own and robotd
	// Own says that the unit's own code answers, so that its count of questions holds. Without it robotd's gates answer from the file.
	Own bool
	New func([]*Question) (Asker, error)
}

// AskPeers are the rows of the table. BehaviorTree.CPP is a program of its own (btcpp.go).
var AskPeers = []AskPeer{
	{"robotd", "gates and a condition from a file", true, "", false, newAskRobotd},
	{"robotd-direct", "gates and a condition from a file", true, "", false, newAskRobotdDirect},
	{"robotd-own", "gates and own code", true, "", true, newAskRobotdOwn},
	{"calls", "a method", false, "", true, newAskCalls},
	{"channels-ordered", "a goroutine", false, "", true, newAskChannels},
	{"behaviortree-selector", "a condition node", false, behaviortreeModule, true, newSelector},
	{"protoactor-request", "an actor", true, protoactorModule, true, newAskProto},
	{"hollywood-request", "an actor", true, hollywoodModule, true, newAskHollywood},
	{"ergo-send", "an actor", true, ergoModule, true, newAskErgo},
}

// first returns the index of the first unit for which ask says yes.
func first(n int, ask func(i int) bool) int {
	for i := range n {
		if ask(i) {
			return i
		}
	}
	return noUnit
}

// must returns an answer, which the units of this package never owe.
func must(answer any, err error) bool {
	if err != nil {
		panic(err)
	}
	return answer.(bool)
}
