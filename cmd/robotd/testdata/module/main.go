// Command waver is robotd with one more behavior class.
package main

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/cmd/robotd/robotmain"
)

func main() {
	robotmain.Main(robotmain.Options{Version: "waver-1", Classes: []behaviors.Class{WaveClass()}})
}
