package stores

// redisClaim are the rules of a claim.
//
//	KEYS  the claim's key, its owner's key, the mark of this run's token
var redisClaim = rules{
	keys: "3", args: "4",
	shared: `
-- A claim is held by its token only while both keys end together: a key that
-- another program deleted and set again ends at another time. Time may pass
-- between two looks, so a difference is looked at again.
local function mine(claim, owner)
  if redis.call('GET', owner) ~= token then return false end
  local a, b = redis.call('PTTL', claim), redis.call('PTTL', owner)
  if a < 0 or b < 0 then return false end
  return math.abs(a - b) <= 2 or (b <= a + 1 and b >= redis.call('PTTL', claim) - 1)
end

-- Both keys end at the same instant.
local function put(claim, owner, value, ttl)
  local at = ends(ttl)
  redis.call('SET', owner, token, 'PXAT', at)
  redis.call('SET', claim, value, 'PXAT', at)
end
`,
	take: `
function take.claim(k, a)
  local key, owner = KEYS[k], KEYS[k + 1]
  local state = redis.call('GET', key)
  if not state then
    present(KEYS[k + 2])
    put(key, owner, 'processing', ARGV[a + 1])
    return
  end
  if state ~= 'processing' and state ~= 'completed' then error('CMDX-FOREIGN') end
  if state == 'processing' and mine(key, owner) then return end
  return 'refused', state, redis.call('PTTL', key)
end
`,
	hand: `
function hand.claim(k, a, part)
  local key, owner = KEYS[k], KEYS[k + 1]
  local state = redis.call('GET', key)
  if (state ~= 'processing' and state ~= 'completed') or not mine(key, owner) then return 'lost' end
  if part == 'complete' then
    put(key, owner, 'completed', ARGV[a + 1])
    return 'done'
  end
  if part ~= 'take back' and state ~= 'processing' then return 'lost' end
  redis.call('DEL', key, owner)
  return 'done'
end
`,
	lengthen: `
function extend.claim(k, a)
  local key, owner = KEYS[k], KEYS[k + 1]
  if redis.call('GET', key) ~= 'processing' or not mine(key, owner) then return 'lost' end
  local at = ends(ARGV[a + 1])
  redis.call('PEXPIREAT', owner, at)
  redis.call('PEXPIREAT', key, at)
  return 'done'
end
`,
}
