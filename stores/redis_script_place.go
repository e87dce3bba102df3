package stores

// redisPlace are the rules of places: a sorted set of the tokens that hold
// one, each by the instant at which its place ends. The key ends with the
// latest of them.
//
//	KEYS  the places' key, the mark of this run's token
//	ARGV  …, how many places there are
var redisPlace = rules{
	keys: "2", args: "5",
	take: `
function take.place(k, a)
  local set, limit = KEYS[k], tonumber(ARGV[a + 4])
  if stands(set, now()) then return end
  local held = redis.call('ZCOUNT', set, after(now()), '+inf')
  if held >= limit then
    -- So many have to end that one place is free.
    local at = redis.call('ZRANGEBYSCORE', set, after(now()), '+inf', 'WITHSCORES', 'LIMIT', whole(held - limit), 1)
    return 'refused', '', left(at[2] - now())
  end
  present(KEYS[k + 1])
  redis.call('ZREMRANGEBYSCORE', set, '-inf', whole(now()))
  redis.call('ZADD', set, whole(now() + ARGV[a + 1] * 1000), token)
  endsWithLast(set)
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
  if not stands(KEYS[k], now()) then return 'lost' end
  redis.call('ZADD', KEYS[k], whole(now() + ARGV[a + 1] * 1000), token)
  endsWithLast(KEYS[k])
  return 'done'
end
`,
}
