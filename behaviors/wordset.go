package behaviors

// A wordSet is what references of one kind may name.
type wordSet struct {
	list []string
	has  map[string]bool
}

func wordsOf(list []string) wordSet {
	v := wordSet{list, make(map[string]bool, len(list))}
	for _, w := range list {
		v.has[w] = true
	}
	return v
}

// maxHinted bounds the names that one build compares for hints. A full catalog has hints for 64 mistakes, an ordinary one for all.
const maxHinted = 64 * maxBehaviors

// hints reports whether a hint is still looked for: somebody reads it, and the search has not taken long already.
func (b *builder) hints() bool { return !b.diags.Full() && b.hinted < maxHinted }
