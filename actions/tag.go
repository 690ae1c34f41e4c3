package actions

import "errors"

// A Tag names one runner, unique while it lives. Zero is invalid.
type Tag uint32

// The tag ranges (TAG-1). Engine tags run to the end of the number range and wrap to the first.
const (
	InvalidTag       Tag = 0
	FirstAppTag      Tag = 1
	FirstAppAutoTag  Tag = 1_000_001 // app requests, numbered by the engine
	FirstSDKTag      Tag = 2_000_001
	FirstEngineTag   Tag = 3_000_001
	lastEngineTag    Tag = 4_294_967_295
	maxTagCollisions     = 2 * maxRunnersWithChildren
)

// maxRunnersWithChildren bounds the tags in use: 64 queued runners with 16 children each is far beyond any behavior.
const maxRunnersWithChildren = maxRunners * 16

// External reports a tag chosen by an app or an SDK client (TAG-6).
func (t Tag) External() bool { return t != InvalidTag && t < FirstEngineTag }

// errTagsExhausted says that more runners and children live at once than maxRunnersWithChildren.
var errTagsExhausted = errors.New("actions: take tag: too many actions and children alive")

// A Tagger hands engine tags to the children of a compound. A tag is in use until it is freed (TAG-2).
type Tagger interface {
	Take() (Tag, error)
	Free(t Tag)
}

// tagPool knows the tags in use.
type tagPool struct {
	next Tag
	used map[Tag]struct{}
}

func newTagPool() tagPool {
	return tagPool{next: FirstEngineTag, used: make(map[Tag]struct{})}
}

// Take allocates an engine tag; one that is in use (a custom tag sits on it) is skipped (TAG-3).
func (p *tagPool) Take() (Tag, error) {
	if len(p.used) >= maxRunnersWithChildren {
		return InvalidTag, errTagsExhausted
	}
	for range maxTagCollisions {
		t := p.next
		if p.next == lastEngineTag {
			p.next = FirstEngineTag
		} else {
			p.next++
		}
		if p.claim(t) {
			return t, nil
		}
	}
	return InvalidTag, errTagsExhausted
}

// claim marks t used and reports whether it was valid and free (TAG-4).
func (p *tagPool) claim(t Tag) bool {
	if t == InvalidTag {
		return false
	}
	if _, taken := p.used[t]; taken {
		return false
	}
	p.used[t] = struct{}{}
	return true
}

// Free makes t available again. Freeing an unused tag is harmless.
func (p *tagPool) Free(t Tag) { delete(p.used, t) }
