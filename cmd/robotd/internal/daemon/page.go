package daemon

import (
	"io/fs"
	"path"

	"github.com/robotd/robotd/resources"
)

// Page is the tree of the live page. It is always the one inside the binary, also with another resource tree.
func Page() fs.FS {
	page, err := fs.Sub(resources.Embedded(), path.Clean("web"))
	if err != nil {
		panic("daemon: " + err.Error()) // the name is a constant and valid
	}
	return page
}
