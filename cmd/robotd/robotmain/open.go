package robotmain

import (
	"log/slog"
	"os/exec"
	"runtime"
)

// openBrowser shows the page on the user's desktop. It is the only place that starts a program, and only with --open; the
// address is that of the listener.
func openBrowser(log *slog.Logger, url string) {
	opener := "xdg-open"
	if runtime.GOOS == "darwin" {
		opener = "open"
	}
	cmd := exec.Command(opener, url)
	if err := cmd.Start(); err != nil {
		log.Info("no browser to open; the page is at "+url, "error", err)
		return
	}
	go func() { _ = cmd.Wait() }() // reaps the opener, which ends by itself
}
