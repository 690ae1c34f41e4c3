// Package config gives the flags of a command the values that robotd.json and the environment say. A flag on the command line wins over a
// variable ROBOTD_*, a variable over the user's file, and that over the system's.
//
//	config.go   which value holds, and where it comes from
//	file.go     robotd.json: keys are named like flags
//	environ.go  variables
package config
