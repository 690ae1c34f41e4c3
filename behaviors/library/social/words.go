package social

import "github.com/robotd/robotd/behaviors"

// WordCliff tells a behavior that drives to a face that the reaction to an edge runs: what interrupts it is no reason to give up.
const WordCliff behaviors.Word = "the reaction to an edge runs"
