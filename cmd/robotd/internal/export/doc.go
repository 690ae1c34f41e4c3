// Package export writes recordings for other tools: a trace for Perfetto and Chrome (trace.go), and numbers as CSV (csv.go).
package export
