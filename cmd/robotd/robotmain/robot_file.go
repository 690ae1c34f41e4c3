package robotmain

import (
	"sync"

	"github.com/robotd/robotd/behaviors/reference"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/resources"
)

// robotFile describes the files of robots, for schema and list: what the code that reads them accepts.
var robotFile = sync.OnceValue(func() reference.File {
	return reference.File{
		Name: "robot", Pattern: profile.Dir + "/*.json", Doc: "A robot: its buses, chips, lines and parts, and how large it is.",
		Keys: resources.Explore(func(o *resources.Object) { profile.Read(o, nil) }),
	}
})
