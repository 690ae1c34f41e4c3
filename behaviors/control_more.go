package behaviors

// Stopping reports whether the behavior was told to end with its present delegate. It is refused any other until then, so
// whoever would take control back only to give it to somebody else had better wait.
func (c *Control) Stopping() bool { return c.inv.Facts.Stopping }

// ClearSuggestions forgets every post-behavior suggestion. Whoever acts on one takes them all (spec/data.md §5.9).
func (c *Control) ClearSuggestions() { c.do(Request{Kind: ReqClearSuggestions}) }
