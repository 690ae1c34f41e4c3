package speech

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/robotd/robotd/resources"
)

// The words of --speech.
const (
	Auto     = "auto"      // espeak-ng where it is installed, else captions
	ESpeak   = "espeak-ng" // it must be installed
	Command  = "command"   // any program that reads a text and writes a WAV file
	Captions = "captions"  // nothing is spoken
)

// Backends lists the words of --speech.
func Backends() []string { return []string{Auto, ESpeak, Command, Captions} }

// espeak are the arguments of espeak-ng: the text is read from stdin, so that no text is taken for an option, and a WAV file goes to stdout.
var espeak = []string{"--stdin", "--stdout", "-b", "1", "-v", "en-us+f2", "-s", "165", "-p", "75"}

// Program is what speaks: the program with its arguments, nil for captions. command is that of [Command], words with spaces between them.
func Program(backend, command string) ([]string, error) {
	words := strings.Fields(command)
	switch {
	case backend == Command && len(words) == 0:
		return nil, errors.New("--speech command lacks --speech-command, such as \"piper --model en.onnx --output_file -\"")
	case backend != Command && len(words) > 0:
		return nil, fmt.Errorf("--speech-command %q belongs to --speech command, not to %q", command, backend)
	}
	switch backend {
	case Captions, "":
		return nil, nil
	case Auto:
		if path, err := exec.LookPath(ESpeak); err == nil {
			return append([]string{path}, espeak...), nil
		}
		return nil, nil
	case ESpeak:
		words = append([]string{ESpeak}, espeak...)
	case Command:
	default:
		return nil, fmt.Errorf("--speech: %w", resources.Unknown("word", backend, Backends()))
	}
	path, err := exec.LookPath(words[0])
	if err != nil {
		return nil, fmt.Errorf("--speech %s: there is no program %q here; install it, or use --speech %s", backend, words[0], Captions)
	}
	return append([]string{path}, words[1:]...), nil
}

// Player is the program that plays raw samples on an ALSA device: aplay of alsa-utils. A library would need cgo, and this binary is static.
func Player(device string) []string { return []string{"aplay", "-q", "-D", device, "-t", "raw"} }
