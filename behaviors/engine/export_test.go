package engine

// Releases lets a test run the releases of B-12 one by one, in the order of their table, and look around after each.
func (e *Engine) Releases(c *Cell, after func(rule string)) {
	for i := range releases {
		releases[i].undo(e, c, "")
		after(releases[i].rule)
	}
}

// KeepsBatch reports whether the lists of the newest in-scope pass are kept for the next.
func KeepsBatch(e *Engine) bool { return e.cellsBuf != nil && e.frameBuf != nil }
