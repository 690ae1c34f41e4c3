package control

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// maxAnswer bounds what a client reads: the largest state view, with 4,096 behaviors, is below a megabyte.
const maxAnswer = 8 << 20

// ErrUnreachable says that no daemon answered.
var ErrUnreachable = errors.New("no robotd answers")

// A Client sends requests to a running daemon.
type Client struct {
	base    string
	address string
	http    *http.Client
}

// NewClient returns a client for a control address, HOST:PORT. Timeout bounds each request.
func NewClient(address string, timeout time.Duration) (*Client, error) {
	if err := CheckAddress(address); err != nil {
		return nil, err
	}
	if host, port, _ := net.SplitHostPort(address); host == "" || port == "0" {
		return nil, fmt.Errorf("address %q: want HOST:PORT, for example 127.0.0.1:8420", address)
	}
	// The environment's proxy is ignored: the daemon is on this machine.
	return &Client{base: "http://" + address, address: address, http: &http.Client{Timeout: timeout, Transport: &http.Transport{DisableKeepAlives: true}}}, nil
}

// Base is the address of the daemon as the beginning of a URL.
func (c *Client) Base() string { return c.base }

// Post sends one command. A refusal by the daemon is an error with the daemon's text.
func (c *Client) Post(ctx context.Context, path string, body any) (Answer, error) {
	b, err := json.Marshal(body)
	if err != nil {
		return Answer{}, err
	}
	raw, status, err := c.do(ctx, http.MethodPost, path, b)
	if err != nil {
		return Answer{}, err
	}
	var a Answer
	if json.Unmarshal(raw, &a) != nil || (!a.OK && a.Error == "") {
		return a, c.strange(path, status)
	}
	if !a.OK {
		return a, errors.New(a.Error)
	}
	return a, nil
}

// PostInto sends one request whose answer is no [Answer] and reads it into v. It returns its bytes. An answer of the guards is an error.
func (c *Client) PostInto(ctx context.Context, path string, body, v any) ([]byte, error) {
	b, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	raw, status, err := c.do(ctx, http.MethodPost, path, b)
	if err != nil {
		return nil, err
	}
	var a Answer
	switch {
	case (status == http.StatusOK || status == http.StatusUnprocessableEntity) && bytes.Contains(raw, []byte(`"result"`)) && json.Unmarshal(raw, v) == nil:
		return raw, nil
	case json.Unmarshal(raw, &a) == nil && a.Error != "":
		return nil, errors.New(a.Error)
	}
	return nil, c.strange(path, status)
}

// Get reads one JSON value into v and returns its bytes.
func (c *Client) Get(ctx context.Context, path string, v any) ([]byte, error) {
	raw, status, err := c.do(ctx, http.MethodGet, path, nil)
	if err != nil {
		return nil, err
	}
	var a Answer
	switch {
	case status != http.StatusOK && json.Unmarshal(raw, &a) == nil && a.Error != "":
		return nil, errors.New(a.Error)
	case status != http.StatusOK || json.Unmarshal(raw, v) != nil:
		return nil, c.strange(path, status)
	}
	return raw, nil
}

func (c *Client) strange(path string, status int) error {
	return fmt.Errorf("%s answered %s with status %d: is that a robotd?", c.address, path, status)
}

func (c *Client) do(ctx context.Context, method, path string, body []byte) ([]byte, int, error) {
	r, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, 0, err
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.http.Do(r)
	if err != nil {
		return nil, 0, c.unreachable(err)
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return nil, 0, c.unreachable(err)
	}
	return raw, resp.StatusCode, nil
}

func (c *Client) unreachable(err error) error {
	var op *net.OpError
	why := "the connection broke"
	switch {
	case errors.Is(err, context.DeadlineExceeded) || isTimeout(err):
		why = "no answer in time"
	case errors.As(err, &op) && op.Op == "dial":
		why = op.Err.Error()
	}
	return fmt.Errorf("%w at %s: %s; start one with 'robotd run', or name its address with --addr", ErrUnreachable, c.address, why)
}

func isTimeout(err error) bool {
	var n net.Error
	return errors.As(err, &n) && n.Timeout()
}
