//go:build e2e

package main

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Expressions about the outline of the tree view. Rows that are scrolled away are not in the document.
const (
	treeRows  = `[...document.querySelectorAll('#tree [role=treeitem]:not([hidden])')]`
	treeIDs   = treeRows + `.map((r) => r.querySelector('.id').textContent)`
	treePanel = `document.querySelector('.tr-detail')`
)

// treeHolds is an expression that scrolls through the outline and collects its behaviors in window.seen.
const treeHolds = `(() => {
	window.seen ||= new Set();
	for (const id of ` + treeIDs + `) window.seen.add(id);
	const box = document.getElementById('tree');
	box.scrollTop = box.scrollTop + box.clientHeight >= box.scrollHeight - 1 ? 0 : box.scrollTop + box.clientHeight / 2;
	return window.robot.every((id) => window.seen.has(id));
})()`

// TestPageTreeListsBehaviorsAndLightsLivePath compares the outline with the behaviors and the stack that the robot tells.
func TestPageTreeListsBehaviorsAndLightsLivePath(t *testing.T) {
	t.Parallel()
	v := visitAt(t, flat)
	v.show("tree")
	v.until(treeRows + `.length > 5`)
	v.do(chromedp.Evaluate[chromedp.Void](`fetch('v1/state').then((r) => r.json()).then((s) => { window.robot = s.behaviors; window.stacked = s.stack.map((l) => l.id); })`))
	v.until(`(window.robot || []).length > 30`)
	v.until(treeHolds)
	v.until(`(() => { document.getElementById('tree').scrollTop = 0; return ` + treeRows + `[0].dataset.live === 'path' && ` + treeIDs + `[0] === window.stacked[0]; })()`)

	lit := `[...document.querySelectorAll('#tree .tr-row:not([hidden]):is([data-live=path], [data-live=control])')].map((r) => r.querySelector('.id').textContent)`
	stack := `[...document.querySelectorAll('#stack .layer .id')].reverse().map((e) => e.textContent)`
	v.do(chromedp.Click("#tree-fold"))
	v.until(lit + `.length >= 2`)
	v.show("tools")
	v.do(chromedp.SetValue("#run-id", "VoiceDance"))
	v.do(chromedp.SetValue("#run-times", "-1"))
	v.do(chromedp.Click("#run-form button[type=submit]"))
	v.show("tree")
	v.until(`(() => { const at = [...document.querySelectorAll('#tree [data-live=control]:not([hidden])')]; return at.some((r) => r.querySelector('.id').textContent === 'VoiceDance'); })() || (document.getElementById('tree').scrollTop += 90, false)`)
	v.show("tools")
	v.do(chromedp.Click("#cancel"))
	v.show("world")
	v.until(stack + `[0] === window.stacked[0]`)
	v.do(chromedp.Click("#stack .layer:last-child .id"))
	v.until(`!document.getElementById('panel-tree').hidden && ` + treePanel + `.querySelector('h2').textContent === window.stacked[0]`)
}

