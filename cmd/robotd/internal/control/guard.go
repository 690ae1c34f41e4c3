package control

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// Limits of a request.
const (
	maxBody     = 64 << 10 // the longest sensible body is one image's detections, a few kilobytes
	maxInFlight = 32       // POSTs being answered at once, their bodies read
	bodyTimeout = 2 * time.Second
)

// guard puts the checks in front of the API. They stand in the order in which a request meets them.
func guard(port string, next http.Handler) http.Handler {
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		deny(w, http.StatusForbidden, "this request comes from another site")
	}))
	inner := cross.Handler(checkBody(limitPosts(next)))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		harden(w.Header())
		// Attack: DNS rebinding. A page at evil.example whose name now resolves to 127.0.0.1 is "same origin" for the
		// browser, but it still sends its own name as Host.
		if !ownHost(r.Host, port) {
			deny(w, http.StatusForbidden, "host "+quote(r.Host)+" is not served here; use 127.0.0.1:"+port)
			return
		}
		// Attack: cross-site requests: with every POST, and with reads that want to see the answer, a browser names the page
		// that asks.
		if o := r.Header.Get("Origin"); o != "" && !ownOrigin(o, port) {
			deny(w, http.StatusForbidden, "origin "+quote(o)+" may not use this API")
			return
		}
		// Attack: reads that carry no Origin. A page can embed /v1/events as an image or fetch it with no-cors; it cannot see
		// the answer, but it occupies one of the limited streams. Sec-Fetch-Site tells: a page of another site, or of
		// another port of this machine, is neither "same-origin" nor "none" (typed by the user). Programs send none at all.
		if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" && strings.HasPrefix(r.URL.Path, "/v1/") {
			deny(w, http.StatusForbidden, "this request comes from another site")
			return
		}
		// Attack: cross-site commands. The library's check stands behind ours, which know our address.
		inner.ServeHTTP(w, r)
	})
}

// checkBody lets only small JSON through.
func checkBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The emergency stop takes any content type, and none: it has no parameters, and what stops a robot in need is often a
		// bare `curl -X POST`. Host and origin are checked for it too: what must be able to stop sends neither a foreign one, and a
		// page of another site that stopped the robot again and again would keep it from its work.
		if r.Method == http.MethodPost && r.URL.Path != estopPath {
			// Attack: an HTML form of another site. Forms cannot send this content type, and scripts that do are asked
			// for permission by the browser first, which this server never gives.
			if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || t != "application/json" {
				deny(w, http.StatusUnsupportedMediaType, "the content type must be application/json")
				return
			}
			if !readBody(w, r) {
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// noBody refuses reads with a body. Attack: a GET that announces a body and never sends it. The server reads it before the first byte of the
// answer, a stream has no deadline, and a scrape holds one of few places meanwhile.
func noBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost && r.ContentLength != 0 {
			w.Header().Set("Connection", "close") // it is not waited for
			if r.Method == http.MethodGet || r.Method == http.MethodHead {
				harden(w.Header())
				deny(w, http.StatusBadRequest, "a "+r.Method+" has no body here")
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// readBody takes the body in before the command takes a slot. It answers the request itself if that fails.
func readBody(w http.ResponseWriter, r *http.Request) bool {
	// Attack: a body that trickles in. Such clients would hold every slot.
	out := http.NewResponseController(w)
	_ = out.SetReadDeadline(time.Now().Add(bodyTimeout)) // it fails on connections that are gone, and so does the read
	// Attack: exhausting memory with an endless body.
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		deny(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("body: more than %d bytes", large.Limit))
		return false
	case err != nil:
		w.Header().Set("Connection", "close") // the rest of the body must not be read as a request
		deny(w, http.StatusRequestTimeout, fmt.Sprintf("body: not complete within %v", bodyTimeout))
		return false
	}
	_ = out.SetReadDeadline(time.Now().Add(readTimeout))
	r.Body = io.NopCloser(bytes.NewReader(raw))
	return true
}

// limitPosts refuses commands beyond the limit. Attack: a runaway script that fills the robot's inbox. The emergency stop
// always gets through.
func limitPosts(next http.Handler) http.Handler {
	slots := make(chan struct{}, maxInFlight)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.URL.Path != estopPath {
			select {
			case slots <- struct{}{}:
				defer func() { <-slots }()
			default:
				deny(w, http.StatusTooManyRequests, "too many commands at once")
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// harden sets the headers that limit what a browser does with our answers.
func harden(h http.Header) {
	// Attacks: script smuggled into the page (nothing but our own files runs), the stop button framed under another
	// page's (no page may frame this one).
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "+
		"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")              // attack: an answer taken for a script
	h.Set("Referrer-Policy", "no-referrer")                 // no other site learns the address
	h.Set("Cross-Origin-Resource-Policy", "same-origin")    // attack: side channels over embedded answers
	h.Set("Cross-Origin-Opener-Policy", "same-origin")      // attack: a window of another site that holds ours
	h.Set("Permissions-Policy", "camera=(), microphone=()") // the page needs neither
}

// ownHost reports whether a Host header names this listener by a loopback address.
func ownHost(host, port string) bool {
	h, p, err := net.SplitHostPort(host)
	if err != nil || p != port {
		return false
	}
	return IsLoopback(h)
}

func ownOrigin(origin, port string) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Scheme == "http" && ownHost(u.Host, port)
}

// IsLoopback reports whether a host is this machine only: "localhost" or a loopback address.
func IsLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// OwnHostOnly lets only requests through that name this listener by a loopback address, whatever their origin.
// Attack: DNS rebinding, as in [guard].
func OwnHostOnly(l net.Listener, next http.Handler) http.Handler {
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !ownHost(r.Host, port) {
			deny(w, http.StatusForbidden, "host "+quote(r.Host)+" is not served here; use 127.0.0.1:"+port)
			return
		}
		next.ServeHTTP(w, r)
	})
}
