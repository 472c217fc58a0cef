import type { Context } from '../../../../kernel/caller.ts'
import { digest } from '../../../../kernel/dispatch.ts'
import { fault } from '../../../../kernel/fault.ts'
import { DEFAULT_ROWS, decodeCursor, encodeCursor, type PageInfo } from '../../../../kernel/list.ts'
import { type LoggedChange, lastSeq } from '../../../../store/log.ts'
import { refreshCaller } from '../../../identity/callers/model/index.ts'
import { type Message, messagesOf } from './format.ts'
import { advanceFrom, gather } from './gather.ts'
import { MAX_SPAN, Reader } from './log.ts'
import {
  findPosition,
  initialPosition,
  insertPosition,
  type Position,
  type Recipient,
  recipientFor,
} from './positions.ts'
import { goesToWebhook } from './rules.ts'
import { tailOf } from './tail.ts'

/** The number of reads in one call. After a long absence the rest follows with the next call. */
const MAX_LOOKS = 50
/** The number of changes that may be read again at each call before the position advances. */
const MAX_LAG = 1000
/** A waiting call notices messages that reach polling without the log within this time. */
const FULL_CHECK_MS = 5000

export interface ListRequest {
  cursor?: string
  limit?: number
}

/** The caller as a recipient; throws for a person. */
export function requireRecipient({ caller }: Pick<Context, 'caller'>): Recipient {
  const recipient = recipientFor(caller)
  if (recipient) return recipient
  throw fault.forbidden(
    'Only agents have messages',
    'Use an agent token. People read their inbox: GET /api/v1/notifications',
  )
}

/** The messages that the agent has not acknowledged, oldest first. */
export async function unacknowledged(ctx: Context, request: ListRequest) {
  const { cursor, limit = DEFAULT_ROWS } = request
  const recipient = requireRecipient(ctx)
  const start = parseCursor(cursor, recipient)
  const previous = waiting.get(request)
  if (previous && (await hasNothingNew(ctx, recipient, previous)))
    return pageOf([], start, limit, undefined)
  const caller = previous ? await refreshCaller(ctx.tx, ctx.caller, ctx.now) : ctx.caller
  const position = await currentPosition(ctx, recipient)
  const newestSeq = await lastSeq(ctx.tx)
  const tail = tailOf(ctx.server)
  if (newestSeq > position.seq) await tail.reach(ctx.tx, newestSeq)
  const reader = new Reader(ctx.tx, caller, recipient, tail)
  const range = {
    after: start.after,
    newestSeq,
    max: limit + 1,
    read: previous?.read ?? 0,
  }
  const { found, passed, upTo } = await readMessages(reader, position, range)
  const rows = found.slice(0, limit)
  const isCut = found.length > limit
  const next = isCut ? rows.at(-1)!.seq : upTo < newestSeq ? upTo : undefined
  if (!rows.length && next === undefined) rememberWait(request, upTo, passed.length === 0)
  const firstPosition = passed[0]?.seq ?? upTo + 1
  advanceLater(ctx, position, {
    after: start.after,
    passed,
    seq: isCut ? firstPosition - 1 : upTo,
  })
  return pageOf(await messagesOf(ctx.tx, recipient.actor_id, rows), start, limit, next)
}

/** Stores the initial position, so that the next call starts at the same one. */
async function currentPosition(
  { tx, afterRead: runLater }: Context,
  recipient: Recipient,
): Promise<Position> {
  const position = await findPosition(tx, recipient)
  if (position) return position
  const firstPosition = await initialPosition(tx, recipient)
  runLater(async (tx) => void (await insertPosition(tx, firstPosition)))
  return firstPosition
}

interface ReadRange {
  after: number
  newestSeq: number
  max: number
  /** How far the log was read before without a result. */
  read: number
}

async function readMessages(
  reader: Reader,
  position: Position,
  { after, newestSeq, max, read }: ReadRange,
) {
  const found: LoggedChange[] = []
  const passed: LoggedChange[] = []
  let upTo = after
  while (found.length < max && upTo < position.seq) {
    const stored = await reader.left(upTo, position.seq)
    found.push(...stored.found)
    upTo = stored.upTo
  }
  if (found.length < max) upTo = Math.max(upTo, position.seq, read)
  for (let reads = 0; reads < MAX_LOOKS && found.length < max && upTo < newestSeq; reads++) {
    // Lets other requests run between two reads.
    if (reads) await new Promise((next) => setImmediate(next))
    const batch = await reader.log(upTo, Math.min(upTo + MAX_SPAN, newestSeq))
    passed.push(...batch.found)
    found.push(...batch.found.filter((change) => !goesToWebhook(position, change)))
    upTo = batch.upTo
  }
  return { found, passed, upTo }
}

interface SkipRange {
  after: number
  /** The messages in the log after the position, as far as it was read. */
  passed: readonly LoggedChange[]
  seq: number
}

/** Advances the position past what the cursor skipped, or past what every call would read again. */
function advanceLater(ctx: Context, position: Position, { after, passed, seq }: SkipRange): void {
  const { caller, now, afterRead: runLater } = ctx
  if (after > position.seq)
    runLater(async (tx) => void (await gather(tx, caller, { now, upTo: after })))
  else if (seq - position.seq >= MAX_LAG)
    runLater((tx) =>
      advanceFrom(tx, position, { seq, now, passed: passed.filter((change) => change.seq <= seq) }),
    )
}

interface ListCursor {
  requestDigest: string
  after: number
  /** The number of items on earlier pages. */
  rowsBefore: number
}

function parseCursor(cursor: string | undefined, { actor_id }: Recipient): ListCursor {
  const requestDigest = digest('messages', actor_id).slice(0, 12)
  if (cursor === undefined) return { requestDigest, after: 0, rowsBefore: 0 }
  const { value, rowsBefore } = decodeCursor(cursor, requestDigest)
  if (!Number.isSafeInteger(value))
    throw fault.invalid(
      'cursor',
      'invalid_format',
      'cursor must be the next_cursor of a list',
      cursor,
    )
  return { requestDigest, after: value as number, rowsBefore }
}

/** The total is not counted: with more pages it is only a lower bound. */
function pageOf(items: Message[], start: ListCursor, limit: number, next: number | undefined) {
  const { requestDigest, rowsBefore } = start
  const total = rowsBefore + items.length
  const hasMore = next !== undefined
  const page: PageInfo = {
    total: hasMore ? null : total,
    ...(hasMore && { total_at_least: total }),
    limit,
    offset: rowsBefore,
    next_cursor: hasMore
      ? encodeCursor({ digest: requestDigest, value: next, id: 0, rowsBefore: total })
      : null,
    has_more: hasMore,
  }
  return { items, page }
}

interface WaitState {
  upTo: number
  /** How far the log contained nothing, neither for polling nor for the webhook. */
  read: number
  since: number
}

/** A long poll calls again with the same input object. */
const waiting = new WeakMap<ListRequest, WaitState>()

function rememberWait(request: ListRequest, upTo: number, isEmpty: boolean): void {
  waiting.set(request, { upTo, read: isEmpty ? upTo : 0, since: performance.now() })
}

async function hasNothingNew(
  { server, tx }: Context,
  { team_id }: Recipient,
  { upTo, since }: WaitState,
) {
  if (performance.now() - since > FULL_CHECK_MS) return false
  return (await tailOf(server).newestOf(tx, team_id)) <= upTo
}
