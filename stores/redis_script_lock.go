package stores

// redisLock are the rules of a lock: one string, whose value is the token of
// the run that holds it.
//
//	KEYS  the lock's key, the mark of this run's token
//	ARGV  …, 1 to wait for it and 0 not to
var redisLock = rules{
	keys: "2", args: "5",
	shared: `
-- Who holds a lock: any value is somebody, one of another type too; false for
-- nobody.
local function holder(key)
  local value = redis.pcall('GET', key)
  if type(value) ~= 'table' then return value end
  if string.find(value.err, 'WRONGTYPE', 1, true) then return '' end
  error(value)
end
`,
	take: `
function take.lock(k, a)
  local key = KEYS[k]
  local by = holder(key)
  if by == token then return end
  if by then
    return ARGV[a + 4] == '1' and 'waiting' or 'refused', '', math.max(redis.call('PTTL', key), 0)
  end
  present(KEYS[k + 1])
  redis.call('SET', key, token, 'PXAT', ends(ARGV[a + 1]))
end
`,
	hand: `
function hand.lock(k)
  if holder(KEYS[k]) ~= token then return 'lost' end
  redis.call('DEL', KEYS[k])
  return 'done'
end
`,
	lengthen: `
function extend.lock(k, a)
  if holder(KEYS[k]) ~= token then return 'lost' end
  redis.call('PEXPIREAT', KEYS[k], ends(ARGV[a + 1]))
  return 'done'
end
`,
}
