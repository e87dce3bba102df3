package stores

import "github.com/redis/go-redis/v9"

// getScript reads KEYS[1] where a plain GET could be answered by a replica.
var getScript = redis.NewScript(`return redis.call('GET', KEYS[1])`)

// setScript sets KEYS[1] to ARGV[1] for ARGV[2] under the condition ARGV[3]
// (NX, XX or nothing) and drops the owner KEYS[2]. It returns 1 when it did.
var setScript = redis.NewScript(`
local done
if ARGV[3] == '' then
  done = redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
else
  done = redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], ARGV[3])
end
if not done then return 0 end
redis.call('DEL', KEYS[2])
return 1
`)

// incrScript adds one to KEYS[1]; a key without an end gets the lifetime
// ARGV[1]. It returns the sum as text, since numbers lose digits in Lua.
var incrScript = redis.NewScript(`
redis.call('INCR', KEYS[1])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return redis.call('GET', KEYS[1])
`)

// deleteScript deletes KEYS[1] and its owner KEYS[2]; it returns how many of
// the first there were.
var deleteScript = redis.NewScript(`
local n = redis.call('DEL', KEYS[1])
redis.call('DEL', KEYS[2])
return n
`)
