// Package speech makes what the robot says and plays heard: it speaks through a program outside, such as espeak-ng, makes the tones of clips, and
// plays both through another program, aplay, where the robot has a loudspeaker. The programs may hang, die or be absent: every call of
// [Voice] returns at once, each program has its time and is then killed with what it started, and a sound without audio is its caption.
package speech
