package control

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// CheckAddress reports what is wrong with an address of the form HOST:PORT, without a look at the network. The error wraps
// [ErrRefused].
func CheckAddress(address string) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return Refuse(fmt.Errorf("address %s: want HOST:PORT, for example 127.0.0.1:8420", quote(address)))
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil {
		return Refuse(fmt.Errorf("address %s: the port %s is no number between 0 and 65535", quote(address), quote(port)))
	} else if strconv.FormatUint(n, 10) != port {
		return Refuse(fmt.Errorf("address %s: write the port as %d", quote(address), n))
	}
	if u, err := url.Parse("http://" + address); err != nil || u.Host != address || strings.ContainsAny(host, " \t") {
		return Refuse(fmt.Errorf("address %s: %s is no host", quote(address), quote(host)))
	}
	return nil
}

// CheckLoopback is [CheckAddress] for an address that only this machine may reach.
func CheckLoopback(address string) error {
	if err := CheckAddress(address); err != nil {
		return err
	}
	if host, _, _ := net.SplitHostPort(address); !IsLoopback(host) {
		return Refuse(fmt.Errorf("control address %q is not a loopback address: everybody who reaches it could drive the robot; use 127.0.0.1 and, from afar, an SSH tunnel", address))
	}
	return nil
}

// SameAddress reports whether two valid addresses cannot both be listened on: one port, and hosts that overlap. Port 0 is a
// different one each time.
func SameAddress(a, b string) bool {
	hostA, portA, _ := net.SplitHostPort(a)
	hostB, portB, _ := net.SplitHostPort(b)
	if portA != portB || portA == "0" {
		return false
	}
	hostA, hostB = plainHost(hostA), plainHost(hostB)
	return hostA == hostB || hostA == "" || hostB == ""
}

// plainHost is the usual form of a host; "" stands for all addresses of the machine.
func plainHost(host string) string {
	if strings.EqualFold(host, "localhost") {
		return "127.0.0.1"
	}
	ip, err := netip.ParseAddr(host)
	switch {
	case err != nil:
		return strings.ToLower(host)
	case ip.IsUnspecified():
		return ""
	}
	return ip.Unmap().String()
}
