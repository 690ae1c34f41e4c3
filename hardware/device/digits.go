package device

import (
	"image"

	"periph.io/x/devices/v3/ssd1306/image1bit"
)

// Digits of seven bars each, in pixels.
const (
	digitWidth, digitHeight = 20, 40
	barWidth                = 4
	digitGap                = 5
	colonWidth              = barWidth
)

// bars says which of the seven bars of a digit are lit, a bit each: top, upper left, upper right, middle, lower left, lower right, bottom.
var bars = [10]uint8{0b1110111, 0b0100100, 0b1011101, 0b1101101, 0b0101110, 0b1101011, 0b1111011, 0b0100101, 0b1111111, 0b1101111}

// barAt are the places of the bars within a digit.
var barAt = [7]image.Rectangle{
	image.Rect(0, 0, digitWidth, barWidth),
	image.Rect(0, 0, barWidth, digitHeight/2),
	image.Rect(digitWidth-barWidth, 0, digitWidth, digitHeight/2),
	image.Rect(0, (digitHeight-barWidth)/2, digitWidth, (digitHeight+barWidth)/2),
	image.Rect(0, digitHeight/2, barWidth, digitHeight),
	image.Rect(digitWidth-barWidth, digitHeight/2, digitWidth, digitHeight),
	image.Rect(0, digitHeight-barWidth, digitWidth, digitHeight),
}

// drawDigits renders digits and colons in the middle of the panel.
func drawDigits(text string) *image1bit.VerticalLSB {
	img := image1bit.NewVerticalLSB(image.Rect(0, 0, faceWidth, faceHeight))
	width := -digitGap
	for i := range text {
		width += digitGap + glyphWidth(text[i])
	}
	at := image.Pt((faceWidth-width)/2, (faceHeight-digitHeight)/2)
	for i := range text {
		if text[i] == ':' {
			fill(img, image.Rect(0, digitHeight/4, colonWidth, digitHeight/4+barWidth).Add(at))
			fill(img, image.Rect(0, 3*digitHeight/4-barWidth, colonWidth, 3*digitHeight/4).Add(at))
		} else {
			for bar, r := range barAt {
				if bars[text[i]-'0']&(1<<bar) != 0 {
					fill(img, r.Add(at))
				}
			}
		}
		at.X += digitGap + glyphWidth(text[i])
	}
	return img
}

func glyphWidth(c byte) int {
	if c == ':' {
		return colonWidth
	}
	return digitWidth
}

func fill(img *image1bit.VerticalLSB, r image.Rectangle) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			img.SetBit(x, y, image1bit.On)
		}
	}
}