// TestPageTreeTellsWhyABehaviorDeclines chooses behaviors by keyboard, search, link and press, and reads the panel.
func TestPageTreeTellsWhyABehaviorDeclines(t *testing.T) {
	t.Parallel()
	v := visitAt(t, flat)
	v.show("tree")
	v.until(treeRows + `.length > 5`)
	v.do(chromedp.Focus("#tab-tree"))
	v.do(chromedp.KeyEvent("/"))
	v.until(`document.activeElement.id === 'tree-search'`)
	v.do(chromedp.KeyEvent(kb.Backspace)) // the library sends the character of a key even if the page took the key
	v.do(chromedp.SendKeys("#tree-search", "topickup"))
	v.until(treeIDs + `.join() === 'ModeSelector,ReactToPickup'`)
	v.keep("tree-search.png")
	v.do(chromedp.KeyEvent(kb.Enter))
	v.until(treePanel + `.querySelector('h2').textContent === 'ReactToPickup'`)
	v.until(treePanel + `.querySelector('li[data-met=no]')?.textContent.includes('it stands on its treads') === true`)
	v.until(treePanel + `.querySelectorAll('li[data-met=yes]').length > 0`)
	v.until(treePanel + `.querySelector('.small').textContent.includes('behaviors/reactions/ReactToPickup.json:2')`)
	v.until(`new URLSearchParams(location.hash.slice(1)).get('id') === 'ReactToPickup'`)

	v.do(chromedp.Evaluate[chromedp.Void](`location.hash = '#tab=tree&id=FreePlay'`))
	v.until(treePanel + `.querySelector('h2').textContent === 'FreePlay'`)
	v.until(`document.getElementById('tree-search').value === ''`) // it would hide what was chosen
	v.until(`[...document.querySelectorAll('.tr-detail .tr-gates button')].some((b) => b.textContent === 'Explore')`)
	v.until(`document.querySelectorAll('.tr-times button').length > 0`)
	v.do(chromedp.Click(".tr-times li:last-child button"))
	v.until(atPast)
	v.until(`new URLSearchParams(location.hash.slice(1)).has('at')`)
	v.until(`document.querySelector('.tr-said').textContent.startsWith('FreePlay')`)
	v.do(chromedp.Click("#live"))
	v.until(atLive)
}

// maxPanelShift leaves room for gates that come and go with the answer; the outline itself does not move.
const maxPanelShift = 0.05

// TestPageTreeIsAccessibleWithAndWithoutPanel runs axe on the outline and on the panel of a behavior that declines, and counts how far
// things move while the answers change.
func TestPageTreeIsAccessibleWithAndWithoutPanel(t *testing.T) {
	t.Parallel()
	v := visitAt(t, flat)
	v.loadAxe()
	v.show("tree")
	v.until(treeRows + `.length > 5`)
	v.audit("legend")
	v.do(chromedp.Evaluate[chromedp.Void](`location.hash = '#tab=tree&id=GreetFace'`))
	v.until(`document.querySelectorAll('.tr-detail li[data-met]').length > 2`)
	v.do(chromedp.Evaluate[chromedp.Void](`for (const d of document.querySelectorAll('.tr-detail details')) d.open = true`))
	v.do(chromedp.Evaluate[chromedp.Void](watching))
	v.wait("3000")
	shift := v.number("window.cost.shift")
	who, _ := chromedp.Run(v.ctx, chromedp.Evaluate[string]("window.cost.who"))
	t.Logf("layout shifts of %.4f with the panel open:%s", shift, who)
	if shift > maxPanelShift {
		t.Errorf("layout shifts of %.4f", shift)
	}
	for _, size := range []string{"wide", "phone"} {
		v.size(size)
		for _, scheme := range []string{"light", "dark"} {
			v.scheme(scheme)
			v.until(fits)
			v.audit(size + " " + scheme)
			v.keep("tree-" + size + "-" + scheme + ".png")
		}
	}
}

// TestPageTreeObeysTheKeysOfATree moves, folds and unfolds by the pattern of the ARIA authoring practices.
func TestPageTreeObeysTheKeysOfATree(t *testing.T) {
	t.Parallel()
	v := visitAt(t, flat)
	v.show("tree")
	v.until(treeRows + `.length > 5`)
	on := func(id string) {
		t.Helper()
		v.until(`document.getElementById(document.getElementById('tree').getAttribute('aria-activedescendant'))?.querySelector('.id').textContent === '` + id + `'`)
	}
	v.do(chromedp.Focus("#tree"))
	on("ModeSelector")
	v.do(chromedp.KeyEvent(kb.ArrowRight))
	on("ReactToShake")
	v.do(chromedp.KeyEvent(kb.ArrowDown))
	on("ReactToPickup")
	v.do(chromedp.KeyEvent(kb.ArrowLeft))
	on("ModeSelector")
	v.do(chromedp.KeyEvent(kb.ArrowLeft))
	v.until(treeIDs + `.join() === 'ModeSelector,EmergencyStop,ResetState'`)
	v.until(treeRows + `[0].getAttribute('aria-expanded') === 'false'`)
	v.do(chromedp.KeyEvent(kb.ArrowRight))
	v.until(treeRows + `[0].getAttribute('aria-expanded') === 'true'`)
	v.do(chromedp.KeyEvent(kb.End))
	on("ResetState")
	v.do(chromedp.KeyEvent(kb.Enter))
	v.until(treePanel + `.querySelector('.tr-said').textContent.includes('out of scope')`)
	v.do(chromedp.KeyEvent(kb.Home))
	on("ModeSelector")
}

