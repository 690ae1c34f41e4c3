package barrier

import cmap "github.com/orcaman/concurrent-map"

// The registry of an actor system is 1024 hash maps of SHARD_COUNT shards each, all made at its start, and each shard that holds
// an actor has a table of its own. With the library's 32 shards that is 4 ms of processor time and 2.9 MB before the first
// actor, and a table for almost every actor. One shard is enough: two or three goroutines look actors up.
//
// The number must not change once an actor system exists, so an init sets it before code of robotd can make one.
func init() { cmap.SHARD_COUNT = 1 }
