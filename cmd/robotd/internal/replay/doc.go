// Package replay decides recorded lives again: to the bit, to verify a recording (verify.go), or with changed behavior files, to tell what they
// would have decided otherwise (story.go, words.go). A [Taper] puts what that needs into a recording (taper.go).
package replay
