package control

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Watch calls each with the messages of the topics, or of all if there are none, until ctx ends, the daemon is gone, or each returns an
// error, which is returned. Lost is how many messages were lost before this one.
func (c *Client) Watch(ctx context.Context, topics []string, each func(m WatchMessage, lost int) error) error {
	path := "/v1/watch"
	if len(topics) > 0 {
		path += "?" + url.Values{"topics": {strings.Join(topics, ",")}}.Encode()
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+path, nil)
	if err != nil {
		return err
	}
	endless := *c.http
	endless.Timeout = 0
	resp, err := endless.Do(r)
	if err != nil {
		return c.unreachable(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		var a Answer
		if json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(&a) == nil && a.Error != "" {
			return fmt.Errorf("%s", a.Error)
		}
		return c.strange(path, resp.StatusCode)
	}
	err = events(resp.Body, each)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// events reads a stream of server-sent events whose data is one line each.
func events(in io.Reader, each func(WatchMessage, int) error) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxAnswer)
	name, lost := "", 0
	for lines.Scan() {
		line := lines.Bytes()
		if n, ok := bytes.CutPrefix(line, []byte("event: ")); ok {
			name = string(n)
			continue
		}
		data, ok := bytes.CutPrefix(line, []byte("data: "))
		switch {
		case !ok:
		case name == "lost":
			var l struct{ Messages int }
			if err := json.Unmarshal(data, &l); err != nil {
				return fmt.Errorf("the stream is damaged: %w", err)
			}
			lost += l.Messages
		case name == "message":
			var m WatchMessage
			if err := json.Unmarshal(data, &m); err != nil {
				return fmt.Errorf("the stream is damaged: %w", err)
			}
			if err := each(m, lost); err != nil {
				return err
			}
			lost = 0
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("the stream broke: %w", err)
	}
	return ErrEnded
}

// ErrEnded says that the daemon ended a stream.
var ErrEnded = fmt.Errorf("%w: the daemon ended", ErrUnreachable)
