//go:build e2e

package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/daemon"
	"github.com/robotd/robotd/cmd/robotd/internal/sets"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
	"github.com/robotd/robotd/hardware/profile"
)

// liveRobot serves a robot until the test ends and returns the page's address.
func liveRobot(t *testing.T) string {
	t.Helper()
	return liveAddresses(t).page
}

// addresses are those of a robot that a test serves.
type addresses struct{ page, metrics, foxglove string }

// liveAddresses serves a robot until the test ends. Its stream for Foxglove takes requests.
func liveAddresses(t *testing.T) addresses { return addressesOf(t, nil) }

// addressesOf serves that robot; nil is R1.
func addressesOf(t *testing.T, p *profile.Profile) addresses {
	t.Helper()
	s := setuptest.Options(t, 3)
	s.Robot = p
	s.Edits, s.Overlay = filepath.Join(t.TempDir(), "resources"), true
	s.Read = func() (setup.Tree, error) {
		tree, err := setup.OpenTree("")
		if err == nil {
			tree.FS, err = sets.Over(tree.FS, s.Edits)
		}
		return tree, err
	}
	s.Reference = func() ([]byte, error) { return os.ReadFile("../../behaviors/REFERENCE.md") }
	listener, err := control.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	metrics, err := control.ListenAny("127.0.0.1:0", "--metrics-listen")
	if err != nil {
		t.Fatal(err)
	}
	stream, err := control.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan string, 1), make(chan error, 1)
	go func() {
		_, err := daemon.Run(ctx, s, daemon.Options{Control: listener, Metrics: metrics, Foxglove: stream, FoxgloveControl: true, Ready: func(url string) { ready <- url }})
		done <- err
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return addresses{<-ready, "http://" + metrics.Addr().String(), stream.Addr().String()}
}

// visitTime bounds one visit; the audit of every view takes most of it on a busy machine.
const visitTime = 8 * time.Minute

// visit opens the page in a window that is there until the test ends. The test fails if the browser reported an error. A refused
// command is none, nor is a robot that does not measure its hooks.
func visit(t *testing.T) *visitor {
	t.Helper()
	return visitAt(t, "")
}

// flat is the address of the page with the world drawn from above, for tests of other views: WebGL without a graphics card takes most
// of a machine.
const flat = "?gl=none"

// visitAt opens an address of the page.
func visitAt(t *testing.T, address string) *visitor { return visitRobot(t, nil, address) }

// visitRobot opens an address of the page of that robot; nil is R1.
func visitRobot(t *testing.T, p *profile.Profile, address string) *visitor {
	t.Helper()
	c := inDepth
	if address == flat {
		c = inPlane
	}
	c.enter(t)
	url := addressesOf(t, p).page // it ends after the browser, which would complain
	v := browse(t, c)
	if c == inDepth {
		v.before(unhurried)
	}
	v.do(chromedp.Navigate(url + address))
	v.until(`document.getElementById('pill-link').textContent === 'live'`)
	return v
}

// A chromium is a browser that tests share. It is started by the first of them.
type chromium struct {
	once    sync.Once
	room    chan struct{} // for so many tests at a time; nil for any number
	options []chromedp.ExecAllocatorOption
	ctx     context.Context
	err     error
}

// Of the two browsers one draws WebGL without a graphics card, which takes most of a processor: four at a time draw nothing for minutes
// on a busy machine. The other one has no WebGL.
var (
	inDepth = &chromium{room: make(chan struct{}, 2), options: []chromedp.ExecAllocatorOption{
		chromedp.WindowSize(1000, 660), chromedp.Flag("use-gl", "angle"), chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true),
	}}
	inPlane = &chromium{options: []chromedp.ExecAllocatorOption{chromedp.WindowSize(1440, 900), chromedp.DisableGPU}}
)

// enter waits until there is room for a test, which has it until it ends.
func (c *chromium) enter(t *testing.T) {
	if c.room == nil {
		return
	}
	c.room <- struct{}{}
	t.Cleanup(func() { <-c.room })
}

