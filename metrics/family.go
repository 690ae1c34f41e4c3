package metrics

// Type is the type of a metric family.
type Type string

// The types in use.
const (
	Counter   Type = "counter"
	Gauge     Type = "gauge"
	Histogram Type = "histogram"
)

// A Family describes one metric: the exposition and the README are both made from it.
type Family struct {
	Name     string
	Type     Type
	Labels   []string
	Help     string
	Question string // that it answers
	Query    string // PromQL that answers it
}

// Families lists every metric of the daemon itself, by subject. Those of the Go runtime, the process and the metrics
// handler come from client_golang.
func Families() []Family {
	var all []Family
	for _, part := range [][]Family{tickFamilies(), stackFamilies(), actionFamilies(), actorFamilies(), deviceFamilies(), robotFamilies()} {
		all = append(all, part...)
	}
	return all
}

func tickFamilies() []Family {
	return []Family{
		{
			"robotd_tick_duration_seconds", Histogram, nil, "Time that one tick took, hooks included.",
			"Is the loop fast enough?", "histogram_quantile(0.99, rate(robotd_tick_duration_seconds_bucket[5m]))",
		},
		{
			"robotd_tick_lateness_seconds", Histogram, nil, "Time from the deadline of a tick to its start.",
			"How much jitter is there?", "histogram_quantile(0.99, rate(robotd_tick_lateness_seconds_bucket[5m]))",
		},
		{
			"robotd_tick_phase_duration_seconds", Histogram,
			[]string{"phase"},
			"Time that one phase of a tick took.",
			"Which phase eats the time?", "sum by (phase) (rate(robotd_tick_phase_duration_seconds_sum[5m]))",
		},
		{
			"robotd_ticks_total", Counter, nil, "Ticks run.",
			"Does the loop keep its rate?", "rate(robotd_ticks_total[1m]) * robotd_tick_interval_seconds",
		},
		{
			"robotd_tick_deadline_missed_total", Counter, nil, "Ticks that took longer than the period.",
			"How often is it over budget?", "rate(robotd_tick_deadline_missed_total[5m]) / rate(robotd_ticks_total[5m])",
		},
		{
			"robotd_ticks_skipped_total", Counter, nil, "Deadlines that passed without a tick of their own.",
			"How many ticks were lost?", "increase(robotd_ticks_skipped_total[1h])",
		},
		{
			"robotd_tick_interval_seconds", Gauge, nil, "Configured period of the tick.",
			"What is the budget?", "robotd_tick_interval_seconds",
		},
		{
			"robotd_realtime", Gauge, nil, "Whether a real-time thread wakes the ticks, 0 or 1: robotd run --realtime, with the privilege.",
			"Do other processes delay the ticks?", "robotd_realtime == 0",
		},
		{
			"robotd_last_tick_timestamp_seconds", Gauge, nil, "Unix time at which the last tick ended.",
			"When did it end its last tick, in calendar time?", "robotd_last_tick_timestamp_seconds",
		},
		{
			"robotd_tick_age_seconds", Gauge, nil, "Time since the last tick ended, or since the start, on a clock that nobody sets.",
			"Has the loop stalled?", "robotd_tick_age_seconds",
		},
	}
}

