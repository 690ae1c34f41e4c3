package behaviors

// What one behavior may know of others without asking them: who they are, and which of them run. And what it may tell them.

// Instances lists the behaviors of a class by ID, sorted, anonymous ones included; nil if there is none. It belongs into Init: the list
// does not change in the life of an incarnation.
func (c *Control) Instances(class string) []string {
	return c.do(Request{Kind: ReqInstances, Key: class}).List
}

// AnyActivated reports whether one of the candidates is on the stack. Afterwards Candidates.Wants says which of them are. It asks no
// behavior anything.
func (c *Control) AnyActivated(cs *Candidates) bool {
	clear(cs.Wants)
	return c.do(Request{Kind: ReqActivated, Among: cs}).OK
}

// A Word is what one behavior tells others for the rest of a tick, besides keeping them from being activated.
type Word string

// Tell gives other behaviors a word for this tick. Of two words in one tick both count. IDs without a behavior are left out.
func (c *Control) Tell(w Word, ids ...string) {
	c.do(Request{Kind: ReqTell, Key: string(w), IDs: ids})
}

// Told reports whether another behavior gave this one the word in this tick. Who tells must be updated before: it is lower on the stack,
// or the stack was built so.
func (c *Control) Told(w Word) bool { return c.do(Request{Kind: ReqTold, Key: string(w)}).OK }

// TakesData reports whether the class of another behavior answers questions with data; see [WanterWith].
func (c *Control) TakesData(id string) bool { return c.do(Request{Kind: ReqTakes, ID: id}).OK }

// PlayWithCube asks for the connection to the cube for play: with its lights, and not in the background only. It is given up when the
// behavior is deactivated.
func (c *Control) PlayWithCube() {
	c.do(Request{Kind: ReqSubscribeCube, Args: CubeSubscription{Requirement: CubeOptionalActive}})
}
