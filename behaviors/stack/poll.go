package stack

import "slices"

// A Foresight is what the owner of the stack can say of the answer to a question without the behavior's own code.
type Foresight uint8

// The foresights.
const (
	Unknown  Foresight = iota // only the behavior's code knows
	SaysNo                    // a gate is closed
	SaysYes                   // every gate is open, and the behavior has no code that could say no
	TakesNot                  // the behavior does not answer this kind of question: refused
)

// A Ballot is a list of candidates that are asked in order, as [Stack.Poll] sees it.
type Ballot interface {
	// Next returns the first candidate at i or after it that is worth a question, given the answers so far, or a negative number.
	// What comes next after some answers "no" is the same before and after they are known.
	Next(i int) int
	// Candidate returns the i-th, and whether it has control from the one who asks: that counts as a yes, and no question is made.
	Candidate(i int) (n *Node, has bool)
	// Answer takes the answers in order. False ends the poll; after a "no" it goes on in any case.
	Answer(i int, yes bool) bool
}

// maxTogether bounds the hooks of one call of the host: each is prepared, and the first that says yes makes the rest needless.
const maxTogether = 64

// A question is one entry of questions.
type question struct {
	n    *Node
	i    int  // in the ballot
	hook bool // its hook runs; otherwise a gate is closed
}

// questions are asked in one call of the host: hooks, and in between behaviors that are known to say no when their turn comes, unless
// they are asked before it.
type questions struct {
	by      *Node
	ballot  Ballot
	list    []question
	nodes   []*Node // those whose hook runs
	settled int     // of list
}

// Ask asks n whether it wants to be activated, on behalf of by, and stamps tick and answer (L-3, L-6). Every other
// request is refused until the outermost question is answered. An activated behavior is not asked (M-32): if it failed to
// answer in the middle of a push or pop, its own pop would run inside the other one.
func (s *Stack) Ask(by, n *Node) (bool, *Refusal) {
	if s.taken(n) {
		return false, nil
	}
	seen, why := s.foresee(by, n)
	switch {
	case why != 0:
		return false, s.refuseToAsk(by, n, why)
	case seen != Unknown:
		return s.stamp(by, n, seen == SaysYes), nil
	}
	q := s.prepare(by, nil)
	q.add(question{n: n, hook: true})
	_, yes := s.run(q)
	return yes, nil
}

// Poll asks the candidates of b one after another, on behalf of by, each as [Stack.Ask] does. Those who must be called are called
// together as far as nobody says yes: to the candidates, to the events and to the ballot it is the same. It ends if by is lost, which a
// candidate may ask in turn.
func (s *Stack) Poll(by *Node, b Ballot) {
	for i := b.Next(0); i >= 0 && (by == nil || !by.broken); i = b.Next(i + 1) {
		n, yes := b.Candidate(i)
		if !yes && !s.taken(n) {
			seen, why := s.foresee(by, n)
			switch {
			case why != 0:
				_ = s.refuseToAsk(by, n, why) // recorded as an event; the answer is no
			case seen != Unknown:
				yes = s.stamp(by, n, seen == SaysYes)
			default:
				i, yes = s.run(s.together(by, b, i, n))
			}
		}
		if !b.Answer(i, yes) {
			return
		}
	}
}

// taken reports that n does not count for a behavior that is itself asked: n is activated already, below another one that may share it. To
// ask is no mistake then, and the answer is no.
func (s *Stack) taken(n *Node) bool { return s.asking > 0 && n != nil && n.state == Activated }

// foresee checks a question of by to n and answers it without n's code if that is possible. In its OnDeactivated a behavior is the top, but no
// longer activated: it may not ask (L-12, M-24).
func (s *Stack) foresee(by, n *Node) (Foresight, Reason) {
	if why := s.mayAsk(n); why != 0 {
		return Unknown, why
	}
	if by != nil && by.state != Activated && by == s.Top() {
		return Unknown, NotActivated
	}
	seen := s.turn(n)
	if seen == TakesNot {
		return seen, Unsupported
	}
	return seen, 0
}

