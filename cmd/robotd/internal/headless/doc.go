// Package headless runs the simulated robot in virtual time, without listeners, with a script of faults, acts and requests.
// Package daemon runs the same robot live.
package headless
