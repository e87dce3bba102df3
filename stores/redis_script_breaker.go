package stores

import "github.com/redis/go-redis/v9"

// redisBreaker are the rules of a circuit. A circuit that nothing is stored of
// is closed, in period 0. What is told beside the hash:
//
//	KEYS  the circuit: a hash of state, period, until and cool (an open one's
//	      end and length), by, at and to (whose outcome changed it last, in
//	      which period, to what), half (who made it half open)
//	      the failures that count, by their instants: those in a row, or
//	      those within the window
//	      the other outcomes that were told: successes within the window, or
//	      the newest of what counts no more
//	      the probes under way, by the instants at which they are forgotten
//	      the mark of this run's token
//	ARGV  …, cool-off in microseconds, probes, threshold, failure rate ("0"
//	      for none), window in microseconds, least calls, how long an outcome
//	      is kept in microseconds, the admission's period and state
var redisBreaker = rules{
	keys: "5", args: "13",
	shared: redisCircuit,
	take: `
passed = {}
local function pass(e, period, state, changed)
  for _, v in ipairs({e, period, state, changed and 1 or 0}) do table.insert(passed, v) end
end

function take.breaker(k, a, e)
  local key, probes, ttl = KEYS[k], KEYS[k + 3], ARGV[a + 1]
  local c = circuit(key)
  if c.state == 'closed' then return pass(e, c.period, c.state) end
  if c.state == 'open' then
    local rest = c.till - now()
    if rest > c.cool then -- the clock was set back: no longer than a whole cool-off
      rest = c.cool
      redis.call('HSET', key, 'until', whole(now() + rest))
      redis.call('PEXPIREAT', key, whole(math.ceil((now() + rest) / 1000) + ttl))
    end
    if rest > 0 then return 'refused', 'open', left(rest) end
    present(KEYS[k + 4])
    c.period, c.half = c.period + 1, token
    redis.call('HSET', key, 'state', 'half_open', 'period', whole(c.period), 'half', token)
    redis.call('DEL', probes)
  else
    if stands(probes, now()) then return pass(e, c.period, c.state, c.half == token) end
    if redis.call('ZCOUNT', probes, after(now()), '+inf') >= tonumber(ARGV[a + 5]) then
      local at = redis.call('ZRANGEBYSCORE', probes, after(now()), '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
      return 'refused', 'half_open', left(at[2] - now())
    end
    present(KEYS[k + 4])
    redis.call('ZREMRANGEBYSCORE', probes, '-inf', whole(now()))
    if c.half == token then -- it asks anew, its first probe is over
      redis.call('HDEL', key, 'half')
      c.half = nil
    end
  end
  redis.call('ZADD', probes, whole(now() + ARGV[a + 4]), token)
  lasts(probes, redis.call('PTTL', probes), ARGV[a + 4])
  redis.call('PEXPIREAT', key, whole(math.ceil((now() + ARGV[a + 4]) / 1000) + ttl))
  return pass(e, c.period, 'half_open', c.half == token)
end
`,
	hand: `
-- The circuit changes by an outcome of this run; what counted is forgotten.
local function change(k, a, period, state)
  local key, cool, at = KEYS[k], ARGV[a + 4], ends(ARGV[a + 1])
  redis.call('HSET', key, 'state', state, 'period', whole(period), 'by', token, 'at', whole(period), 'to', state)
  if state == 'open' then
    redis.call('HSET', key, 'until', whole(now() + cool), 'cool', cool)
    at = whole(math.ceil((now() + cool) / 1000) + ARGV[a + 1])
  end
  redis.call('PEXPIREAT', key, at)
  redis.call('DEL', KEYS[k + 1], KEYS[k + 2], KEYS[k + 3])
  return 'done ' .. state
end

-- What was counted lives on, and the circuit with it.
local function remember(k, a)
  local at = ends(ARGV[a + 1])
  for set = k, k + 2 do redis.call('PEXPIREAT', KEYS[set], at) end
  return 'done'
end

-- An outcome of a closed circuit that failures in a row open.
local function inARow(k, a, failed, period, stored)
  local failures, told = KEYS[k + 1], KEYS[k + 2]
  if failed then
    if stands(failures, -1) or stands(told, -1) then return 'done' end
    redis.call('ZADD', failures, whole(now()), token)
    if redis.call('ZCARD', failures) >= tonumber(ARGV[a + 6]) then return change(k, a, period + 1, 'open') end
    return remember(k, a)
  end
  local streak = redis.call('EXISTS', failures) == 1
  if streak and stands(failures, -1) or redis.call('ZADD', told, 'NX', whole(now()), token) == 0 then return 'done' end
  if streak then
    redis.call('ZUNIONSTORE', told, 2, told, failures, 'AGGREGATE', 'MAX')
    redis.call('DEL', failures)
  end
  redis.call('ZREMRANGEBYRANK', told, 0, -129)
  if stored then return remember(k, a) end
  redis.call('PEXPIREAT', told, ends(ARGV[a + 1]))
  return 'done'
end

-- An outcome of a closed circuit that a share of failures opens.
local function inAWindow(k, a, failed, period)
  local failures, told = KEYS[k + 1], KEYS[k + 2]
  local old, from = whole(now() - ARGV[a + 10]), now() - ARGV[a + 8]
  for set = k + 1, k + 2 do
    follow(KEYS[set])
    redis.call('ZREMRANGEBYSCORE', KEYS[set], '-inf', old)
  end
  if stands(failures, -1) or stands(told, -1) then return 'done' end
  redis.call('ZADD', failed and failures or told, whole(now()), token)
  local bad, calls = within(failures, told, from)
  if calls >= tonumber(ARGV[a + 9]) and bad / calls >= tonumber(ARGV[a + 7]) then
    return change(k, a, period + 1, 'open')
  end
  return remember(k, a)
end

function hand.breaker(k, a, part)
  if part ~= 'success' and part ~= 'failure' then
    redis.call('ZREM', KEYS[k + 3], token)
    return 'done'
  end
  local c, period, state = circuit(KEYS[k]), tonumber(ARGV[a + 11]), ARGV[a + 12]
  if c.period ~= period then
    if c.by == token and c.at == period + 1 and c.at == c.period then return 'done ' .. c.to end
    return 'lost'
  end
  if state ~= c.state then return 'lost' end
  if state == 'half_open' then
    if not stands(KEYS[k + 3], now()) then return 'lost' end
    return change(k, a, period + 1, part == 'success' and 'closed' or 'open')
  end
  local count = tonumber(ARGV[a + 6]) > 0 and inARow or inAWindow
  return count(k, a, part == 'failure', period, c.stored)
end
`,
}

