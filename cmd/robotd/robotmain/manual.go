package robotmain

import (
	"bytes"
	"sync"

	"github.com/robotd/robotd/cmd/robotd/internal/setup"
)

// manual makes the reference of the behavior files when it is asked for first, with the names that a resource tree has then.
func (p *program) manual(read func() (setup.Tree, error)) func() ([]byte, error) {
	return sync.OnceValues(func() ([]byte, error) {
		tree, err := read()
		if err != nil {
			return nil, err
		}
		var page bytes.Buffer
		err = p.reference().Markdown(&page, tree.Names())
		return page.Bytes(), err
	})
}
