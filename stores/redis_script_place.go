package stores

// redisPlace are the rules of places: a sorted set of the tokens that hold
// one, each by the instant at which its place ends. The key lives as long as
// any of them at least.
//
//	KEYS  the places' key, the mark of this run's token
//	ARGV  …, how many places there are
var redisPlace = rules{
	keys: "2", args: "5",
	take: `
function take.place(k, a)
  local set, ttl = KEYS[k], ARGV[a + 1] * 1000
  local rest, held = redis.call('PTTL', set), 0
  if rest ~= -2 then held = redis.call('ZCOUNT', set, after(now()), '+inf') end
  local over = held - ARGV[a + 4]
  if over >= 0 then
    if stands(set, now()) then return end
    -- So many have to end that one place is free.
    local at = redis.call('ZRANGEBYSCORE', set, after(now()), '+inf', 'WITHSCORES', 'LIMIT', whole(over), 1)
    return 'refused', '', left(at[2] - now())
  end
  present(KEYS[k + 1])
  if rest ~= -2 and redis.call('ZREMRANGEBYSCORE', set, '-inf', whole(now())) > 0 then
    rest = redis.call('PTTL', set) -- the key goes with its last member
  end
  if redis.call('ZADD', set, 'NX', whole(now() + ttl), token) == 1 then lasts(set, rest, ttl) end
end
`,
	hand: `
function hand.place(k)
  if not stands(KEYS[k], now()) then return 'lost' end
  redis.call('ZREM', KEYS[k], token)
  return 'done'
end
`,
	lengthen: `
function extend.place(k, a)
  local set, ttl = KEYS[k], ARGV[a + 1] * 1000
  if not stands(set, now()) then return 'lost' end
  redis.call('ZADD', set, whole(now() + ttl), token)
  lasts(set, redis.call('PTTL', set), ttl)
  return 'done'
end
`,
}