// running is the context of the browser, which ends with the last test.
func (c *chromium) running() (context.Context, error) {
	c.once.Do(func() {
		browser, err := exec.LookPath("chromium")
		if err != nil {
			c.err = errors.New("no chromium; install it with: apt-get install chromium")
			return
		}
		options := slices.Concat(chromedp.DefaultExecAllocatorOptions[:], c.options,
			[]chromedp.ExecAllocatorOption{chromedp.ExecPath(browser), chromedp.NoSandbox})
		alloc, stop := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, cancel := chromedp.NewContext(alloc)
		endWith(cancel, stop)
		c.ctx, c.err = ctx, chromedp.Do(ctx)
	})
	return c.ctx, c.err
}

// unhurried lets a page draw three pictures a second, with rough edges: those in depth take most of a processor, and nobody looks.
const unhurried = `(() => {
	const context = HTMLCanvasElement.prototype.getContext;
	HTMLCanvasElement.prototype.getContext = function (kind, options) { return context.call(this, kind, { ...options, antialias: false }); };
	const really = window.requestAnimationFrame;
	window.requestAnimationFrame = (draw) => setTimeout(() => really.call(window, draw), 300);
	window.cancelAnimationFrame = (id) => clearTimeout(id);
})();`

// before runs a script in each document before its own scripts run.
func (v *visitor) before(script string) {
	v.t.Helper()
	if _, err := chromedp.Call(v.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script}); err != nil {
		v.t.Fatal(err)
	}
}

// browse opens an empty window of a browser, with a storage of its own.
func browse(t *testing.T, c *chromium) *visitor {
	t.Helper()
	browser, err := c.running()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	v := &visitor{t: t, ctx: ctx}
	v.do() // it opens now, and outlives what is done with less time
	ctx, over := context.WithTimeout(ctx, visitTime)
	t.Cleanup(over)
	v.ctx = ctx
	failOnComplaints(ctx, t)
	v.slow()
	return v
}

// slow makes the processor of the browser slower.
func (v *visitor) slow() {
	v.t.Helper()
	if slowness() == 1 {
		return
	}
	if _, err := chromedp.Call(v.ctx, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: slowness()}); err != nil {
		v.t.Fatal(err)
	}
}

// slowness is how many times slower the browser is than it could be: ROBOTD_TEST_SLOW, to find tests that need a fast machine.
func slowness() float64 {
	rate, err := strconv.ParseFloat(os.Getenv("ROBOTD_TEST_SLOW"), 64)
	if err != nil || rate < 1 {
		return 1
	}
	return rate
}

// failOnComplaints fails the test at its end for each error that the browser reports. A lost stream is none: a browser on a busy machine that
// does not read its stream for seconds is dropped, and the page connects again, which tests that wait for something new see.
func failOnComplaints(ctx context.Context, t *testing.T) {
	t.Helper()
	complaints := make(chan string, 100)
	err := chromedp.Listen(ctx, func(ev any) {
		text := complaint(ev)
		if strings.Contains(text, "ERR_INCOMPLETE_CHUNKED_ENCODING") && strings.HasSuffix(text, "/v1/events") {
			return
		}
		if strings.HasSuffix(text, "/v1/state?at=99999.000") { // which a test asks for
			return
		}
		if text == "" || strings.Contains(text, "status of 422") || strings.Contains(text, "/v1/budget") {
			return
		}
		select {
		case complaints <- text:
		default: // a hundred are enough
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for {
			select {
			case c := <-complaints:
				t.Errorf("the browser complains: %s", c)
			default:
				return
			}
		}
	})
}

// show selects a tab.
func (v *visitor) show(tab string) {
	v.t.Helper()
	v.do(chromedp.Click("#tab-" + tab))
	v.until(`!document.getElementById('panel-` + tab + `').hidden`)
}

// TestPageWorksInRealBrowser checks that the page connects, draws, obeys its own security policy, and that its buttons work.
func TestPageWorksInRealBrowser(t *testing.T) {
	t.Parallel()
	v := visit(t)
	v.until(`document.querySelectorAll('#stack .layer').length > 0`)
	v.until(`document.getElementById('sentence').textContent.length > 1`)
	v.until(fits)
	v.until(`document.getElementById('act-lift').textContent === 'Pick up'`)
	v.do(chromedp.Click("#act-lift"))
	v.until(`document.getElementById('act-lift').textContent === 'Put down'`)
	v.do(chromedp.Click("#act-lift"))
	v.until(`document.getElementById('act-lift').textContent === 'Pick up'`)
	v.keep("wide.png")
	v.do(chromedp.Click("#estop"))
	v.until(`!document.getElementById('stopped').hidden`)
	v.until(`document.getElementById('stopped-why').textContent === 'Nothing moves until you resume.'`)
	v.do(chromedp.Click("#resume"))
	v.until(`document.getElementById('stopped').hidden`)
	v.show("devices")
	v.until(`document.querySelectorAll('#device-rows tr').length === 12`)
	v.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile))
	v.until(fits)
	v.keep("phone.png")
}

