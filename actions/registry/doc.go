// Package registry lists the actions that an operator may ask for by name, with their parameters, and makes them.
//
// One table (see [All]) has the name of each action, the keys of its parameters, their units, limits and defaults. Command line, API and page
// print it, and [Make] reads texts by it, so that all of them agree. Angles are degrees, because people type them; keys name their unit.
package registry
