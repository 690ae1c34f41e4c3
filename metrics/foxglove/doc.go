// Package foxglove streams the facts of a running robot to Foxglove and Lichtblick, by their WebSocket protocol
// (https://github.com/foxglove/ws-protocol): each topic is a channel with a JSON schema, each request to the robot a service, and what
// the robot runs with is read as parameters. No tick waits for a client: one that does not keep up loses the oldest messages, and is told.
package foxglove