func stackFamilies() []Family {
	behavior, reason := []string{"behavior"}, []string{"reason"}
	return []Family{
		{
			"robotd_stack_depth", Gauge, nil, "Activated behaviors after the last tick.",
			"How deep does it delegate?", "max_over_time(robotd_stack_depth[1h])",
		},
		{
			"robotd_scope_size", Gauge, nil, "Behaviors in activatable scope and not activated, after the last tick.",
			"Among how many can it choose?", "robotd_scope_size",
		},
		{
			"robotd_behavior_active", Gauge, behavior, "Whether the behavior was activated after the last tick, 0 or 1.",
			"What is it doing?", "robotd_behavior_active == 1",
		},
		{
			"robotd_behavior_active_seconds_total", Counter, behavior, "Time for which the behavior was activated.",
			"Which share of its life does it spend with what?", "topk(5, rate(robotd_behavior_active_seconds_total[1h]))",
		},
		{
			"robotd_behavior_transitions_total", Counter,
			[]string{"behavior", "to"},
			"Lifecycle transitions of the behavior: in_scope, activated, deactivated, out_of_scope.",
			"Which behavior comes and goes all the time?", `topk(5, rate(robotd_behavior_transitions_total{to="activated"}[5m]))`,
		},
		{
			"robotd_delegations_total", Counter,
			[]string{"kind", "outcome"},
			"Requests to delegate control to a behavior or an action. An accepted action counts when it ends.",
			"Is it acting at all?", `sum by (kind) (rate(robotd_delegations_total{outcome="accepted"}[5m]))`,
		},
		{
			"robotd_delegations_refused_total", Counter, reason, "Delegations to behaviors and actions that were refused.",
			"Which mistakes do authors make in the field?", "topk(3, increase(robotd_delegations_refused_total[1h]))",
		},
		{
			"robotd_requests_refused_total", Counter,
			[]string{"op"},
			"Requests to the stack that were refused, questions and cancellations included.",
			"Which kind of request is refused?", "sum by (op) (increase(robotd_requests_refused_total[1h]))",
		},
		{
			"robotd_cancellations_total", Counter, reason, "Layers popped: on request of a behavior, by a fault, by a reset, at the stop.",
			"Does it thrash?", "sum by (reason) (rate(robotd_cancellations_total[5m]))",
		},
		{
			"robotd_stack_resets_total", Counter, reason, "Changes of the base behavior: by command, to recover an empty stack, or to break a cycle.",
			"Does it start over?", "increase(robotd_stack_resets_total[1h])",
		},
		{
			"robotd_reloads_total", Counter,
			[]string{"result"},
			"Changes of the definitions while the robot lived: applied, unchanged, invalid (findings), refused by the tick, or failed.",
			"Did somebody change its behaviors?", "sum by (result) (increase(robotd_reloads_total[1d]))",
		},
		{
			"robotd_base_declined_total", Counter, nil, "Ticks in which the base behavior did not want to be activated, so that nobody was.",
			"Is there a time when nobody decides?", "increase(robotd_base_declined_total[1h]) > 0",
		},
		{
			"robotd_stack_cycles_total", Counter, nil, "Times that behaviors handed control back and forth in a hurry, which was broken by a reset.",
			"Do two behaviors fight?", "increase(robotd_stack_cycles_total[1h]) > 0",
		},
		{
			"robotd_activations_resumed_total", Counter, nil, "Activations that went on where a resumable interrupt had taken control away.",
			"How often is it interrupted and goes on?", "increase(robotd_activations_resumed_total[1h])",
		},
		{
			"robotd_helpers_total", Counter,
			[]string{"outcome"},
			"Helpers that ended: success if they declared it, failure if they gave up, were taken back or were lost.",
			"Do its helpers reach their goals?", `sum by (outcome) (increase(robotd_helpers_total[1h]))`,
		},
		{
			"robotd_invariant_checks_active", Gauge, nil, "Whether the invariants of the stack are checked after each tick, 0 or 1.",
			"Does no violation mean anything?", "robotd_invariant_checks_active == 0",
		},
		{
			"robotd_lifecycle_violations_total", Counter, reason, "Invariants of the stack that did not hold after a tick.",
			"Is the core wrong?", "increase(robotd_lifecycle_violations_total[1d]) > 0",
		},
		{
			"robotd_hook_failures_total", Counter,
			[]string{"group", "reason"},
			"Hooks of behaviors and actions that panicked or hung.",
			"Whose code fails?", "sum by (group, reason) (increase(robotd_hook_failures_total[1h]))",
		},
		{
			"robotd_behaviors_disabled_total", Counter, nil, "Behaviors put out of use because they failed too often.",
			"Is a behavior out of use until the next start?", "robotd_behaviors_disabled_total > 0",
		},
		{
			"robotd_events_dropped_total", Counter, nil, "Events beyond the limit of one tick, which no behavior saw.",
			"Does something flood the robot with events?", "rate(robotd_events_dropped_total[5m])",
		},
		{
			"robotd_behavior_stats_total", Counter,
			[]string{"stat"},
			"What the robot did, as behaviorStatToIncrement of its behaviors names it; BehaviorActivated counts every activation.",
			"How often is it petted, spoken to, startled?", "increase(robotd_behavior_stats_total[1d])",
		},
		{
			"robotd_active_feature", Gauge,
			[]string{"feature"},
			"Whether the product feature is the active one, 0 or 1; NoFeature if none is.",
			"What does it do for people now?", "robotd_active_feature == 1",
		},
		{
			"robotd_feature_runs_total", Counter,
			[]string{"feature"},
			"Times that the product feature became the active one.",
			"Which features are used?", "topk(5, increase(robotd_feature_runs_total[1d]))",
		},
		{
			"robotd_behavior_warnings_total", Counter,
			[]string{"warning"},
			"What was lost or left out without being refused: intents that nobody claimed, emotion events that do not exist.",
			"Which requests come to nothing?", "topk(3, increase(robotd_behavior_warnings_total[1h]))",
		},
		{
			"robotd_misuses_total", Counter,
			[]string{"facility", "mistake"},
			"Requests for a facility of the body that a behavior should not have made, whether they had an effect or not.",
			"Which facility do authors get wrong?", "topk(3, sum by (facility, mistake) (increase(robotd_misuses_total[1h])))",
		},
		{
			"robotd_emotion", Gauge,
			[]string{"emotion"},
			"Dimension of the mood after the last tick, from -1 to 1.",
			"How does it feel?", `avg_over_time(robotd_emotion{emotion="Happy"}[1h])`,
		},
		{
			"robotd_simple_mood", Gauge,
			[]string{"mood"},
			"Whether the mood in one word is this one, 0 or 1.",
			"For how long is it frustrated?", `avg_over_time(robotd_simple_mood{mood="Frustrated"}[1d])`,
		},
		{
			"robotd_stage", Gauge,
			[]string{"stage"},
			"Whether the robot is in this stage of its life, 0 or 1.",
			"Which robots are not in daily use?", `robotd_stage{stage="complete"} == 0`,
		},
	}
}

