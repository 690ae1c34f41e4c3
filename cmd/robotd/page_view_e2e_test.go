//go:build e2e

package main

import (
	"context"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/view"
	"github.com/robotd/robotd/metrics/record"
)

// TestPageOfARecordingOffersNothingThatItRefuses opens a recorded life: the page says that it is at the end, not live, and has no button of a
// robot; an instant of the past is drawn.
func TestPageOfARecordingOffersNothingThatItRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	command(t, dir, "robotd", "run", "--headless", "--for", "1m", "--seed", "3", "--record", "recording")
	h, err := record.Open(filepath.Join(dir, "recording"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	l, err := control.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan string, 1), make(chan error, 1)
	go func() {
		done <- view.Run(ctx, view.Options{Recording: h, Classes: library.Registry(), Log: slog.New(slog.DiscardHandler), Listener: l, Ready: func(url string) { ready <- url }})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	url := <-ready
	v := browse(t, inPlane)
	v.do(chromedp.Navigate(url + flat))
	v.until(`document.getElementById('pill-link').textContent === 'end'`)
	v.until(`['#acts', '#tab-tools', '#tab-files', '#do-form'].every((s) => !document.querySelector(s).checkVisibility({ visibilityProperty: true }))`)
	v.until(`[...document.querySelectorAll('#estop, #actions .end')].every((e) => getComputedStyle(e).visibility === 'hidden')`)
	v.do(chromedp.Evaluate[chromedp.Void](`location.hash = '#tab=world&at=20'`))
	v.until(atPast)
	v.until(`document.getElementById('clock').textContent.startsWith('20.0 s')`)
	v.until(`document.querySelector('.w3').dataset.robot !== undefined`)
	for _, size := range []string{"wide", "phone"} {
		v.size(size)
		v.until(fits)
		v.keep("recording-" + size + ".png")
	}
	v.show("tree")
	v.until(treeRows + `.length > 5`)
}
