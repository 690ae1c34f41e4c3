// Package rates measures how well the robot's actions do what they say: each is tried over many seeds, with the real drivers on emulated
// chips in virtual time, and judged by the truth of the simulated world, never by what the robot believes. `make rates` writes the table
// actions/RATES.md.
package rates
