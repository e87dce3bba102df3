package stores

import (
	"strings"
	"sync/atomic"

	"github.com/redis/go-redis/v9"
)

// The scripts. All keys stand in KEYS, each entry's own key before those
// beside it; nothing is newer than Redis 6.2. ARGV begins with the token, and
// an Enter's with the index (from 1) at which it begins. Then come the entries:
//
//	KEYS  what its kind needs, the mark of this run's token last
//	ARGV  kind, lifetime in whole milliseconds, part, 1 to step over an error
//	      and 0 not to, and what its kind needs
//
// Instants are microseconds of the server's clock: as whole numbers they fit
// into a double until the year 2255. A script holds the rules of those kinds
// only that it is sent, since every function costs each call a little.

// rules are what scripts know of one kind. Its functions stand in the tables
// take, hand and extend under the kind's name and are given the indexes of
// the entry's first key, its first argument, and the entry:
//
//	take    returns nothing when token holds the entry now; otherwise
//	        'refused' or 'waiting', the state found, and the milliseconds left
//	hand    is given the part too, and returns an outcome: 'done', 'lost', or
//	        'done open' and 'done closed' of a circuit that this changed
//	extend  returns an outcome
//
// An error that one of them raises is the entry's own.
type rules struct {
	// keys and args are how many an entry has.
	keys, args           string
	shared               string
	take, hand, lengthen string
}

// The kinds as scripts know them: the paces of a rate are two.
const (
	claimRules = iota
	lockRules
	placeRules
	windowRules
	smoothRules
	breakerRules

	rulesCount
)

var (
	ruleNames = [rulesCount]string{"claim", "lock", "place", "window", "smooth", "breaker"}
	allRules  = [rulesCount]*rules{&redisClaim, &redisLock, &redisPlace, &redisWindow, &redisSmooth, &redisBreaker}
)

// rulesOf is the number of the rules by which an entry goes.
func rulesOf(e *Entry) int {
	switch e.Kind {
	case KindLock:
		return lockRules
	case KindPlace:
		return placeRules
	case KindRate:
		if e.Rate.Pace == PaceSmooth {
			return smoothRules
		}
		return windowRules
	case KindBreaker:
		return breakerRules
	}
	return claimRules
}

// verb is what a script does with entries.
type verb uint8

const (
	entering verb = iota
	leaving
	extending

	verbCount
)

// kindScripts are the scripts that were needed so far, by verb and by the set
// of rules.
var kindScripts [verbCount][1 << rulesCount]atomic.Pointer[redis.Script]

// scriptFor is the script of a verb for entries of these kinds.
func scriptFor(v verb, entries []Entry) script {
	set := 0
	for i := range entries {
		set |= 1 << rulesOf(&entries[i])
	}
	known := &kindScripts[v][set]
	if s := known.Load(); s != nil {
		return s
	}
	known.CompareAndSwap(nil, redis.NewScript(scriptText(v, set)))
	return known.Load()
}

// scriptText puts a script together.
func scriptText(v verb, set int) string {
	var keys, args, body strings.Builder
	for i, r := range allRules {
		if set&(1<<i) == 0 {
			continue
		}
		keys.WriteString(ruleNames[i] + " = " + r.keys + ", ")
		args.WriteString(ruleNames[i] + " = " + r.args + ", ")
		body.WriteString(r.shared)
		switch v {
		case entering:
			body.WriteString(r.take + r.hand)
		case leaving:
			body.WriteString(r.hand)
		case extending:
			body.WriteString(r.lengthen)
		}
	}
	before := redisCommon
	if set&^(1<<claimRules|1<<lockRules) != 0 {
		before += redisSets
	}
	return before + body.String() +
		"local keyCount, argCount = {" + keys.String() + "}, {" + args.String() + "}\n" +
		redisEntries + [verbCount]string{redisEnter, redisLeave, redisExtend}[v]
}

// redisCommon is the beginning of every script.
const redisCommon = `
local token = ARGV[1]
local take, hand, extend = {}, {}, {}
local passed -- the circuits that let the call pass

-- One instant for the whole script, however long it is held up.
local instant
local function now()
  if not instant then
    local t = redis.call('TIME')
    instant = t[1] * 1000000 + t[2]
  end
  return instant
end

local function whole(n) return string.format('%.0f', n) end

-- The millisecond of a lifetime's end.
local function ends(ttl) return whole(math.floor(now() / 1000) + ttl) end

-- A run that was given up takes nothing any more. Whether there is any mark
-- of it is asked once for all entries.
local marks, marked = {}, nil
local function present(mark)
  marked = marked or redis.call('EXISTS', unpack(marks))
  if marked > 0 and redis.call('EXISTS', mark) == 1 then error('CMDX-VOID') end
end

-- The text of an error that pcall caught, in every version's form.
local function text(err)
  if type(err) == 'table' then return err.err or 'unknown error' end
  return tostring(err)
end
`

