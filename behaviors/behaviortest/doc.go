// Package behaviortest runs behaviors in tests: JSON definitions, an engine without actors, and an ideal body that carries
// out what the engine orders. Time is a value that only [Env.Step] moves. It is imported by tests only.
//
//	env := behaviortest.New(t, behaviortest.Options{
//		Classes: library.Registry(),
//		Files: `
//	-- Base.json --
//	{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "Base", "interruptActiveBehavior": true,
//	 "behaviors": ["GreetFace", "Wait"]}
//	-- Wait.json --
//	{"behaviorClass": "Wait", "behaviorID": "Wait"}
//	-- GreetFace.json --
//	{"behaviorClass": "GreetFace", "behaviorID": "GreetFace", "cooldownPerFace_s": 60, "maxFaceAge_s": 2, "maxFaceDist_mm": 1500,
//	 "clip": "greet_happy", "greeting": "Hello"}
//	`,
//	})
//	env.Body.People = []behaviortest.Person{{ID: 1, Name: "Ada", XMM: 600}}
//	env.Until(time.Second, "it greets", func() bool { return env.Active("GreetFace") })
//
// Each step checks the invariants of the stack, and that no hook failed; a test need not ask for either.
package behaviortest
