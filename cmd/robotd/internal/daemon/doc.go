// Package daemon is the live robot: the order of start and stop, the listeners of page, control API and metrics, and the robot as
// the control API sees it. Package headless runs the same robot in virtual time.
package daemon
