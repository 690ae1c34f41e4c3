package feed

import (
	"slices"
	"sync"

	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// maxEnded is how many ended actions of the operator are kept.
const maxEnded = 16

// endedActions keeps how the newest actions of the operator ended.
type endedActions struct {
	mu     sync.Mutex
	newest []control.EndedAction
}

// take adds those that ended in a tick. Actions of behaviors cost a comparison.
func (l *endedActions) take(o *engine.Output, atS float64) {
	for i := range o.Done {
		d := &o.Done[i]
		if d.Owner != engine.OperatorOwner {
			continue
		}
		l.mu.Lock()
		if len(l.newest) == maxEnded {
			l.newest = slices.Delete(l.newest, 0, 1)
		}
		l.newest = append(l.newest, control.EndedAction{Tag: uint64(d.Tag), Name: d.Name, Result: d.Result.String(), Detail: d.Detail, TimeS: atS})
		l.mu.Unlock()
	}
}

// Ended lists how the newest actions of the operator ended, the oldest first.
func (p *Publisher) Ended() []control.EndedAction {
	p.ended.mu.Lock()
	defer p.ended.mu.Unlock()
	return append([]control.EndedAction{}, p.ended.newest...)
}
