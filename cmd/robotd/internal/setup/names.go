package setup

import (
	"github.com/robotd/robotd/actions/animation"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/reference"
	"github.com/robotd/robotd/resources"
)

// Names lists the names that the files of the tree define, as far as the files can be read.
func (t Tree) Names() reference.Names {
	docs, _ := resources.LoadBehaviors(t.FS)
	boot, _ := loadBoot(t.FS)
	mood, _ := catalog.LoadMood(t.FS)
	clips, _ := animation.Load(t.FS)
	return reference.NamesIn(docs, boot, mood, animation.Read(clips))
}
