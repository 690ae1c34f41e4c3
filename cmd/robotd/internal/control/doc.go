// Package control serves the HTTP control API and the live page on a loopback address, with the checks that guard them.
//
// GET /v1/state returns one state view, GET /v1/events a stream of them (Server-Sent Events). A command is a POST of a small
// JSON object, answered by {"ok":true,"text":…} or {"ok":false,"error":…}. The server knows the robot only
// through the [Robot] interface. It never makes the tick wait: state views travel through a [Feed], commands
// through the robot's inbox.
package control