func actionFamilies() []Family {
	return []Family{{
		"robotd_action_results_total", Counter,
		[]string{"action", "result"},
		"Actions that ended, by type and category of the result.",
		"Which actions fail?", `sum by (action) (rate(robotd_action_results_total{result=~"abort|retry"}[1h]))`,
	}}
}

func actorFamilies() []Family {
	return []Family{
		{
			"robotd_actor_restarts_total", Counter,
			[]string{"actor", "reason"},
			"Fresh incarnations that work, by the reason for which the one before was lost. All behaviors count as one actor.",
			"What keeps failing and healing?", "sum by (actor) (increase(robotd_actor_restarts_total[1h])) > 0",
		},
		{
			"robotd_actor_restart_attempts_total", Counter,
			[]string{"actor"},
			"Restarts of a device actor that were begun, successful or not.",
			"What fails to come back?", "sum by (actor) (rate(robotd_actor_restart_attempts_total[5m]))",
		},
		{
			"robotd_actor_up", Gauge,
			[]string{"actor"},
			"Whether the device actor works: 0 before its first good sample and after a failure.",
			"Which part is down now?", "robotd_actor_up == 0",
		},
		{
			"robotd_actors", Gauge, nil, "Actors of the robot: behaviors, devices, running actions, and their parents.",
			"Do actors pile up?", "min_over_time(robotd_actors[1h])",
		},
		{
			"robotd_dead_letters_total", Counter, nil, "Messages that nobody received, or that an actor refused because they came from a stranger.",
			"Does anything talk to nobody?", "increase(robotd_dead_letters_total[1h])",
		},
		{
			"robotd_zombies", Gauge, nil, "Goroutines lost in hooks that never returned. The process ends at 32.",
			"How close is it to a restart?", "robotd_zombies >= 16",
		},
		{
			"robotd_stale_requests_total", Counter, nil, "Requests of behaviors that belong to no hook in flight. They were refused.",
			"Does a behavior use its Control beyond its hook?", "increase(robotd_stale_requests_total[1h]) > 0",
		},
		{
			"robotd_slow_hooks_total", Counter,
			[]string{"group"},
			"Hooks of behaviors and actions that came through, but held on for a quarter of their budget or longer.",
			"Who is about to hang? The page and the log name them.", "sum by (group) (increase(robotd_slow_hooks_total[1h]))",
		},
		{
			"robotd_driver_hangs_total", Counter,
			[]string{"device"},
			"Times that a driver did not return in time and its outputs were made safe without it.",
			"Which driver hangs?", "increase(robotd_driver_hangs_total[1h]) > 0",
		},
		{
			"robotd_control_lapses_total", Counter,
			[]string{"device"},
			"Times that a device completed no control cycle for so long that hardware outside of the process cut its power.",
			"Does something stop the process, or starve it?", "increase(robotd_control_lapses_total[1h]) > 0",
		},
		{
			"robotd_stops_overdue_total", Counter,
			[]string{"stage"},
			"Parts of the robot that did not stop in time. The stop goes on without them, and the series ends with it.",
			"Did a stop leave something behind? Only a scrape within the stop tells; the log always does.",
			"sum by (stage) (max_over_time(robotd_stops_overdue_total[1h])) > 0",
		},
	}
}

