// Command robotd is the on-robot daemon: it runs the robot's behaviors, shows them on a live page, checks behavior files,
// and sends commands to a running daemon. `robotd help` lists the commands. A program with behavior classes of its own is as short as
// this one: see the package [github.com/robotd/robotd/cmd/robotd/robotmain].
package main

import "github.com/robotd/robotd/cmd/robotd/robotmain"

// version is set by the linker (-X main.version=…).
var version = "dev"

func main() { robotmain.Main(robotmain.Options{Version: version}) }