// redisSets holds what kinds share that keep tokens in sorted sets by
// instants.
const redisSets = `
-- What is left of a time, in milliseconds rounded up.
local function left(micros) return math.max(math.ceil(micros / 1000), 1) end

local function after(instant) return '(' .. whole(instant) end

-- A key of which so many milliseconds are left lives for micros at least.
local function lasts(key, rest, micros)
  if rest * 1000 < tonumber(micros) then
    redis.call('PEXPIREAT', key, whole(math.ceil((now() + micros) / 1000)))
  end
end

-- Whether token stands in a set with an instant after this one.
local function stands(set, instant)
  local score = redis.call('ZSCORE', set, token)
  return score and tonumber(score) > instant
end

-- Instants behind now were written before the clock was set back. They move
-- back with it, so that the latest is now: what must not come too soon does
-- not, and nobody waits for the old time to come again.
local function follow(set)
  local last = redis.call('ZREVRANGE', set, 0, 0, 'WITHSCORES')
  local ahead = (tonumber(last[2]) or 0) - now()
  if ahead <= 0 then return end
  local all = redis.call('ZRANGE', set, 0, -1, 'WITHSCORES')
  for i = 1, #all, 2 do redis.call('ZADD', set, whole(all[i + 1] - ahead), all[i]) end
end
`

// redisEntries finds out where the entries stand; first is set by the verb.
const redisEntries = `
local kind, key, arg, count = {}, {}, {}, 0
local function entriesFrom(a)
  local k, last = 1, #ARGV
  while a <= last do
    count = count + 1
    local name = ARGV[a]
    kind[count], key[count], arg[count] = name, k, a
    k, a = k + keyCount[name], a + argCount[name]
    marks[count] = KEYS[k - 1]
  end
end
`

// redisEnter takes the entries from the one at index ARGV[2] on, up to the
// first that stands in the way, and gives back what token holds unless it is
// to be waited for. It returns {verdict, index, state, milliseconds left,
// error}, and where there is something to tell the entries stepped over
// {index, error, …} and the circuits passed {index, period, state, changed, …}.
const redisEnter = `
entriesFrom(3)
local over, stepped = {}, 0
local function answer(verdict, i, state, milliseconds, err)
  local all = {verdict, i, state, milliseconds, err}
  if stepped > 0 then
    all[6] = {}
    for e = 1, count do
      if over[e] then table.insert(all[6], e); table.insert(all[6], over[e]) end
    end
  end
  if passed and #passed > 0 then
    all[6] = all[6] or {}
    all[7] = passed
  end
  return all
end
local function undo()
  for e = count, 1, -1 do pcall(hand[kind[e]], key[e], arg[e], 'release') end
end
-- An error of an entry's own; tells whether it ends everything.
local function fails(e, err)
  if ARGV[arg[e] + 3] ~= '1' then return true end
  over[e], stepped = text(err), stepped + 1
  return false
end

local i = tonumber(ARGV[2])
while i <= count do
  local name = kind[i]
  if name == 'window' or name == 'smooth' then
    -- Neighbouring rates are one question: all are asked before any counts.
    local first, counts, refuses, longest = i, {}, 0, 0
    repeat
      local ok, wait = pcall(take[kind[i]], key[i], arg[i])
      if not ok then
        if fails(i, wait) then undo(); return answer('error', i, '', 0, text(wait)) end
      elseif wait and wait > longest then
        refuses, longest = i, wait
      elseif wait == 0 then
        counts[i] = true
      end
      i = i + 1
    until kind[i] ~= 'window' and kind[i] ~= 'smooth'
    if refuses > 0 then
      undo()
      return answer('refused', refuses, '', longest, '')
    end
    for e = first, i - 1 do
      if counts[e] and ARGV[arg[e] + 2] ~= 'ask' then
        local ok, err = pcall(hand[kind[e]], key[e], arg[e], 'count')
        if not ok and fails(e, err) then
          for c = first, e - 1 do
            if counts[c] then pcall(hand[kind[c]], key[c], arg[c], 'uncount') end
          end
          undo()
          return answer('error', e, '', 0, text(err))
        end
      end
    end
  else
    local ok, verdict, state, milliseconds = pcall(take[name], key[i], arg[i], i)
    if not ok then
      if fails(i, verdict) then undo(); return answer('error', i, '', 0, text(verdict)) end
    elseif verdict then
      if verdict == 'refused' then undo() end
      return answer(verdict, i, state, milliseconds, '')
    end
    i = i + 1
  end
end
return answer('entered', 0, '', 0, '')
`

// redisLeave hands every entry its part, the last one first, and returns an
// outcome per entry, with the text behind "error " where there was one. The
// part 'void' marks the run as given up before it gives back.
const redisLeave = `
entriesFrom(2)
local function part(e)
  local name, a, k = ARGV[arg[e] + 2], arg[e], key[e]
  local marked, err = true, nil
  if name == 'void' then
    -- Even where a full server refuses the mark, giving back frees memory.
    marked, err = pcall(redis.call, 'SET', KEYS[k + keyCount[kind[e]] - 1], token, 'PX', ARGV[a + 1])
  end
  local outcome = hand[kind[e]](k, a, name)
  if not marked then error(err) end
  return outcome
end
local outcomes = {}
for e = count, 1, -1 do
  local ok, outcome = pcall(part, e)
  outcomes[e] = ok and outcome or 'error ' .. text(outcome)
end
return outcomes
`

// redisExtend lets every entry that token holds live for its lifetime from
// now on, and returns an outcome per entry as redisLeave does.
const redisExtend = `
entriesFrom(2)
local outcomes = {}
for e = 1, count do
  local ok, outcome = pcall(extend[kind[e]], key[e], arg[e])
  outcomes[e] = ok and outcome or 'error ' .. text(outcome)
end
return outcomes
`
