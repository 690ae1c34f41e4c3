// Package control is the daemon's loopback face: the HTTP control API, the live page and their guards.
//
// Reading is one picture a request (GET /v1/state) or a stream of them (GET /v1/events, Server-Sent Events); acting is one
// POST of a small JSON object, answered by {"ok":true,"text":…} or {"ok":false,"error":…}. The server knows the robot only
// through the [Robot] interface. It never makes the tick wait: pictures travel through a [Feed], commands through the
// robot's inbox.
package control
