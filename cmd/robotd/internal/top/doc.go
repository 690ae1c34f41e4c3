// Package top shows a running robot in a terminal: what it does and why, its stack, its devices, and which behaviors take the time. It
// asks the control API and decides nothing. One frame is plain text of a given size ([Data.Frame]); the terminal program around it is
// made with bubbletea.
package top