func deviceFamilies() []Family {
	device := []string{"device"}
	return []Family{
		{
			"robotd_hardware_sample_age_seconds", Gauge, device,
			"Time since the newest good sample, on a clock that nobody sets; not a number before the first.",
			"Which readings are stale?", "robotd_hardware_sample_age_seconds > 1",
		},
		{
			"robotd_hardware_reads_total", Counter, device, "Register transactions attempted.",
			"How busy is the bus?", "sum(rate(robotd_hardware_reads_total[1m]))",
		},
		{
			"robotd_hardware_read_errors_total", Counter, device, "Register transactions that failed, retries included.",
			"Which sensor is sick?", "rate(robotd_hardware_read_errors_total[5m]) / rate(robotd_hardware_reads_total[5m])",
		},
		{
			"robotd_hardware_retries_total", Counter, device, "Register transactions that were repeated.",
			"What is saved by repeating?", "rate(robotd_hardware_retries_total[5m])",
		},
		{
			"robotd_hardware_reinits_total", Counter, device, "Times that a chip had lost its configuration and got it again.",
			"Does the supply brown out?", "increase(robotd_hardware_reinits_total[1h])",
		},
		{
			"robotd_hardware_samples_rejected_total", Counter, device, "Samples out of physical range.",
			"Which sensor talks nonsense?", "rate(robotd_hardware_samples_rejected_total[5m])",
		},
		{
			"robotd_hardware_freezes_total", Counter, device, "Times that a sensor repeated itself for too long.",
			"Which sensor froze?", "increase(robotd_hardware_freezes_total[1h])",
		},
		{
			"robotd_hardware_commands_refused_total", Counter, device, "Commands that a device could not carry out.",
			"Which orders are not followed?", "increase(robotd_hardware_commands_refused_total[1h])",
		},
	}
}

func robotFamilies() []Family {
	return []Family{
		{
			"robotd_battery_volts", Gauge, nil, "Voltage of the battery; not a number before the first reading.",
			"Is it about to go flat?", "robotd_battery_volts / robotd_battery_low_volts",
		},
		{
			"robotd_battery_low_volts", Gauge, nil, "Voltage of the whole battery below which it counts as low; not a number before the first reading.",
			"When does it go home?", "robotd_battery_low_volts",
		},
		{
			"robotd_estop_active", Gauge, nil, "Whether the emergency stop is on, 0 or 1.",
			"Why does it not move?", "robotd_estop_active == 1",
		},
		{
			"robotd_log_lines_dropped_total", Counter, nil, "Lines of the log that were lost because nobody read stderr.",
			"Is the log whole?", "increase(robotd_log_lines_dropped_total[1h]) > 0",
		},
		{
			"robotd_history_bytes", Gauge, nil, "Memory that the last hour of the robot's life takes, which the page shows.",
			"Does the process grow beyond its history?", "process_resident_memory_bytes - robotd_history_bytes",
		},
		{
			"robotd_recorder_up", Gauge, nil, "Whether the newest ticks were written to the recording, 0 or 1; not a number without a recording.",
			"Will there be a recording of this?", "robotd_recorder_up == 0",
		},
		{
			"robotd_recorder_bytes_total", Counter, nil, "Bytes written to the recording.",
			"How fast does the recording grow?", "rate(robotd_recorder_bytes_total[1h]) * 3600",
		},
		{
			"robotd_recorder_files_total", Counter, nil, "Files of the recording that were begun.",
			"How often is a file begun?", "increase(robotd_recorder_files_total[1d])",
		},
		{
			"robotd_recorder_dropped_total", Counter, nil, "Ticks that are missing in the recording, because the disk was full, broken or too slow.",
			"Is the recording whole?", "increase(robotd_recorder_dropped_total[1h]) > 0",
		},
		{
			"robotd_build_info", Gauge,
			[]string{"version"},
			"Version of the daemon; always 1.",
			"Which version runs where?", "count by (version) (robotd_build_info)",
		},
		{
			"robotd_info", Gauge,
			[]string{"robot", "profile"},
			"Name and hardware profile of the robot; always 1.",
			"Which robot is this?", "robotd_info",
		},
	}
}
