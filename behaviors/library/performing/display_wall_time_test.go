package performing

import (
	"testing"
	"time"
)

// Rules: DT-X03.
func TestTimeTextHasTwoDigitsForTheHourInBothFormats(t *testing.T) {
	for _, c := range []struct {
		hour, minute int
		want24       string
		want12       string
	}{
		{12, 30, "12:30", "12:30"},
		{0, 0, "00:00", "12:00"},
		{12, 0, "12:00", "12:00"},
		{0, 4, "00:04", "12:04"},
		{1, 9, "01:09", "01:09"},
		{14, 1, "14:01", "02:01"},
	} {
		at := time.Date(2026, 5, 4, c.hour, c.minute, 59, 0, time.UTC)
		if got := TimeText(at, true); got != c.want24 {
			t.Errorf("%d:%02d, 24 hours: %s, want %s", c.hour, c.minute, got, c.want24)
		}
		if got := TimeText(at, false); got != c.want12 {
			t.Errorf("%d:%02d, 12 hours: %s, want %s", c.hour, c.minute, got, c.want12)
		}
	}
}
