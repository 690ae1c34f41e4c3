package daemon

import (
	"errors"
	"log/slog"
	"maps"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotd/robotd/hardware/profile"
)

func TestLearnedValuesAreWrittenEveryTenSecondsAndAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var at []time.Duration
		var last profile.Calibration
		begin := time.Now()
		l := startLearner(profile.Calibration{"tread_mm": 50}, slog.New(slog.DiscardHandler), func(c profile.Calibration) error {
			at, last = append(at, time.Since(begin)), c
			return nil
		})
		for i := range 25 {
			l.learn("low_us(head)", float64(i))
			time.Sleep(time.Second) //nolint:forbidigo // the time of the bubble is virtual
		}
		l.learn("high_us(head)", 7)
		l.close(time.Second)
		if len(at) != 4 || at[0] != 0 || at[1] != keepEvery || at[2] != 2*keepEvery || at[3] != 25*time.Second {
			t.Errorf("written at %v", at)
		}
		if want := (profile.Calibration{"tread_mm": 50, "low_us(head)": 24, "high_us(head)": 7}); !maps.Equal(last, want) {
			t.Errorf("%v, want %v", last, want)
		}
	})
}

func TestStalledDiskHoldsNoDeviceThatLearns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := make(chan struct{})
		l := startLearner(nil, slog.New(slog.DiscardHandler), func(profile.Calibration) error { <-disk; return nil })
		begin := time.Now()
		for range 1000 {
			l.learn("low_us(head)", 1000)
			synctest.Wait()
		}
		l.close(time.Second)
		if d := time.Since(begin); d != time.Second {
			t.Errorf("%v; want only the limit of close", d)
		}
		close(disk)
		<-l.done
	})
}

func TestFullDiskIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		l := startLearner(nil, slog.New(slog.NewTextHandler(&log, nil)), func(profile.Calibration) error { return errors.New("no space left") })
		for range 3 {
			l.learn("tread_mm", 50)
			time.Sleep(2 * keepEvery) //nolint:forbidigo // the time of the bubble is virtual
		}
		l.close(time.Second)
		if n := strings.Count(log.String(), "no space left"); n != 1 {
			t.Errorf("told %d times: %s", n, &log)
		}
	})
}