// redisCircuit reads a circuit, for every script that does.
const redisCircuit = `
local function circuit(key)
  local c = redis.call('HMGET', key, 'state', 'period', 'until', 'cool', 'by', 'at', 'to', 'half')
  local state, period = c[1], tonumber(c[2] or '')
  if not state and redis.call('EXISTS', key) == 0 then return {state = 'closed', period = 0} end
  local till, cool = tonumber(c[3] or ''), tonumber(c[4] or '')
  local known = state == 'closed' or state == 'half_open' or (state == 'open' and till and cool)
  if not known or not period then error('CMDX-FOREIGN') end
  return {stored = true, state = state, period = period, till = till, cool = cool,
    by = c[5], at = tonumber(c[6] or ''), to = c[7], half = c[8]}
end

-- How many failures and how many outcomes in all lie behind an instant.
local function within(failures, told, from)
  local bad = redis.call('ZCOUNT', failures, after(from), '+inf')
  return bad, bad + redis.call('ZCOUNT', told, after(from), '+inf')
end
`

// inspectScript reads a circuit and changes nothing. KEYS and ARGV are those of
// a circuit's entry behind the token. It returns {state, failures, calls,
// probes, milliseconds left}, or an error's text.
var inspectScript = redis.NewScript(redisCommon + redisSets + redisCircuit + `
local function inspect()
  local c, a = circuit(KEYS[1]), 2
  local failures, calls, rest = 0, 0, 0
  if c.state == 'open' then rest = math.min(c.till - now(), c.cool) end
  if c.state == 'closed' and tonumber(ARGV[a + 6]) > 0 then
    failures = redis.call('ZCARD', KEYS[2])
  elseif c.state == 'closed' then
    failures, calls = within(KEYS[2], KEYS[3], now() - ARGV[a + 8])
  end
  local probes = 0
  if c.state == 'half_open' then probes = redis.call('ZCOUNT', KEYS[4], after(now()), '+inf') end
  return {c.state, failures, calls, probes, rest > 0 and left(rest) or 0}
end
local ok, answer = pcall(inspect)
return ok and answer or text(answer)
`)

// resetScript closes a circuit in a new period. KEYS and ARGV are those of a
// circuit's entry behind a token of this reset's own, by which it knows itself
// when it is sent again. It returns 1 when the circuit was not closed, else 0,
// or an error's text.
var resetScript = redis.NewScript(redisCommon + redisSets + redisCircuit + `
local function reset()
  local c = circuit(KEYS[1])
  if c.by == token then return c.to == 'closed' and 1 or 0 end
  local opened = c.state ~= 'closed'
  local period = whole(c.period + 1)
  redis.call('HSET', KEYS[1], 'state', 'closed', 'period', period, 'by', token, 'at', period, 'to', opened and 'closed' or '')
  redis.call('PEXPIREAT', KEYS[1], ends(ARGV[3]))
  redis.call('DEL', KEYS[2], KEYS[3], KEYS[4])
  return opened and 1 or 0
end
local ok, answer = pcall(reset)
return ok and answer or text(answer)
`)
