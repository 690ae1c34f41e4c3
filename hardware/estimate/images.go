package estimate

import (
	"time"

	"github.com/robotd/robotd/hardware"
)

// images tells new images from those that were used already: a reading is repeated until the camera's next image.
type images struct {
	used map[int]time.Time // capture time of the newest image used, by source
	one  [1]hardware.Image // memory of a reading that is one image
}

// sees reports whether there is a fresh reading of a camera.
func sees(s *hardware.Snapshot) bool { return s.Vision.OK() && !s.Vision.Value.Blind }

// fresh returns the images of a reading that were not used yet, oldest first. They are valid until the next call.
func (i *images) fresh(s *hardware.Snapshot) []hardware.Image {
	d := &s.Vision.Value
	if !sees(s) {
		return nil
	}
	if !d.Posted {
		if !i.take(0, d.CapturedAt) {
			return nil
		}
		i.one[0] = d.Image()
		return i.one[:]
	}
	var all []hardware.Image
	for k := range d.Images {
		if img := &d.Images[k]; i.take(img.Source, img.CapturedAt) {
			all = append(all, *img)
		}
	}
	return all
}

// take reports whether an image is newer than the last one of its source, and notes it.
func (i *images) take(source int, at time.Time) bool {
	if !at.After(i.used[source]) {
		return false
	}
	if i.used == nil {
		i.used = map[int]time.Time{}
	}
	i.used[source] = at
	return true
}
