package control

import (
	"net/http"
	"strconv"
)

// A Speaker is a robot that keeps what it said as audio. A Robot may be one.
type Speaker interface {
	// Sound is the sound of that number, which is "sound" of body.sensors in the state, as a WAV file; nil if none was made, or if newer ones
	// have taken its place.
	Sound(number uint64) []byte
}

// sound serves what the robot says as a WAV file, so that the page plays it. Without audio the answer is empty: it is not made yet, the sound is a
// caption or a clip, or newer ones took its place.
func (s *Server) sound(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.ParseUint(r.PathValue("number"), 10, 64)
	if err != nil {
		deny(w, http.StatusBadRequest, quote(r.PathValue("number"))+" is no number of a sound, such as 7; sound of body.sensors in /v1/state is the newest one")
		return
	}
	var wav []byte
	if k, ok := s.robot.(Speaker); ok {
		wav = k.Sound(n)
	}
	if wav == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "audio/wav")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(wav)
}
