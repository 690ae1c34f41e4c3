package behaviors

import (
	"strings"
	"time"

	"github.com/robotd/robotd/behaviors/stack"
)

// Candidates are behaviors that another one chooses from: an ordered list that is asked in one request, which costs little more than one
// question by [Control.Wants]. Make one with [NewCandidates] in the constructor of the class and keep it; it belongs to that incarnation.
type Candidates struct {
	// IDs are the behaviors in the order in which they are asked. Not to be changed.
	IDs []string
	// Skip leaves out the i-th: it is not asked. It stays as it is set.
	Skip []bool
	// Until says for those that are left out for a time when that ends, so that people can be told; nil, and the zero time, say nothing.
	Until []time.Time
	// Scores are for [Control.BestWanting].
	Scores []float64
	// Wants says whether the i-th had control from the behavior that asked, or answered yes, in the newest request. Not everyone was
	// asked: the request says who.
	Wants []bool
	// Resolved belongs to the engine.
	Resolved any

	found, has int
	names      string
}

// NewCandidates returns a list in which nobody is left out.
func NewCandidates(ids ...string) *Candidates {
	n := len(ids)
	return &Candidates{IDs: ids, Skip: make([]bool, n), Scores: make([]float64, n), Wants: make([]bool, n), found: none, has: none, names: strings.Join(ids, ", ")}
}

// Names are the IDs in one text, for [Control.Because].
func (cs *Candidates) Names() string { return cs.names }

// none is the index of no candidate.
const none = -1

// FirstWanting asks one candidate after another until one has control from this behavior already or wants it, and returns its index, -1
// if there is none. As with Wants, control can be delegated to it in this tick.
func (c *Control) FirstWanting(cs *Candidates) int { return c.askAmong(ReqAskFirst, cs, none) }

// AskEach asks all candidates; Candidates.Wants has the answers.
func (c *Control) AskEach(cs *Candidates) { c.askAmong(ReqAskEach, cs, none) }

// BestWanting asks one candidate after another, but only those with a higher score than the ones that said yes before, and above 0. It
// returns the index of the last that said yes, -1 if there is none. That at index has has control already and is not asked; -1 is none.
func (c *Control) BestWanting(cs *Candidates, has int) int { return c.askAmong(ReqAskBest, cs, has) }

func (c *Control) askAmong(kind RequestKind, cs *Candidates, has int) int {
	cs.has, cs.found = has, none
	clear(cs.Wants)
	if !c.do(Request{Kind: kind, Among: cs}).OK {
		return none
	}
	return cs.found
}

// A Ballot is one request to ask candidates, as the engine carries it out. It implements stack.Ballot.
type Ballot struct {
	// Nodes are the candidates; nil for an ID that does not exist.
	Nodes []*stack.Node
	// Holder is the behavior to which the one who asks has delegated control, or nil. BestWanting names it by its index.
	Holder *stack.Node

	kind    RequestKind
	cs      *Candidates
	highest float64

	has, found int    // as those of cs, which a request inside this one may use too
	wants      []bool // that said yes
}

// Open prepares the ballot of a request.
func (b *Ballot) Open(r *Request) {
	b.kind, b.cs, b.highest = r.Kind, r.Among, 0
	b.has, b.found = b.cs.has, none
	b.wants = append(b.wants[:0], b.cs.Wants...)
	clear(b.wants)
}

// Close gives the answers.
func (b *Ballot) Close() {
	b.cs.found = b.found
	copy(b.cs.Wants, b.wants)
}

// Next implements stack.Ballot.
func (b *Ballot) Next(i int) int {
	for ; i < len(b.Nodes); i++ {
		if i < len(b.cs.Skip) && b.cs.Skip[i] {
			continue
		}
		if b.kind != ReqAskBest || b.score(i) > b.highest {
			return i
		}
	}
	return none
}

func (b *Ballot) score(i int) float64 {
	if i < len(b.cs.Scores) {
		return b.cs.Scores[i]
	}
	return 0
}

// Candidate implements stack.Ballot.
func (b *Ballot) Candidate(i int) (n *stack.Node, has bool) {
	n = b.Nodes[i]
	if b.kind == ReqAskBest {
		return n, i == b.has
	}
	return n, n != nil && n == b.Holder
}

// Answer implements stack.Ballot.
func (b *Ballot) Answer(i int, yes bool) bool {
	if !yes {
		return true
	}
	if i < len(b.wants) {
		b.wants[i] = true
	}
	b.found = i
	if b.kind == ReqAskBest {
		b.highest = b.score(i)
	}
	return b.kind != ReqAskFirst
}

// A Choice is what a recording keeps of Candidates: those that may be asked.
type Choice struct {
	IDs    []string
	Scores []float64 // of ReqAskBest
	Has    int       // index in IDs, plus 1, of the one that had control; 0 for none
}

// Note writes into ch, whose memory it uses again, what was asked of cs in a request of that kind.
func (cs *Candidates) Note(kind RequestKind, ch *Choice) {
	ch.IDs, ch.Scores, ch.Has = ch.IDs[:0], ch.Scores[:0], 0
	b := Ballot{kind: kind, cs: cs}
	for i, id := range cs.IDs {
		if i < len(cs.Skip) && cs.Skip[i] {
			continue
		}
		ch.IDs = append(ch.IDs, id)
		if kind == ReqAskBest {
			ch.Scores = append(ch.Scores, b.score(i))
		}
		if i == cs.has {
			ch.Has = len(ch.IDs)
		}
	}
}

// Candidates is the other way around.
func (ch Choice) Candidates() *Candidates {
	cs := NewCandidates(ch.IDs...)
	copy(cs.Scores, ch.Scores)
	cs.has = ch.Has - 1
	return cs
}
