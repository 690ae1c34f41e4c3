// Package app wires the daemon: resources to catalog, simulated robot to device actors, actors to observers, everything to
// listeners, with the order of start and stop. [Serve] is the live daemon, [RunHeadless] the same robot in virtual time.
package app
