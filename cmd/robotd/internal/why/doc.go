// Package why tells for any behavior and any past tick why it has control or has not. Its [Maker] turns the answers of a tick into
// messages, and [At] reads them from a history. It decides nothing again.
package why
