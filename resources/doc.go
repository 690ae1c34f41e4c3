// Package resources holds the data of the robot and reads it: behavior instances, the configuration of mood and boot, and the
// live page, embedded in the binary or taken from a directory. It knows files, not behaviors, and imports nothing of this module.
//
// Its place is before the first tick: bytes become a [Document] that remembers where each value
// stands, a typed reader ([Object]) takes the document apart, and whatever is wrong becomes a [Diagnostic]
// (file:line:col, message, hint). Nothing here runs inside a tick.
//
// # Reading
//
// [Parse] goes two steps. Comments become blanks, which keeps every byte offset; gjson checks the syntax of that standard form and reads it,
// so the index of a gjson result is a place in the file the author wrote. A file in which something may be wrong goes to hujson instead, whose
// tree tells what and where.
//
// Reading a key declares it. After the last read, [Object.Finish] (or [Document.Finish] for all objects that were
// handed out) reports the keys that were not read. A reader that finds a mistake notes it in the document's list
// and goes on with the zero or default value, so one run reports every mistake of a file:
//
//	doc, diags := resources.Parse("behaviors/greet.json", src)
//	if doc != nil {
//		root := doc.Root()
//		speed := root.FloatRange("speed_mmps", 0, 300)
//		next := root.Ref("next", "behavior")
//		doc.Finish()
//		diags = append(diags, doc.Diagnostics()...)
//	}
//
// Parse's own findings and the document's never overlap: the complete list is the sum of both.
//
// # Concurrency
//
// Functions and the embedded files may be used from any goroutine. A Document with its Objects and Values belongs to
// one goroutine at a time, since reading marks keys; different documents are independent.
package resources
