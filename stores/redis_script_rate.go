package stores

// The rules of rates. Both paces are asked first, by take, which writes
// nothing and returns the milliseconds to wait, 0 when the call may pass, and
// nothing when it has been counted already; then they count, by the part
// 'count' of hand. The part 'uncount' is for a group of rates that is asked
// one by one, where a later one refused.

// redisWindow are the rules of a sliding log: a sorted set of the tokens that
// passed by the instants at which they did, one for all windows of the key.
//
//	KEYS  the log's key, the mark of this run's token
//	ARGV  …, limit, window in microseconds
var redisWindow = rules{
	keys: "2", args: "6",
	take: `
function take.window(k, a)
  local log, ttl, limit, per = KEYS[k], ARGV[a + 1], tonumber(ARGV[a + 4]), tonumber(ARGV[a + 5])
  local rest = redis.call('PTTL', log)
  if rest == -2 then return 0 end
  if rest < 0 or rest > ttl + 1 then follow(log) end -- written later than now, or for longer
  local calls = redis.call('ZCOUNT', log, after(now() - per), '+inf')
  if calls < limit then return 0 end
  if stands(log, now() - ttl * 1000) then return end
  -- So many have to leave the window that one more fits.
  local at = redis.call('ZRANGEBYSCORE', log, after(now() - per), '+inf', 'WITHSCORES', 'LIMIT', whole(calls - limit), 1)
  return left(at[2] + per - now())
end
`,
	hand: `
function hand.window(k, a, part)
  local log, ttl = KEYS[k], ARGV[a + 1] * 1000
  if part == 'count' then
    present(KEYS[k + 1])
    redis.call('ZREMRANGEBYSCORE', log, '-inf', whole(now() - ttl))
    if redis.call('ZADD', log, 'NX', whole(now()), token) == 1 then lasts(log, redis.call('PTTL', log), ttl) end
  elseif part == 'uncount' or part == 'void' then
    redis.call('ZREM', log, token)
  end
  return 'done'
end
`,
}

// redisSmooth are the rules of calls that keep a distance: a string of three
// words, the instant of the last call that passed, that of the one before it,
// and the last one's token.
//
//	KEYS  the pace's key, the mark of this run's token
//	ARGV  …, distance in microseconds
var redisSmooth = rules{
	keys: "2", args: "5",
	shared: `
local function pace(key)
  local value = redis.call('GET', key)
  if not value then return nil, nil, nil end
  local last, before, by = string.match(value, '^(%d+) (%d+) (%x+)$')
  if not last then error('CMDX-FOREIGN') end
  return tonumber(last), tonumber(before), by
end

local function setPace(key, last, before, by, at)
  redis.call('SET', key, whole(last) .. ' ' .. whole(before) .. ' ' .. by, 'PXAT', at)
end
`,
	take: `
function take.smooth(k, a)
  local key, distance = KEYS[k], tonumber(ARGV[a + 4])
  local last, before, by = pace(key)
  if not last then return 0 end
  if by == token then return end
  if last > now() then -- the clock was set back: as in a log
    setPace(key, now(), math.max(before - last + now(), 0), by, ends(ARGV[a + 1]))
    last = now()
  end
  local wait = last + distance - now()
  return wait <= 0 and 0 or left(wait)
end
`,
	hand: `
function hand.smooth(k, a, part)
  local key = KEYS[k]
  if part == 'count' then
    local last, _, by = pace(key)
    if by == token then return 'done' end
    present(KEYS[k + 1])
    setPace(key, now(), last or 0, token, whole(math.ceil(now() / 1000) + ARGV[a + 1]))
  elseif part == 'uncount' then
    local last, before, by = pace(key)
    if by == token then
      if before == 0 then redis.call('DEL', key) else setPace(key, before, 0, '0', ends(ARGV[a + 1])) end
    end
  end
  return 'done'
end
`,
}
