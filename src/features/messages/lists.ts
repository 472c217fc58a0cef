import type { Context } from '../../kernel/caller.ts'
import { digest } from '../../kernel/dispatch.ts'
import { fault } from '../../kernel/fault.ts'
import { decodeCursor, encodeCursor, type PageInfo, ROWS } from '../../kernel/list.ts'
import { type Logged, lastSeq } from '../../store/log.ts'
import { callerAgain } from '../callers/index.ts'
import { gather, passFrom } from './gather.ts'
import { Reader, SPAN } from './log.ts'
import { firstPlace, keepPlace, listenerOf, type Place, placeOf, type Told } from './places.ts'
import { isWanted } from './rules.ts'
import { tailOf } from './tail.ts'
import { type Message, messagesOf } from './told.ts'

/** Who asks after a long absence reads as much at once, and the rest the next time. */
const MOST_LOOKS = 50
/** Changes that may be read again at each call before the place is taken past them. */
const LAG = 1000
/** What comes into polling otherwise than through the log is seen this late by who waits. */
const WHOLE_LOOK_MS = 5000

export interface Asked {
  cursor?: string
  limit?: number
}

/** Who is told, which only an agent is. */
export function listener({ caller }: Pick<Context, 'caller'>): Told {
  const told = listenerOf(caller)
  if (told) return told
  throw fault.forbidden(
    'Messages are for agents, and you are a person',
    'Call with the token of the agent; people read their inbox: GET /api/v1/notifications',
  )
}

/** What an agent has not acknowledged, in the order in which it happened. */
export async function unacknowledged(ctx: Context, asked: Asked) {
  const { cursor, limit = ROWS } = asked
  const told = listener(ctx)
  const mark = markIn(cursor, told)
  const waited = waits.get(asked)
  if (waited && (await isQuiet(ctx, told, waited))) return pageOf([], mark, limit, undefined)
  const caller = waited ? await callerAgain(ctx.tx, ctx.caller, ctx.now) : ctx.caller
  const place = await ownPlace(ctx, told)
  const newest = await lastSeq(ctx.tx)
  const tail = tailOf(ctx.server)
  if (newest > place.seq) await tail.reach(ctx.tx, newest)
  const reader = new Reader(ctx.tx, caller, told, tail)
  const walk = { after: mark.after, newest, most: limit + 1, read: waited?.read ?? 0 }
  const { found, passed, upTo } = await walked(reader, place, walk)
  const rows = found.slice(0, limit)
  const isCut = found.length > limit
  const next = isCut ? rows.at(-1)!.seq : upTo < newest ? upTo : undefined
  if (!rows.length && next === undefined) keepWaiting(asked, upTo, passed.length === 0)
  const first = passed[0]?.seq ?? upTo + 1
  takeOnward(ctx, place, { after: mark.after, passed, seq: isCut ? first - 1 : upTo })
  return pageOf(await messagesOf(ctx.tx, told.actor_id, rows), mark, limit, next)
}

/** What is read here once has to be the same the next time. */
async function ownPlace({ tx, later }: Context, told: Told): Promise<Place> {
  const place = await placeOf(tx, told)
  if (place) return place
  const first = await firstPlace(tx, told)
  later(async (tx) => void (await keepPlace(tx, first)))
  return first
}

interface Walk {
  after: number
  newest: number
  most: number
  /** As far as the log was read before, and held nothing. */
  read: number
}

async function walked(reader: Reader, place: Place, { after, newest, most, read }: Walk) {
  const found: Logged[] = []
  const passed: Logged[] = []
  let upTo = after
  while (found.length < most && upTo < place.seq) {
    const left = await reader.left(upTo, place.seq)
    found.push(...left.found)
    upTo = left.upTo
  }
  if (found.length < most) upTo = Math.max(upTo, place.seq, read)
  for (let looks = 0; looks < MOST_LOOKS && found.length < most && upTo < newest; looks++) {
    // Others have their turn between two looks.
    if (looks) await new Promise((next) => setImmediate(next))
    const some = await reader.log(upTo, Math.min(upTo + SPAN, newest))
    passed.push(...some.found)
    found.push(...some.found.filter((change) => !isWanted(place, change)))
    upTo = some.upTo
  }
  return { found, passed, upTo }
}

interface Onward {
  after: number
  /** What the log has to tell behind the place, as far as it was read. */
  passed: readonly Logged[]
  seq: number
}

/** Takes the place past what was skipped, and past what would be read again and again. */
function takeOnward(ctx: Context, place: Place, { after, passed, seq }: Onward): void {
  const { caller, now, later } = ctx
  if (after > place.seq) later(async (tx) => void (await gather(tx, caller, { now, upTo: after })))
  else if (seq - place.seq >= LAG)
    later((tx) => passFrom(tx, place, { seq, now, passed: passed.filter((one) => one.seq <= seq) }))
}

interface Mark {
  made: string
  after: number
  /** How many were given before. */
  seen: number
}

function markIn(cursor: string | undefined, { actor_id }: Told): Mark {
  const made = digest('messages', actor_id).slice(0, 12)
  if (cursor === undefined) return { made, after: 0, seen: 0 }
  const { value, seen } = decodeCursor(cursor, made)
  if (!Number.isSafeInteger(value))
    throw fault.invalid('cursor', 'invalid_format', 'cursor is not one that a list gave', cursor)
  return { made, after: value as number, seen }
}

/** Nobody counts a queue that is read from its beginning: of more than a page, only that. */
function pageOf(items: Message[], mark: Mark, limit: number, next: number | undefined) {
  const { made, seen } = mark
  const total = seen + items.length
  const more = next !== undefined
  const page: PageInfo = {
    total: more ? null : total,
    ...(more && { total_at_least: total }),
    ...{ limit, offset: seen },
    next_cursor: more ? encodeCursor({ digest: made, value: next, id: 0, seen: total }) : null,
    has_more: more,
  }
  return { items, page }
}

interface Waited {
  upTo: number
  /** As far as the log need not be read again: it held nothing, for a webhook neither. */
  read: number
  since: number
}

/** One call that waits asks again with the same input. */
const waits = new WeakMap<Asked, Waited>()

function keepWaiting(asked: Asked, upTo: number, isEmpty: boolean): void {
  waits.set(asked, { upTo, read: isEmpty ? upTo : 0, since: performance.now() })
}

async function isQuiet({ server, tx }: Context, { team_id }: Told, { upTo, since }: Waited) {
  if (performance.now() - since > WHOLE_LOOK_MS) return false
  return (await tailOf(server).newestOf(tx, team_id)) <= upTo
}
