// Package helpers holds the helpers that do a whole task with a cube: drive to it, pick it up, put it down, put it on another, roll it
// (HLP-1…8). A helper looks first whether its task can be done and whether it is done already, repeats what failed, tries another face,
// looks around for a cube that is gone, and clears the way. It makes at most three attempts at each step and takes at most a minute, and then
// it has succeeded or failed; why it failed is its state, for people. It can be taken back at any moment.
//
// The behavior that asks may give the cube, a [CubeGiven], as data of its question. Without one it is the nearest that fits.
package helpers
