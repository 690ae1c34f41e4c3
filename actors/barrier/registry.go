package barrier

import cmap "github.com/orcaman/concurrent-map"

// The registry of an actor system is 1024 hash maps of SHARD_COUNT shards each, all made at its start, and each shard with an
// actor in it has a table of its own. At the library's 32 shards that is 4 ms of processor time and 2.9 MB before the first
// actor, and a table for almost every actor. Two or three goroutines look actors up here; 1024 locks are enough for them.
//
// The number must never change once an actor system exists, so it is set before anything can make one.
func init() { cmap.SHARD_COUNT = 1 }