// fits says that neither the page nor the shown view is wider than the window, and that the page does not scroll at all.
const fits = `(() => {
	const root = document.documentElement, view = document.querySelector('.view:not([hidden])');
	return root.scrollWidth <= root.clientWidth && root.scrollHeight <= root.clientHeight && view.scrollWidth <= view.clientWidth;
})()`

// complaint returns the text of an event that a working page does not cause.
func complaint(ev any) string {
	switch ev := ev.(type) {
	case *runtime.EventExceptionThrown:
		return ev.ExceptionDetails.Text
	case *log.EventEntryAdded:
		if strings.Contains(ev.Entry.Text, "GL Driver Message") { // a screenshot makes the software driver wait
			return ""
		}
		if ev.Entry.Level == log.EntryLevelError || ev.Entry.Level == log.EntryLevelWarning {
			return ev.Entry.Text + " " + ev.Entry.URL
		}
	}
	return ""
}

// A visitor looks at a page.
type visitor struct {
	t   *testing.T
	ctx context.Context
}

func (v *visitor) do(a ...chromedp.Action[chromedp.Void]) {
	v.t.Helper()
	if err := chromedp.Do(v.ctx, a...); err != nil {
		v.t.Fatal(err)
	}
}

// until waits until an expression is true. The library's own Poll compiles text in the page, which the page's policy forbids.
func (v *visitor) until(expression string) {
	v.t.Helper()
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	end := time.NewTimer(late)
	defer end.Stop()
	for {
		ok, err := chromedp.Run(v.ctx, chromedp.Evaluate[bool](expression))
		if err != nil && !leaves(err) && !throws(err) { // what it asks may not be there yet
			v.t.Fatalf("%s: %v", expression, err)
		}
		if ok {
			return
		}
		select {
		case <-look.C:
		case <-end.C:
			shown, _ := chromedp.Run(v.ctx, chromedp.Evaluate[string](`[...document.querySelectorAll('#pill-link, #sentence')].map((e) => e.textContent).join(' | ') + ' ' + JSON.stringify(document.querySelector('.w3')?.dataset)`))
			v.t.Fatalf("never true: %s (%v)\n%s", expression, err, shown)
		}
	}
}

// throws reports whether an expression ended with an exception of its own.
func throws(err error) bool { return strings.Contains(err.Error(), "exception \"Uncaught") }

// leaves reports whether an expression had no answer because the page was left for another one.
func leaves(err error) bool {
	text := err.Error()
	return strings.Contains(text, "navigated or closed") || strings.Contains(text, "context was destroyed") || strings.Contains(text, "Cannot find context")
}

// keep puts a picture of the page into the folder that ROBOTD_TEST_SHOTS names, for people to look at.
func (v *visitor) keep(name string) {
	v.t.Helper()
	dir := os.Getenv("ROBOTD_TEST_SHOTS")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(v.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		v.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), png, 0o600); err != nil {
		v.t.Fatal(err)
	}
}
