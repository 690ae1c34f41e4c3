// Package runstats counts what happened in a run, checks each behavior's lifecycle from its events alone, and writes the summary of
// the run.
package runstats
