// Package storm is a test. For hours of virtual time, or for minutes live, people and faults do to the simulated robot whatever they can:
// voices, hands, cubes, stops, and every fault of every device, by chance from a seed. The robot drives meanwhile. It must not fall or
// break a rule, each device must be healed soon after the faults end, and nothing may grow.
//
//	.ci/storm 1 6 1h   # six lives of an hour in virtual time
//	.ci/storm live 10m # a daemon for ten minutes
//
// The suite runs a few minutes of virtual time.
package storm
