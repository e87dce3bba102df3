package stores

import "github.com/redis/go-redis/v9"

// The scripts. All keys stand in KEYS; times are whole milliseconds; nothing
// is newer than Redis 6.2. Entries come three keys and four arguments each:
//
//	KEYS  the claim's key, its owner's key, the mark of this run's token
//	ARGV  kind, lifetime, part, 1 to step over an error and 0 not to
//
// behind ARGV[1], the token.

// redisClaims holds the rules of a claim. What a function returns is an
// outcome: "" or "done" for yes, "lost", or the state that stands in the way.
const redisClaims = `
local token = ARGV[1]

-- A claim is held by its token only while both keys end together: a key that
-- another program deleted and set again ends at another time. Time may pass
-- between two looks, so a difference is looked at again.
local function mine(claim, owner)
  if redis.call('GET', owner) ~= token then return false end
  local a, b = redis.call('PTTL', claim), redis.call('PTTL', owner)
  if a < 0 or b < 0 then return false end
  return math.abs(a - b) <= 2 or (b <= a + 1 and b >= redis.call('PTTL', claim) - 1)
end

-- Both keys end at the same instant, however long a script is held up.
local function ends(ttl)
  local now = redis.call('TIME')
  return string.format('%.0f', now[1] * 1000 + math.floor(now[2] / 1000) + ttl)
end

local function put(claim, owner, value, ttl)
  local at = ends(ttl)
  redis.call('SET', owner, token, 'PXAT', at)
  redis.call('SET', claim, value, 'PXAT', at)
end

local function claim(i, ttl)
  local key, owner, void = KEYS[i * 3 - 2], KEYS[i * 3 - 1], KEYS[i * 3]
  local state = redis.call('GET', key)
  if not state then
    if redis.call('EXISTS', void) == 1 then error('CMDX-VOID') end
    put(key, owner, 'processing', ttl)
    return ''
  end
  if state ~= 'processing' and state ~= 'completed' then error('CMDX-FOREIGN') end
  if state == 'processing' and mine(key, owner) then return '' end
  return state
end

local function extend(i, ttl)
  local key, owner = KEYS[i * 3 - 2], KEYS[i * 3 - 1]
  if redis.call('GET', key) ~= 'processing' or not mine(key, owner) then return 'lost' end
  local at = ends(ttl)
  redis.call('PEXPIREAT', owner, at)
  redis.call('PEXPIREAT', key, at)
  return 'done'
end

local leave
function leave(i, part, ttl)
  local key, owner, void = KEYS[i * 3 - 2], KEYS[i * 3 - 1], KEYS[i * 3]
  if part == 'none' then return 'done' end
  if part == 'void' then
    -- Even where a full server refuses the mark, the release frees memory.
    local marked, err = pcall(redis.call, 'SET', void, token, 'PX', ttl)
    local released = leave(i, 'release', ttl)
    if not marked then error(err) end
    return released
  end
  local state = redis.call('GET', key)
  if (state ~= 'processing' and state ~= 'completed') or not mine(key, owner) then return 'lost' end
  if part == 'complete' then
    put(key, owner, 'completed', ttl)
    return 'done'
  end
  if part ~= 'take back' and state ~= 'processing' then return 'lost' end
  redis.call('DEL', key, owner)
  return 'done'
end

-- The text of an error that pcall caught, in every version's form.
local function text(err)
  if type(err) == 'table' then return err.err or 'unknown error' end
  return tostring(err)
end
`

// enterScript takes the entries from the one at index ARGV[2] (from 1) on, up
// to the first refusal, after which everything that token holds is released. It
// returns {verdict, index, state, milliseconds left, error, index and error
// of each entry stepped over…}.
var enterScript = redis.NewScript(redisClaims + `
local stepped = {}
local function answer(verdict, i, state, left, err)
  local all = {verdict, i, state, left, err}
  for _, v in ipairs(stepped) do all[#all + 1] = v end
  return all
end
local function undo()
  for i = #KEYS / 3, 1, -1 do
    if ARGV[3 + (i - 1) * 4] == 'claim' then pcall(leave, i, 'release', 0) end
  end
end
for i = tonumber(ARGV[2]), #KEYS / 3 do
  local at = 3 + (i - 1) * 4
  local ok, state = pcall(claim, i, ARGV[at + 1])
  if not ok and ARGV[at + 3] == '1' then
    stepped[#stepped + 1] = i
    stepped[#stepped + 1] = text(state)
  elseif not ok then
    undo()
    return answer('error', i, '', 0, text(state))
  elseif state ~= '' then
    local left = redis.call('PTTL', KEYS[i * 3 - 2])
    undo()
    return answer('refused', i, state, left, '')
  end
end
return answer('entered', 0, '', 0, '')
`)

// leaveScript hands every entry its part, the last one first, and returns an
// outcome per entry, with the text behind "error " where there was one.
var leaveScript = redis.NewScript(redisClaims + `
local outcomes = {}
for i = #KEYS / 3, 1, -1 do
  local at = 2 + (i - 1) * 4
  local ok, outcome = pcall(leave, i, ARGV[at + 2], ARGV[at + 1])
  outcomes[i] = ok and outcome or 'error ' .. text(outcome)
end
return outcomes
`)

// extendScript lets every entry that token holds live for its lifetime from
// now on, and returns an outcome per entry as leaveScript does.
var extendScript = redis.NewScript(redisClaims + `
local outcomes = {}
for i = 1, #KEYS / 3 do
  local ok, outcome = pcall(extend, i, ARGV[2 + (i - 1) * 4 + 1])
  outcomes[i] = ok and outcome or 'error ' .. text(outcome)
end
return outcomes
`)

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
