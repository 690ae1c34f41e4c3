package speech

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/robotd/robotd/hardware/device"
)

// Audio is sound: samples of 16 bits, little-endian.
type Audio struct {
	Rate     int // samples a second of each channel
	Channels int
	PCM      []byte
}

// Limits of audio that is taken.
const (
	minRate, maxRate = 8000, 48000
	maxLength        = time.Minute
	maxBytes         = 12 << 20 // of a minute at 48 kHz in two channels, and some
)

// Length is how long it plays.
func (a *Audio) Length() time.Duration {
	frames := len(a.PCM) / (2 * a.Channels)
	return time.Duration(frames) * time.Second / time.Duration(a.Rate)
}

// loudest is the loudness that counts as 255: speech programs seldom use the whole range.
const loudest = 8000

// Loud is the loudness of each step: the square mean of its samples.
func (a *Audio) Loud() []uint8 {
	step := int(device.LoudStep*time.Duration(a.Rate)/time.Second) * a.Channels
	var all []uint8
	for at := 0; at < len(a.PCM)/2; at += step {
		n, sum := min(step, len(a.PCM)/2-at), 0.0
		for i := range n {
			v := float64(int16(binary.LittleEndian.Uint16(a.PCM[2*(at+i):])))
			sum += v * v
		}
		all = append(all, uint8(min(255, 255*math.Sqrt(sum/float64(n))/loudest)))
	}
	return all
}

// WAV is the audio as a file.
func (a *Audio) WAV() []byte {
	le := binary.LittleEndian
	b := append([]byte{}, "RIFF"...)
	b = le.AppendUint32(b, uint32(36+len(a.PCM)))
	b = append(b, "WAVEfmt "...)
	b = le.AppendUint32(b, 16)
	b = le.AppendUint16(b, 1)
	b = le.AppendUint16(b, uint16(a.Channels))
	b = le.AppendUint32(b, uint32(a.Rate))
	b = le.AppendUint32(b, uint32(a.Rate*a.Channels*2))
	b = le.AppendUint16(b, uint16(a.Channels*2))
	b = le.AppendUint16(b, 16)
	b = append(b, "data"...)
	b = le.AppendUint32(b, uint32(len(a.PCM)))
	return append(b, a.PCM...)
}

// ParseWAV reads a WAV file (RIFF, PCM of 16 bits). A program that writes to a pipe does not know the length of its data beforehand, so data
// that is said to be longer than the file ends with the file.
func ParseWAV(b []byte) (*Audio, error) {
	if len(b) < 12 || !bytes.Equal(b[:4], []byte("RIFF")) || !bytes.Equal(b[8:12], []byte("WAVE")) {
		return nil, errors.New("this is no WAV file: it does not begin with RIFF and WAVE")
	}
	var a Audio
	for at := 12; at+8 <= len(b); {
		name, size := string(b[at:at+4]), int64(binary.LittleEndian.Uint32(b[at+4:]))
		body := b[at+8:]
		if size > int64(len(body)) {
			size = int64(len(body))
		}
		body = body[:size]
		switch name {
		case "fmt ":
			if err := a.format(body); err != nil {
				return nil, err
			}
		case "data":
			return a.data(body)
		}
		at += 8 + int(size+size%2)
	}
	return nil, errors.New("a WAV file without data")
}

func (a *Audio) format(b []byte) error {
	if len(b) < 16 {
		return errors.New("a WAV file whose format is cut off")
	}
	le := binary.LittleEndian
	kind, bits := le.Uint16(b), le.Uint16(b[14:])
	a.Channels, a.Rate = int(le.Uint16(b[2:])), int(le.Uint32(b[4:]))
	if kind != 1 || bits != 16 || a.Channels < 1 || a.Channels > 2 || a.Rate < minRate || a.Rate > maxRate {
		return fmt.Errorf("a WAV file of kind %d, %d bits, %d channels, %d Hz; want PCM (1), 16 bits, 1 or 2 channels, %d to %d Hz", kind, bits, a.Channels, a.Rate, minRate, maxRate)
	}
	return nil
}

func (a *Audio) data(b []byte) (*Audio, error) {
	if a.Rate == 0 {
		return nil, errors.New("a WAV file whose data comes before its format")
	}
	a.PCM = b[:len(b)/(2*a.Channels)*(2*a.Channels)]
	if len(a.PCM) == 0 {
		return nil, errors.New("a WAV file without a sample")
	}
	if most := int(maxLength.Seconds()) * a.Rate * a.Channels * 2; len(a.PCM) > most {
		a.PCM = a.PCM[:most]
	}
	return a, nil
}
