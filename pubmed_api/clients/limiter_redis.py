"""The pace of calls to one upstream, kept in Redis for all hosts: what ``schedule`` says, as a Lua script.

Every moment in Redis is microseconds of Redis' own clock, and the script answers with waits, so the clocks of the
hosts do not matter.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from string import Template
from typing import TYPE_CHECKING, Any

from pubmed_api.clients.limiter import Slot
from pubmed_api.clients.schedule import GATE_FIRST, GATE_LONGEST, MARGIN, START_MARGIN, SlotTooLate, ring
from pubmed_api.clients.waiting import Clock

if TYPE_CHECKING:
    from redis import Redis

_MICRO = 1_000_000
# An upstream that nobody asks any more is forgotten after so long.
_KEPT_SECONDS = 60
# How long a Redis that came back is left alone, so that every process notices and all return to it at once, and
# how recent a use by others says that they have returned.
SETTLE_SECONDS, _IN_USE_SECONDS = 6, 2
_LONG_AGO = 1e6

# KEYS: the schedule, the moment of return. ARGV: what to do, slots, window, start window, how long ago this client
# last used the schedule, then what the deed needs. The names and rules are those of ``schedule.Schedule``.
_SCRIPT = Template("""
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local deed, n, window = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local start_window, unused = tonumber(ARGV[4]), tonumber(ARGV[5])
local kept, settle, in_use = $kept, $settle, $in_use

local function filled(moment)
  local list = {}
  for i = 1, n do list[i] = moment end
  return list
end

local function fitted(list)
  while #list > n do table.remove(list, 1) end
  while #list < n do table.insert(list, 1, 0) end
  return list
end

local raw = redis.call('GET', KEYS[1])
local s = raw and cmsgpack.unpack(raw)
-- Not there although it was used a moment ago, or of the future: nobody knows what was started.
local lost = s and s.written > now or not s and unused < kept
if not s or lost then
  local moment = lost and now or 0
  s = {slots = filled(moment), starts = filled(moment), gate = 0, closed = 0, strikes = 0, shift = 0, written = 0}
end
s.slots, s.starts = fitted(s.slots), fitted(s.starts)

local function keep(used)
  if used then s.written = now end
  local last = math.max(now, s.slots[n], s.gate)
  redis.call('SET', KEYS[1], cmsgpack.pack(s), 'PX', math.ceil((last - now + kept + window) / 1000))
end

-- (Who asks when to return has not returned: that use must not look like one.)
if lost and deed ~= 'settle' then keep(true) end

local function move(by)
  s.shift = s.shift + by
  for i = 1, n do
    if s.slots[i] > now then s.slots[i] = s.slots[i] + by end
  end
end

if deed == 'reserve' then
  local slot = math.max(now, s.gate, s.slots[1] + window, s.slots[n])
  if slot > now then slot = math.max(slot, s.slots[n] + math.floor(window / n)) end
  if slot - now <= tonumber(ARGV[6]) then
    table.remove(s.slots, 1)
    table.insert(s.slots, slot)
    keep(true)
  end
  return {slot - now, slot - s.shift}
elseif deed == 'start' then
  local due = math.min(tonumber(ARGV[6]) + s.shift, s.slots[n])
  local moment = math.max(due, s.gate, s.starts[1] + start_window)
  if moment > now then return {moment - now, 0} end
  if ARGV[7] == '1' or now - due > window then move(math.floor(window / n)) end
  table.remove(s.starts, 1)
  table.insert(s.starts, now)
  keep(true)
  return {0, now}
elseif deed == 'sent' then
  for i = 1, n do
    if s.starts[i] == tonumber(ARGV[6]) then
      table.remove(s.starts, i)
      table.insert(s.starts, now)
      keep(true)
      break
    end
  end
