package ugv

import (
	"strconv"
	"time"
)

// The commands that the link gives. A line is below the 256 bytes that the board can take apart.
var (
	cmdAsk     = []byte(`{"T":130}` + "\n")
	cmdAskIMU  = []byte(`{"T":126}` + "\n")
	cmdStop    = []byte("\n" + `{"T":1,"L":0,"R":0}` + "\n") // it may follow half a line, of a process that was killed
	cmdFlow    = []byte(`{"T":131,"cmd":1}` + "\n")
	cmdNoEcho  = []byte(`{"T":143,"cmd":0}` + "\n")
	cmdNoAddOn = []byte(`{"T":4,"cmd":0}` + "\n")
)

// intCommand is a command with one number.
func intCommand(t int, key string, v int) []byte {
	p := append([]byte(`{"T":`), strconv.Itoa(t)...)
	p = append(append(append(p, `,"`...), key...), `":`...)
	return append(strconv.AppendInt(p, int64(v), 10), "}\n"...)
}

func millis(d time.Duration) int { return int(d / time.Millisecond) }

// appendDrive appends T 1 with the numbers of both sides.
func appendDrive(p []byte, left, right float64) []byte {
	p = strconv.AppendFloat(append(p, `{"T":1,"L":`...), left, 'f', 4, 64)
	p = strconv.AppendFloat(append(p, `,"R":`...), right, 'f', 4, 64)
	return append(p, "}\n"...)
}

// appendLamps appends T 132 for the lights at base and head.
func appendLamps(p []byte, base, head uint8) []byte {
	p = strconv.AppendUint(append(p, `{"T":132,"IO4":`...), uint64(base), 10)
	p = strconv.AppendUint(append(p, `,"IO5":`...), uint64(head), 10)
	return append(p, "}\n"...)
}

// Screen is the size of the board's text display: lines, and characters of one.
const (
	ScreenLines = 4
	ScreenWidth = 21
)

// appendText appends T 3 for one line of the display. What is not printable ASCII becomes a space.
func appendText(p []byte, line int, text string) []byte {
	p = strconv.AppendInt(append(p, `{"T":3,"lineNum":`...), int64(line), 10)
	p = append(p, `,"Text":"`...)
	for i := range min(len(text), ScreenWidth) {
		switch b := text[i]; {
		case b == '"' || b == '\\':
			p = append(p, '\\', b)
		case b < ' ' || b > '~':
			p = append(p, ' ')
		default:
			p = append(p, b)
		}
	}
	return append(p, "\"}\n"...)
}
