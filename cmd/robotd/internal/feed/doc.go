// Package feed makes what the page and `robotd ctl` are told: state views, health checks, tick times, and the counts of failures,
// warnings and device restarts. It observes ticks and events, and decides nothing.
package feed