// manyBehaviors makes the page believe in a thousand behaviors: ten, each with nine, each with ten, and everyone shared once more.
const manyBehaviors = `(() => {
	const really = window.fetch;
	const nodes = [];
	const add = (id, delegates) => nodes.push({ id, class: 'Wait', file: 'behaviors/' + id + '.json', line: 2, params: { n: nodes.length }, delegates, links: [], label: id, doc: 'Does nothing.' });
	const kids = (id, n) => Array.from({ length: n }, (_, i) => id + '_' + i);
	add('B', kids('B', 10));
	add('B_0_0@Nap', []);
	Object.assign(nodes[1], { owner: 'B_0_0', label: '@Nap' });
	for (const a of kids('B', 10)) {
		add(a, kids(a, 9));
		for (const b of kids(a, 9)) {
			add(b, kids(b, 10).concat('B_0_0_0'));
			for (const c of kids(b, 10)) add(c, []);
		}
	}
	window.many = nodes.length;
	const answers = { '/v1/tree': { base: 'B', nodes }, '/v1/why': { text: 'not asked' }, '/v1/activations': [] };
	window.fetch = (path, options) => {
		const told = answers[String(path).split('?')[0]];
		return told ? Promise.resolve(new Response(JSON.stringify(told))) : really(path, options);
	};
	new PerformanceObserver((list) => { window.longest = Math.max(window.longest || 0, ...list.getEntries().map((e) => e.duration)); }).observe({ type: 'longtask' });
})()`

// TestPageTreeDrawsAThousandBehaviorsWithFewNodes bounds nodes, and the time of a search, far above what they take.
func TestPageTreeDrawsAThousandBehaviorsWithFewNodes(t *testing.T) {
	t.Parallel()
	const maxNodes, maxSearchMS = 80, 1000
	v := visitAt(t, flat)
	v.do(chromedp.Evaluate[chromedp.Void](manyBehaviors))
	v.show("tree")
	v.until(treeRows + `.length > 10`)
	v.until(`document.getElementById('tree-sum').textContent.startsWith('' + window.many)`)
	v.do(chromedp.Focus("#tree"))
	v.do(chromedp.KeyEvent(kb.End))
	v.until(treeIDs + `.includes('B_9_8_9')`)
	if n := v.number(`document.querySelectorAll('#tree [role=treeitem]').length`); n > maxNodes {
		t.Errorf("%.0f rows in the document", n)
	}
	took := v.number(`(() => {
		const field = document.getElementById('tree-search'), began = performance.now();
		field.value = 'b_7_3_4';
		field.dispatchEvent(new Event('input'));
		return performance.now() - began;
	})()`)
	v.until(treeIDs + `.join() === 'B,B_7,B_7_3,B_7_3_4'`)
	v.do(chromedp.Evaluate[chromedp.Void](`document.getElementById('tree-search').value = '@nap'; document.getElementById('tree-search').dispatchEvent(new Event('input'))`))
	v.until(treeIDs + `.join() === 'B,B_0,B_0_0,@Nap'`) // an anonymous behavior stands under its owner
	v.do(chromedp.Evaluate[chromedp.Void](`location.hash = '#tab=tree&id=B_0_1_9'`))
	v.until(treeRows + `.some((r) => r.dataset.link === 'yes' && r.querySelector('.id').textContent === 'B_0_0_0')`)
	t.Logf("a search takes %.1f ms, the longest task %.0f ms", took, v.number("window.longest || 0"))
	if took > maxSearchMS {
		t.Errorf("a search takes %.0f ms", took)
	}
}
