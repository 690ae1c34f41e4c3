// Package device holds the robot's twelve subsystems: one [hardware.Device] each, made of one or two chips or lines and
// the control that must live next to them.
//
// Its place in the tick: none. A device actor owns each device, polls it at its period and publishes what it returns;
// commands of the tick come in through Apply. The only state shared between devices is [Safety], the stop path that
// needs no bus and no mailbox.
//
// All devices treat failures alike (see core; the letters are the failure classes of hardware/README.md):
//   - a transaction is repeated twice in place (class A, package reg);
//   - a poll that fails yields the last value with quality [hardware.Stale]; the third in a row, or more than 5 % in
//     10 s, is an error, which makes the actor restart the device (class B);
//   - a lost configuration is written again in place (class C); three times in 60 s is an error;
//   - a foreign identity, a vanished bus, a freeze and a faulty actuator are errors at once (E, G, H, K);
//   - a value out of physical range is dropped; more than 20 % of a second's samples is an error (I).
package device
