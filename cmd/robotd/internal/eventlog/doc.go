// Package eventlog turns ticks and actor events into log lines for people, and keeps the newest lines for the page.
package eventlog