// turn asks n now, as far as that needs none of its code.
func (s *Stack) turn(n *Node) Foresight {
	if n.queued > 0 {
		s.overtaken++
	}
	return s.host.Foresee(n, true)
}

// Overtaken counts the questions to behaviors that waited for their turn in a list: such a question may change what they would have
// answered, so that the list is to be prepared anew.
func (s *Stack) Overtaken() uint64 { return s.overtaken }

func (s *Stack) mayAsk(n *Node) Reason {
	switch {
	case n == nil:
		return NoTarget
	case n.state < InScope || n.fresh:
		return NotInScope
	case n.state == Activated:
		return AlreadyActivated
	case n.disabled:
		return Disabled
	case n.broken:
		return Broken
	case n.asking:
		return Cycle
	case s.asking >= maxDepth:
		return TooDeep
	}
	return 0
}

func (s *Stack) stamp(by, n *Node, answer bool) bool {
	n.asked, n.answer = s.tick, answer
	if s.watch != nil {
		s.watch(by, n, answer, 0)
	}
	return answer
}

func (s *Stack) refuseToAsk(by, n *Node, why Reason) *Refusal {
	if s.watch != nil && n != nil {
		s.watch(by, n, false, why)
	}
	return s.Refuse(OpAsk, by, n, why)
}

// prepare returns the memory for the questions at the present depth.
func (s *Stack) prepare(by *Node, b Ballot) *questions {
	if s.asking == len(s.polls) {
		s.polls = append(s.polls, &questions{})
	}
	q := s.polls[s.asking]
	q.by, q.ballot, q.list, q.nodes, q.settled = by, b, q.list[:0], q.nodes[:0], 0
	return q
}

func (q *questions) add(x question) {
	q.list = append(q.list, x)
	x.n.queued++
	if x.hook {
		q.nodes = append(q.nodes, x.n)
	}
}

// together lists the questions that go with that to n, the i-th: those after it whose hook must run, and those in between that a
// gate answers. One that would be refused or answered yes waits for its turn, and so does a second question to the same behavior.
func (s *Stack) together(by *Node, b Ballot, i int, n *Node) *questions {
	q := s.prepare(by, b)
	q.add(question{n, i, true})
	for j := b.Next(i + 1); j >= 0 && len(q.nodes) < maxTogether; j = b.Next(j + 1) {
		n, has := b.Candidate(j)
		if has || s.mayAsk(n) != 0 || n.queued > 0 {
			break
		}
		seen := s.host.Foresee(n, false)
		if seen == SaysYes || seen == TakesNot {
			break
		}
		q.add(question{n, j, seen == Unknown})
	}
	return q
}

// run has the host ask until one says yes or fails, or all said no, and returns the last that was asked.
func (s *Stack) run(q *questions) (i int, yes bool) {
	s.asking++
	s.hooks++
	q.list[0].n.asking = true
	ran, yes, err := s.host.Ask(q.nodes)
	last := q.nodes[ran-1]
	s.settle(q, last)
	for _, x := range q.list[q.settled:] {
		x.n.queued--
	}
	last.asking = false
	s.hooks--
	s.asking--
	i = q.list[q.settled].i
	if err != nil {
		s.Fail(last, HookWants, err)
	}
	return i, s.stamp(q.by, last, yes && err == nil)
}

// Asks tells the stack that the hook of n runs now, among those that the host was given to ask. Those before it said no. The host
// calls it before it serves a request of that hook.
func (s *Stack) Asks(n *Node) {
	if s.asking == 0 || n.asking {
		return
	}
	q := s.polls[s.asking-1]
	if slices.Contains(q.nodes, n) {
		s.settle(q, n)
		n.asking = true
	}
}

// settle stamps the questions before that to n: all of them were answered no.
func (s *Stack) settle(q *questions, n *Node) {
	for ; q.list[q.settled].n != n || !q.list[q.settled].hook; q.settled++ {
		x := q.list[q.settled]
		x.n.asking = false
		x.n.queued--
		if !x.hook {
			s.turn(x.n) // nobody asked it since, and what was a no is a no
		}
		s.stamp(q.by, x.n, false)
		q.ballot.Answer(x.i, false)
	}
}
