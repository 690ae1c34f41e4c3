//go:build e2e

package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// tabs are the views of the page.
var tabs = []string{"world", "tree", "timeline", "plots", "mind", "devices", "ticks", "log", "files", "tools"}

// A violation is what axe found wrong, and where.
type violation struct {
	ID     string   `json:"id"`
	Help   string   `json:"help"`
	Places []string `json:"places"`
}

// auditing checks the whole page by the rules of WCAG 2.2, levels A and AA, and the best practices of axe.
const auditing = `axe.run(document, {resultTypes: ['violations']}).then((r) => JSON.stringify(r.violations.map((v) => ({
	id: v.id, help: v.help, places: v.nodes.slice(0, 5).map((n) => n.target.join(' ') + ': ' + n.html.slice(0, 120) + ' ' + (n.any[0] || n.all[0] || n.none[0] || {message: ''}).message),
}))))`

// scheme makes the page light or dark.
func (v *visitor) scheme(name string) {
	v.t.Helper()
	p := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}}
	if _, err := chromedp.Call(v.ctx, emulation.SetEmulatedMedia, p); err != nil {
		v.t.Fatal(err)
	}
}

// loadAxe puts axe into the page.
func (v *visitor) loadAxe() {
	v.t.Helper()
	source, err := os.ReadFile("testdata/vendor/axe/axe.min.js")
	if err != nil {
		v.t.Fatal(err)
	}
	v.do(chromedp.Evaluate[chromedp.Void](string(source) + ";undefined"))
}

// audit fails the test for each violation.
func (v *visitor) audit(where string) {
	v.t.Helper()
	text, err := chromedp.Run(v.ctx, chromedp.Evaluate[string](auditing, chromedp.EvalAwaitPromise))
	if err != nil {
		v.t.Fatalf("%s: %v", where, err)
	}
	var found []violation
	if err := json.Unmarshal([]byte(text), &found); err != nil {
		v.t.Fatal(err)
	}
	for _, f := range found {
		v.t.Errorf("%s: %s (%s)\n\t%s", where, f.ID, f.Help, strings.Join(f.Places, "\n\t"))
	}
}

// TestEveryViewIsAccessible runs axe on each view, wide and narrow, light and dark, and once while the robot is broken and stopped.
func TestEveryViewIsAccessible(t *testing.T) {
	t.Parallel()
	t.Run("live", func(t *testing.T) {
		t.Parallel()
		v := visitAt(t, flat)
		v.loadAxe()
		v.auditViews("live")
		v.do(chromedp.Click("#help-open"))
		v.audit("keys")
	})
	t.Run("stopped", func(t *testing.T) {
		t.Parallel()
		v := visitAt(t, flat)
		v.loadAxe()
		v.breakDevice("cliff", "absent", "600")
		v.until(`document.getElementById('held-back').textContent.includes('cliff')`)
		v.do(chromedp.Click("#estop"))
		v.until(`!document.getElementById('stopped').hidden`)
		v.auditViews("stopped")
	})
}

// auditViews runs axe on each view.
func (v *visitor) auditViews(state string) {
	v.t.Helper()
	for _, size := range []string{"wide", "phone"} {
		v.size(size)
		for _, scheme := range []string{"light", "dark"} {
			v.scheme(scheme)
			for _, tab := range tabs {
				v.show(tab)
				v.until(fits)
				v.audit(strings.Join([]string{state, size, scheme, tab}, " "))
				v.keep(strings.Join([]string{state, size, scheme, tab}, "-") + ".png")
			}
		}
	}
}

// size makes the window wide or that of a phone.
func (v *visitor) size(name string) {
	v.t.Helper()
	if name == "phone" {
		v.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile))
		return
	}
	v.do(chromedp.EmulateViewport(1440, 900))
}

// breakDevice injects a fault by the page's form.
func (v *visitor) breakDevice(device, kind, seconds string) {
	v.t.Helper()
	v.show("tools")
	v.until(`document.querySelector('#fault-device option[value="` + device + `"]') !== null`)
	v.do(chromedp.SetValue("#fault-device", device))
	v.do(chromedp.SetValue("#fault-kind", kind))
	v.do(chromedp.SetValue("#fault-seconds", seconds))
	v.do(chromedp.Click("#fault-form button[type=submit]"))
}
