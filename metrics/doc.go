// Package metrics turns what the robot reports into Prometheus series. It observes only: without it every
// decision is the same.
//
// It runs at the end of each tick. Actors hand their records to [Metrics.Observe], from any goroutine; the supervisor
// hands each completed tick to [Metrics.ObserveTick]. Neither blocks, and a tick in which nothing happened allocates
// nothing. A scrape reads the counters from outside and never waits for a tick.
//
//	m := metrics.New(metrics.Options{Version: "1.2.3", Robot: "buddy", Period: period, Devices: devices, Behaviors: ids})
//	cfg.Observer = m                       // tick timing, devices, failures
//	cfg.Ticks = []actors.TickObserver{m}   // lifecycle, stack, actions
//	mux.Handle("GET /metrics", m.Handler())
//
// Every family is described once, in [Families]; the README's table is made from it. Label values come from fixed sets or
// from lists with a limit; no free text is ever a label.
package metrics
