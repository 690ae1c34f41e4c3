package device

import (
	"image"
	"testing"

	"periph.io/x/devices/v3/ssd1306/image1bit"
)

// eyePixels is what drawEye shows, asked pixel by pixel.
func eyePixels(e *eye) *image1bit.VerticalLSB {
	img := image1bit.NewVerticalLSB(image.Rect(0, 0, faceWidth, faceHeight))
	for y := range faceHeight {
		row, any := e.row(float64(y) + 0.5 - faceHeight/2 - e.dy)
		for x := range faceWidth {
			if any && row.covers(float64(x)+0.5-faceWidth/2-eyeX-e.dx) {
				img.SetBit(x, y, image1bit.On)
			}
		}
	}
	return img
}

func TestEyeShowsAllThatItsRowsCover(t *testing.T) {
	for _, spec := range faceSpecs() {
		for _, at := range []pose{{}, {lid: 3}, {lid: 8}, {tall: 7, wide: -5}, {slant: 9, cheek: 16}, {slant: -9, lid: 5, cheek: 4}} {
			e := spec.right
			e.bend(&at)
			e.shut = float64(at.lid) / lidSteps
			got := image1bit.NewVerticalLSB(image.Rect(0, 0, faceWidth, faceHeight))
			drawEye(got, e, 1, 0)
			if want := eyePixels(&e); string(got.Pix) != string(want.Pix) {
				t.Errorf("%s at %+v:\n%s\nwant\n%s", spec.name, at, picture(got), picture(want))
			}
		}
	}
}
