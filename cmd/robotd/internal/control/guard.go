package control

import (
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// Limits of a request.
const (
	maxBody     = 64 << 10 // the longest sensible body is one image's detections, a few kilobytes
	maxInFlight = 32       // POSTs being answered at once
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
		// Attack: cross-site requests, reads of the event stream included: a browser names the page that asks.
		if o := r.Header.Get("Origin"); o != "" && !ownOrigin(o, port) {
			deny(w, http.StatusForbidden, "origin "+quote(o)+" may not use this API")
			return
		}
		// Attack: cross-site requests of browsers that send no Origin: Sec-Fetch-Site tells.
		inner.ServeHTTP(w, r)
	})
}

// checkBody lets only small JSON through.
func checkBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			// Attack: an HTML form of another site. Forms cannot send this content type, and scripts that do are asked
			// for permission by the browser first, which nobody gives.
			if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || t != "application/json" {
				deny(w, http.StatusUnsupportedMediaType, "the content type must be application/json")
				return
			}
			// Attack: exhausting memory with an endless body.
			r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		}
		next.ServeHTTP(w, r)
	})
}

// limitPosts refuses commands beyond the limit. Attack: a runaway script that fills the robot's inbox. The emergency stop
// always gets through.
func limitPosts(next http.Handler) http.Handler {
	slots := make(chan struct{}, maxInFlight)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.URL.Path != "/v1/estop" {
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
	// page's (nobody may frame us).
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "+
		"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")              // attack: an answer taken for a script
	h.Set("Referrer-Policy", "no-referrer")                 // our address is nobody's business
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