elseif deed == 'close' then
  if now - tonumber(ARGV[6]) > s.closed or s.strikes == 0 then
    s.strikes = s.strikes + 1
    s.closed = now
  end
  local pause = math.max($gate_first * 2 ^ math.min(s.strikes - 1, 10), tonumber(ARGV[7]))
  local gate = s.closed + math.min(pause, $gate_longest)
  if gate > math.max(now, s.gate) then move(gate - math.max(now, s.gate)) end
  s.gate = math.max(s.gate, gate)
  keep(true)
elseif deed == 'success' then
  if s.strikes ~= 0 then
    s.strikes = 0
    keep(true)
  end
elseif deed == 'left' then
  return {math.max(0, s.gate - now), 0}
elseif deed == 'settle' then
  if now - s.written < in_use then return {0, 0} end
  local moment = tonumber(redis.call('GET', KEYS[2]))
  if not moment then
    moment = now + settle
    redis.call('SET', KEYS[2], string.format('%.0f', moment), 'PX', 2 * settle / 1000)
    for i = 1, n do
      s.slots[i], s.starts[i] = math.max(s.slots[i], moment), math.max(s.starts[i], moment)
    end
    keep(false)
  end
  return {math.max(0, moment - now), 0}
end
return {0, 0}
""").substitute(
    kept=_KEPT_SECONDS * _MICRO,
    settle=SETTLE_SECONDS * _MICRO,
    in_use=_IN_USE_SECONDS * _MICRO,
    gate_first=int(GATE_FIRST * _MICRO),
    gate_longest=int(GATE_LONGEST * _MICRO),
)


class RedisLimiter:
    """The pace of all hosts; see ``Pace``. Every method raises ``redis.RedisError`` where Redis is away."""

    def __init__(self, redis: "Redis", name: str, rate: float, clock: Clock | None = None):
        self._script: Callable[..., Any] = redis.register_script(_SCRIPT)
        self._keys = [f"{{{name}}}", f"{{{name}}}:return"]
        self._n, self._window = ring(rate)
        self._clock = clock or Clock()
        self._used = -_LONG_AGO

    def reserve(self, max_wait: float) -> Slot:
        """See ``Pace``."""
        wait, ticket = self._do("reserve", max_wait * _MICRO)
        if wait > max_wait:
            raise SlotTooLate(wait)
        return Slot(self._clock.now() + wait, ticket, shared=True)

    def start(self, slot: Slot, max_wait: float) -> Slot:
        """See ``Pace``."""
        spent = slot.spent or slot.started is not None
        wait, started = self._do("start", slot.ticket, int(spent))
        if wait > max_wait:
            raise SlotTooLate(wait)
        return replace(slot, moment=self._clock.now() + wait, started=None if wait else started, spent=spent)

    def note_sent(self, slot: Slot) -> None:
        """See ``Pace``."""
        if slot.started is not None:
            self._do("sent", slot.started)

    def gate_left(self) -> float:
        """See ``Pace``."""
        return self._do("left")[0]

    def close_gate(self, started: float, retry_after: float | None = None) -> None:
        """See ``Pace``."""
        self._do("close", (self._clock.now() - started) * _MICRO, (retry_after or 0.0) * _MICRO)

    def note_success(self) -> None:
        """See ``Pace``."""
        self._do("success")

    def settle(self) -> float:
        """How many seconds to leave a Redis alone that is back from being away; 0 where others are at it already."""
        return self._do("settle")[0]

    @property
    def window(self) -> float:
        """For how long a burst counts, in seconds."""
        return self._window

    def _do(self, deed: str, *arguments: float) -> tuple[float, float]:
        """Seconds to wait, and a number that is of use to Redis alone."""
        unused = min(time.monotonic() - self._used, _LONG_AGO)
        measures = (self._window, self._window * (START_MARGIN / MARGIN), unused)
        numbers = (self._n, *(measure * _MICRO for measure in measures), *arguments)
        wait, number = self._script(keys=self._keys, args=[deed, *(int(number) for number in numbers)])
        if deed in ("reserve", "start"):
            self._used = time.monotonic()
        return max(0, wait) / _MICRO, float(number)
