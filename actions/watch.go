package actions

import "slices"

// A WatchID names a watcher. The first is 1.
type WatchID uint64

type watcher struct {
	id WatchID
	f  func(Completion)
}

// Watch registers f for the end of every runner, children of compounds included. Calls come at the end of Update, after
// all slots were updated (DONE-2).
func (l *List) Watch(f func(Completion)) WatchID {
	l.watchIDs++
	l.watchers = append(l.watchers, watcher{l.watchIDs, f})
	return l.watchIDs
}

// Unwatch removes a watcher and reports whether it was there.
func (l *List) Unwatch(id WatchID) bool {
	before := len(l.watchers)
	l.watchers = slices.DeleteFunc(slices.Clone(l.watchers), func(w watcher) bool { return w.id == id })
	return len(l.watchers) < before
}

// reportToWatchers keeps a completion for the next notify.
func (l *List) reportToWatchers(c Completion) {
	if len(l.watchers) > 0 {
		l.unreported = append(l.unreported, c)
	}
}

// notify calls the watchers. They are told of actions that end meanwhile in the next update.
func (l *List) notify() {
	if len(l.unreported) == 0 {
		return
	}
	ended := l.unreported
	l.unreported = nil
	for _, c := range ended {
		for _, w := range l.watchers {
			w.f(c)
		}
	}
}
