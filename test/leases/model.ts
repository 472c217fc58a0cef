import type { Answered, Asked, Call, Worker } from './history.ts'

export const USUAL_MS = 30 * 60_000

interface Lease extends Worker {
  id: string
  ttl: number
  expires: number
  /** Later than `expires` if a real clock moved during the renewal, until a response has the end. */
  latest: number
  ended: boolean
}

/** The clock time, or the interval in which a real clock moved. */
type Now = readonly [from: number, to: number]

/** One task under the lease rules, without database and concurrency. */
export interface State {
  /** The newest lease, also after it expired or ended. */
  lease: Lease | null
  fence: number
  value: string
  done: boolean
}

export const fresh = (value: string): State => ({ lease: null, fence: 0, value, done: false })

/**
 * Every state that the task may have if the call took effect now with this response. Empty if a
 * server with these rules would have responded differently.
 */
export function after(state: State, call: Call): State[] {
  const found = new Map<string, State>()
  for (const now of moments(state, call))
    for (const live of living(state, now, call)) {
      const next = step(state, live, call, now)
      if (next) found.set(JSON.stringify(next), next)
    }
  return [...found.values()]
}

/**
 * The lease that the call may find. If the lease expires during a slow call, the call may have read
 * the clock before and still find that another call has removed the lease.
 */
function living({ lease }: State, [now]: Now, { times }: Call): Live[] {
  if (!lease || lease.ended || lease.latest <= now) return [null]
  return times.some((time) => time >= lease.latest) ? [lease, null] : [lease]
}

/** A response with the expiry of a new term determines the moment; any other leaves it open. */
function moments(state: State, { asked, answered, times, flows }: Call): Now[] {
  const [first, last] = [Math.min(...times), Math.max(...times)]
  if (answered.says !== 'leased') return flows ? [[first, last]] : times.map((now) => [now, now])
  const now = answered.expires - termOf(state, asked, answered)
  return now >= first && now <= last ? [[now, now]] : []
}

/** A renewal without a ttl keeps the ttl of the lease. */
function termOf({ lease }: State, asked: Asked, { lease: id }: { lease: string }): number {
  if ('ttl' in asked && asked.ttl !== undefined) return asked.ttl
  return lease?.id === id ? lease.ttl : USUAL_MS
}

function step(state: State, live: Live, call: Call, now: Now): State | undefined {
  const { asked, answered } = call
  switch (asked.kind) {
    case 'claim':
      return claim(state, live, asked, answered, now)
    case 'next':
      return next(state, live, asked, answered, now)
    case 'heartbeat':
      return heartbeat(state, live, asked, answered, now)
    case 'release':
      return release(state, live, asked, answered)
    case 'write':
      return guarded(state, live, asked, answered, (own) => ({
        ...renewed(state, own, asked.actor, now),
        value: asked.value,
      }))
    case 'finish':
      return guarded(state, live, asked, answered, () => ({ ...ended(state), done: true }))
    case 'note':
      return answered.says === 'accepted' ? renewed(state, live, asked.actor, now) : undefined
    case 'reopen':
      return answered.says === 'accepted' ? { ...state, done: false } : undefined
    case 'read':
      return answered.says === 'value' &&
        answered.value === state.value &&
        answered.done === state.done
        ? state
        : undefined
    case 'look':
      return seen(state, live, answered)
  }
}

const ended = (state: State): State => ({
  ...state,
  lease: state.lease && { ...state.lease, ended: true },
})

/** Any write of the holding actor renews the lease, whatever its owner_id. */
const renewed = (state: State, live: Live, actor: string, [from, to]: Now): State =>
  live?.actor === actor
    ? { ...state, lease: { ...live, expires: from + live.ttl, latest: to + live.ttl } }
    : state

/** A response with the expiry of a valid lease must fit it, and fixes the expiry from then on. */
const ends = (state: State, live: Lease, expires: number): State | undefined =>
  expires >= live.expires && expires <= live.latest
    ? { ...state, lease: { ...live, expires, latest: expires } }
    : undefined

type Claiming = Extract<Asked, { kind: 'claim' | 'next' }>
type Live = Lease | null

const isSame = (one: Worker, other: Worker) =>
  one.actor === other.actor && one.owner === other.owner

function claim(state: State, live: Live, asked: Claiming, answered: Answered, now: Now) {
  if (state.done) return answered.says === 'closed' ? state : undefined
  if (live && !isSame(live, asked))
    return answered.says === 'held' ? ends(state, live, answered.expires) : undefined
  if (answered.says !== 'leased') return undefined
  const { lease: id, fence, expires } = answered
  const isRenewed = live !== null && live.id === id && state.fence === fence
  const isNew = live === null && fence > state.fence
  if (!isRenewed && !isNew) return undefined
  const { actor, owner } = asked
  const ttl = expires - now[0]
  const lease = { id, actor, owner, ttl, expires, latest: expires, ended: false }
  return { ...state, fence, lease }
}

/** `next` returns nothing only if the task is closed or leased. */
function next(state: State, live: Live, asked: Claiming, answered: Answered, now: Now) {
  if (answered.says === 'nothing') return state.done || live ? state : undefined
  return state.done || live ? undefined : claim(state, live, asked, answered, now)
}

type Naming<Kind> = Extract<Asked, { kind: Kind }>

function heartbeat(
  state: State,
  live: Live,
  { actor, lease }: Naming<'heartbeat'>,
  answered: Answered,
  now: Now,
): State | undefined {
  if (!live || live.id !== lease || live.actor !== actor)
    return answered.says === 'stale' ? state : undefined
  if (answered.says !== 'leased' || answered.lease !== lease) return undefined
  if (answered.fence !== state.fence) return undefined
  const { expires } = answered
  return { ...state, lease: { ...live, ttl: expires - now[0], expires, latest: expires } }
}

/** Releasing again changes nothing, until there is a newer lease. */
function release(
  state: State,
  live: Live,
  { actor, lease: id }: Naming<'release'>,
  answered: Answered,
): State | undefined {
  if (state.lease?.id !== id || state.lease.actor !== actor)
    return answered.says === 'stale' ? state : undefined
  if (answered.says !== 'released') return undefined
  return live ? ended(state) : state
}

/** A person needs no lease, and their writes do not renew the lease of the holder. */
export const PERSON = 'person'

function guarded(
  state: State,
  live: Live,
  { actor, lease }: Naming<'write' | 'finish'>,
  answered: Answered,
  accepted: (own: Live) => State,
): State | undefined {
  const { says } = answered
  if (actor === PERSON) return says === 'accepted' ? accepted(null) : undefined
  if (live && live.actor !== actor)
    return says === 'held' ? ends(state, live, answered.expires) : undefined
  if (!live) return says === 'missing' ? state : undefined
  if (lease !== undefined && lease !== live.id) return says === 'stale' ? state : undefined
  return says === 'accepted' ? accepted(live) : undefined
}

function seen(state: State, live: Live, answered: Answered): State | undefined {
  if (answered.says !== 'lease') return undefined
  const { holder, expires } = answered
  if (!holder || !live) return holder === live ? state : undefined
  return isSame(holder, live) && expires !== undefined ? ends(state, live, expires) : undefined
}
