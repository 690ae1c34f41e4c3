package control

// entries is the table of the reference, by path.
var entries = map[string]entry{
	"/v1/state":        {tag: tagWatch, summary: "What the robot does, believes and has: one consistent state of one tick.", answer: State{}},
	"/v1/events":       {tag: tagWatch, summary: "A stream of states as server-sent events: `state`, then `change` with the keys that changed, at most ten a second.", stream: true},
	"/v1/faults":       {tag: tagBreak, summary: "The faults that are injected now.", answer: []FaultState{}},
	"/v1/intent":       {tag: tagAsk, summary: "Makes a user intent pending.", body: IntentRequest{}},
	"/v1/wake":         {tag: tagAsk, summary: "Acts as if the trigger word was heard.", body: nothing{}},
	"/v1/run-behavior": {tag: tagAsk, summary: "Makes a behavior the base until it has ended so many times.", body: RunRequest{}},
	"/v1/stage":        {tag: tagAsk, summary: "Changes the stage of the robot's life, which chooses its base behavior.", body: StageRequest{}},
	"/v1/selftest":     {tag: tagAsk, summary: "Begins or ends the self test.", body: SwitchRequest{}},
	"/v1/checks":       {tag: tagAsk, summary: "Checks the invariants of the stack after each tick, or not.", body: SwitchRequest{}},
	"/v1/cancel":       {tag: tagAsk, summary: "Goes back to the configured base behavior.", body: nothing{}},
	"/v1/estop":        {tag: tagAsk, summary: "Stops everything that moves, now. It takes any content type, waits for no tick, and stays until a resume names its number."},
	"/v1/resume":       {tag: tagAsk, summary: "Ends the emergency stop that it names, and no later one.", body: ResumeRequest{}},
	"/v1/world":        {tag: tagPerson, summary: "Does what a person would do to the simulated robot and its world.", body: Act{}},
	"/v1/fault":        {tag: tagBreak, summary: "Breaks a device of the simulated robot.", body: FaultRequest{}},
	"/v1/faults/clear": {tag: tagBreak, summary: "Heals what was broken.", body: nothing{}},
	"/v1/detections":   {tag: tagServices, summary: "Takes what a vision, speech or radio process found.", body: Detections{}},
	"/healthz":         {tag: tagHealth, summary: "Whether the robot lives; the failing checks otherwise, with status 503.", answer: healthAnswer{}},
	"/readyz":          {tag: tagHealth, summary: "Whether the robot is ready; the failing checks otherwise, with status 503.", answer: healthAnswer{}},
}
