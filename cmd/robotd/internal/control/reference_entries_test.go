package control

// Parameters that several routes take.
var (
	paramTick = param{"tick", "integer", "the end of this tick, instead of now"}
	paramAt   = param{"at", "number", "the newest tick at or before this second of the life, instead of now"}
	paramFrom = param{"from", "number", "begin of the window in seconds of the life"}
	paramTo   = param{"to", "number", "end of the window"}
)

// entries is the table of the reference, by path.
var entries = map[string]entry{
	"/v1/state":    {tag: tagWatch, summary: "What the robot does, believes and has: one consistent state of one tick.", params: []param{paramTick, paramAt}, answer: State{}},
	"/v1/history":  {tag: tagPast, summary: "Which part of the life can be read.", answer: HistoryState{}},
	"/v1/timeline": {tag: tagPast, summary: "What went on in a window of time.", params: []param{paramFrom, paramTo}, answer: Timeline{}},
	"/v1/series": {tag: tagPast, summary: "Numbers over time; without names, the list of them.", params: []param{
		{"names", "string", "names with commas between them"}, paramFrom, paramTo, {"points", "integer", "how many points a number has at most"},
	}, answer: SeriesSet{}, other: []SeriesName{}},
	"/v1/activations": {tag: tagPast, summary: "When a behavior was on the stack.", params: []param{{"id", "string", "the behavior"}}, answer: []Activation{}},
	"/v1/log": {tag: tagPast, summary: "Lines of the log.", params: []param{
		paramFrom, paramTo, {"level", "string", "the lowest: debug, info, warn or error"}, {"q", "string", "a text that the lines contain, in any case"},
	}, answer: []LogEntry{}},
	"/v1/why": {tag: tagPast, summary: "Why a behavior has control, or has not: each gate with what it read, who was asked before, and what would have to change.", params: []param{
		{"id", "string", "the behavior"}, paramTick, paramAt, {"ago", "number", "so many seconds before the newest tick"},
	}, answer: Why{}},
	"/v1/tree":   {tag: tagPast, summary: "Who may delegate to whom, with files and parameters.", params: []param{paramTick, paramAt}, answer: Tree{}},
	"/v1/budget": {tag: tagPast, summary: "The time that the hooks of each behavior took in the last minute.", answer: []BudgetEntry{}},
	"/v1/events": {tag: tagWatch, summary: "A stream of states as server-sent events: `state`, then `change` with the keys that changed, at most ten a second.", stream: true},
	"/v1/watch": {
		tag:     tagWatch,
		summary: "A stream of facts as they change, as server-sent events: first what holds, each as `message`; `lost` tells a slow client how many it misses.",
		params:  []param{{"topics", "string", "names of topics with commas between them; all without it"}}, stream: true, other: WatchMessage{},
	},
	"/v1/faults":          {tag: tagBreak, summary: "The faults that are injected now.", answer: []FaultState{}},
	"/v1/intent":          {tag: tagAsk, summary: "Makes a user intent pending.", body: IntentRequest{}},
	"/v1/intents":         {tag: tagAsk, summary: "Makes the user intent pending that a message of a cloud or an app stands for.", body: Message{}},
	"/v1/var":             {tag: tagAsk, summary: "Gives a console variable a value, for the condition ConsoleVar.", body: VarRequest{}},
	"/v1/feature":         {tag: tagAsk, summary: "Switches a feature on or off whatever the files say, or leaves it to them. It lasts.", body: FeatureRequest{}},
	"/v1/reaction":        {tag: tagAsk, summary: "Makes a behavior the reaction to a condition, from the options of conditionToBehaviorMap.json. It lasts.", body: ReactionRequest{}},
	"/v1/wake":            {tag: tagAsk, summary: "Acts as if the trigger word was heard.", body: nothing{}},
	"/v1/actions":         {tag: tagWatch, summary: "The actions that `/v1/actions/do` knows with keys, units, limits and defaults; those that run or wait, with tracks and owner; how the newest of the operator ended.", answer: ActionsState{}},
	"/v1/actions/do":      {tag: tagAsk, summary: "Queues an action. In parallel, which is the default, it is refused while a track that it needs is held; `interrupt` ends the actions that hold one.", body: ActionRequest{}},
	"/v1/actions/cancel":  {tag: tagAsk, summary: "Ends the action of a tag, whoever owns it; without a tag all of the operator.", body: TagRequest{}},
	"/v1/drive":           {tag: tagAsk, summary: "Drives wheels, head and lift directly, for 400 ms: who drives repeats it. It obeys the reflexes, locks what moves, and is refused while another holds that; `interrupt` ends the actions that do.", body: DriveRequest{}},
	"/v1/run-behavior":    {tag: tagAsk, summary: "Makes a behavior the base until it has ended so many times.", body: RunRequest{}},
	"/v1/stage":           {tag: tagAsk, summary: "Changes the stage of the robot's life, which chooses its base behavior.", body: StageRequest{}},
	"/v1/selftest":        {tag: tagAsk, summary: "Begins or ends the self test.", body: SwitchRequest{}},
	"/v1/checks":          {tag: tagAsk, summary: "Checks the invariants of the stack after each tick, or not.", body: SwitchRequest{}},
	"/v1/cancel":          {tag: tagAsk, summary: "Goes back to the configured base behavior.", body: nothing{}},
	"/v1/estop":           {tag: tagAsk, summary: "Stops everything that moves, now. It takes any content type, waits for no tick, and stays until a resume names its number."},
	"/v1/resume":          {tag: tagAsk, summary: "Ends the emergency stop that it names, and no later one.", body: ResumeRequest{}},
	"/v1/world":           {tag: tagPerson, summary: "Does what a person would do to the simulated robot and its world.", body: Act{}},
	"/v1/fault":           {tag: tagBreak, summary: "Breaks a device of the simulated robot.", body: FaultRequest{}},
	"/v1/faults/clear":    {tag: tagBreak, summary: "Heals what was broken.", body: nothing{}},
	"/v1/detections":      {tag: tagServices, summary: "Takes what a vision, speech or radio process found.", body: Detections{}},
	"/v1/behaviors/files": {tag: tagDefine, summary: "The files of the definitions, where each comes from, and where edits are written.", answer: FilesState{}},
	"/v1/behaviors/file": {tag: tagDefine, summary: "The text of one file, as it is on disk.", params: []param{
		{"path", "string", "of the file below the folder, such as behaviors/reactions/ReactToTouch.json"},
	}, answer: FileState{}},
	"/v1/behaviors/set":      {tag: tagDefine, summary: "The files that the present definitions were made from.", answer: SetState{}},
	"/v1/behaviors/check":    {tag: tagDefine, summary: "Checks all files with an edit of one, and plans the change to them. Nothing changes.", body: Edit{}, answer: Change{}, refusal: Change{}},
	"/v1/behaviors/plan":     {tag: tagDefine, summary: "Checks the files as they are now, and plans the change to them. Nothing changes.", body: nothing{}, answer: Change{}, refusal: Change{}},
	"/v1/behaviors/apply":    {tag: tagDefine, summary: "Writes an edit of one file and changes to the files between two ticks: both or neither.", body: Edit{}, answer: Change{}, refusal: Change{}},
	"/v1/behaviors/reload":   {tag: tagDefine, summary: "Changes to the files as they are now, between two ticks: all of them or none.", body: nothing{}, answer: Change{}, refusal: Change{}},
	"/v1/behaviors/rollback": {tag: tagDefine, summary: "Goes back to the definitions before the present ones. The files stay.", body: nothing{}, answer: Change{}, refusal: Change{}},
	"/healthz":               {tag: tagHealth, summary: "Whether the robot lives; the failing checks otherwise, with status 503.", answer: healthAnswer{}},
	"/readyz":                {tag: tagHealth, summary: "Whether the robot is ready; the failing checks otherwise, with status 503.", answer: healthAnswer{}},
}
