package daemon

import (
	"context"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/cmd/robotd/internal/sets"
	"github.com/robotd/robotd/resources"
)

// openSets makes the store of definitions. The files of the start are its first set.
func (d *daemon) openSets(o event.Observer) {
	first := sets.Set{Catalog: d.run.Catalog, Tree: d.run.Tree}
	where := sets.Where{Dir: d.run.Edits, Overlay: d.run.Overlay, Base: resources.Embedded()}
	d.sets = sets.NewStore(sets.Options{First: first, Read: d.run.Read, Build: d.run.Build, Where: where, Observer: o})
	d.run.Changes = d.sets.Changes
}

// reloads reads the definitions again at each signal, until the robot stops.
func (d *daemon) reloads(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.opts.Reload:
			d.notify.Reloading()
			d.sets.Reload(ctx, sets.CauseSignal) // what comes of it is in the log
			if ctx.Err() == nil {                // STOPPING=1 has been said otherwise
				d.notify.Ready()
			}
		}
	}
}
