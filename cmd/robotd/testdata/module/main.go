// Command waver is robotd with one more behavior class, one more condition type, and a distance sensor of its own.
package main

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/cmd/robotd/robotmain"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
)

func main() {
	robotmain.Main(robotmain.Options{
		Version:    "waver-1",
		Classes:    []behaviors.Class{WaveClass()},
		Conditions: []condition.Type{WallAheadCondition()},
		Drivers:    device.Drivers{hardware.Range: NewLidar},
		Named:      device.NamedDrivers{"wall": {hardware.Range: NewWall}},
	})
}
