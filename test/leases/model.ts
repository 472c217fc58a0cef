import type { Call, LeaseRequest, LeaseResponse, Worker } from './history.ts'

export const DEFAULT_TTL_MS = 30 * 60_000

interface Lease extends Worker {
  id: string
  ttl: number
  expires: number
  /** Later than `expires` if a real clock moved during the renewal, until a response has the end. */
  latest: number
  hasEnded: boolean
}

/** A clock time, or the interval during which a real clock moved. */
type Now = readonly [from: number, to: number]

/** One task under the lease rules, without database and concurrency. */
export interface State {
  /** The newest lease, also after it expired or ended. */
  lease: Lease | null
  fence: number
  value: string
  isDone: boolean
}

export const initialState = (value: string): State => ({
  lease: null,
  fence: 0,
  value,
  isDone: false,
})

/**
 * Every state that the task may have if the call took effect now with this response. Empty if a
 * server with these rules would have responded differently.
 */
export function nextStates(state: State, call: Call): State[] {
  const states = new Map<string, State>()
  for (const now of possibleTimes(state, call))
    for (const live of possibleLeases(state, now, call)) {
      const next = step(state, live, call, now)
      if (next) states.set(JSON.stringify(next), next)
    }
  return [...states.values()]
}

/**
 * The lease that the call may find. If the lease expires during a slow call, the call may have read
 * the clock before and still find that another call has removed the lease.
 */
function possibleLeases({ lease }: State, [now]: Now, { times }: Call): Live[] {
  if (!lease || lease.hasEnded || lease.latest <= now) return [null]
  return times.some((time) => time >= lease.latest) ? [lease, null] : [lease]
}

/** A response with the expiry of a new term determines the moment; any other leaves it open. */
function possibleTimes(state: State, { request, response, times, isRealTime }: Call): Now[] {
  const [first, last] = [Math.min(...times), Math.max(...times)]
  if (response.outcome !== 'leased')
    return isRealTime ? [[first, last]] : times.map((now) => [now, now])
  const now = response.expires - ttlOf(state, request, response)
  return now >= first && now <= last ? [[now, now]] : []
}

/** A renewal without a ttl keeps the ttl of the lease. */
function ttlOf({ lease }: State, request: LeaseRequest, { lease: id }: { lease: string }): number {
  if ('ttl' in request && request.ttl !== undefined) return request.ttl
  return lease?.id === id ? lease.ttl : DEFAULT_TTL_MS
}

function step(state: State, live: Live, call: Call, now: Now): State | undefined {
  const { request, response } = call
  switch (request.kind) {
    case 'claim':
      return claim(state, live, request, response, now)
    case 'next':
      return next(state, live, request, response, now)
    case 'heartbeat':
      return heartbeat(state, live, request, response, now)
    case 'release':
      return release(state, live, request, response)
    case 'write':
      return guardedWrite(state, live, request, response, (lease) => ({
        ...renewLease(state, lease, request.actor, now),
        value: request.value,
      }))
    case 'finish':
      return guardedWrite(state, live, request, response, () => ({
        ...endLease(state),
        isDone: true,
      }))
    case 'hand over':
      return guardedWrite(state, live, request, response, () => endLease(state))
    case 'note':
      return response.outcome === 'accepted'
        ? renewLease(state, live, request.actor, now)
        : undefined
    case 'reopen':
      return response.outcome === 'accepted' ? { ...state, isDone: false } : undefined
    case 'read':
      return response.outcome === 'value' &&
        response.value === state.value &&
        response.done === state.isDone
        ? state
        : undefined
    case 'look':
      return observe(state, live, response)
  }
}

const endLease = (state: State): State => ({
  ...state,
  lease: state.lease && { ...state.lease, hasEnded: true },
})

/** Any write of the holding actor renews the lease, whatever its owner_id. */
const renewLease = (state: State, live: Live, actor: string, [from, to]: Now): State =>
  live?.actor === actor
    ? { ...state, lease: { ...live, expires: from + live.ttl, latest: to + live.ttl } }
    : state

/** A response with the expiry of a valid lease must fit it, and fixes the expiry from then on. */
const fixExpiry = (state: State, live: Lease, expires: number): State | undefined =>
  expires >= live.expires && expires <= live.latest
    ? { ...state, lease: { ...live, expires, latest: expires } }
    : undefined

type ClaimRequest = Extract<LeaseRequest, { kind: 'claim' | 'next' }>
type Live = Lease | null

const isSame = (one: Worker, other: Worker) =>
  one.actor === other.actor && one.owner === other.owner

function claim(state: State, live: Live, request: ClaimRequest, response: LeaseResponse, now: Now) {
  if (state.isDone) return response.outcome === 'closed' ? state : undefined
  if (live && !isSame(live, request))
    return response.outcome === 'held' ? fixExpiry(state, live, response.expires) : undefined
  if (response.outcome !== 'leased') return undefined
  const { lease: id, fence, expires } = response
  const isRenewed = live !== null && live.id === id && state.fence === fence
  const isNew = live === null && fence > state.fence
  if (!isRenewed && !isNew) return undefined
  const { actor, owner } = request
  const ttl = expires - now[0]
  const lease = { id, actor, owner, ttl, expires, latest: expires, hasEnded: false }
  return { ...state, fence, lease }
}

/** `next` returns nothing only if the task is closed or leased. */
function next(state: State, live: Live, request: ClaimRequest, response: LeaseResponse, now: Now) {
  if (response.outcome === 'nothing') return state.isDone || live ? state : undefined
  return state.isDone || live ? undefined : claim(state, live, request, response, now)
}

type RequestOf<Kind> = Extract<LeaseRequest, { kind: Kind }>

function heartbeat(
  state: State,
  live: Live,
  { actor, lease }: RequestOf<'heartbeat'>,
  response: LeaseResponse,
  now: Now,
): State | undefined {
  if (!live || live.id !== lease || live.actor !== actor)
    return response.outcome === 'stale' ? state : undefined
  if (response.outcome !== 'leased' || response.lease !== lease) return undefined
  if (response.fence !== state.fence) return undefined
  const { expires } = response
  return { ...state, lease: { ...live, ttl: expires - now[0], expires, latest: expires } }
}

/** Releasing again changes nothing, until there is a newer lease. */
function release(
  state: State,
  live: Live,
  { actor, lease: id }: RequestOf<'release'>,
  response: LeaseResponse,
): State | undefined {
  if (state.lease?.id !== id || state.lease.actor !== actor)
    return response.outcome === 'stale' ? state : undefined
  if (response.outcome !== 'released') return undefined
  return live ? endLease(state) : state
}

/** A person needs no lease, and their writes do not renew the lease of the holder. */
export const PERSON = 'person'

function guardedWrite(
  state: State,
  live: Live,
  { actor, lease }: RequestOf<'write' | 'finish' | 'hand over'>,
  response: LeaseResponse,
  nextState: (own: Live) => State,
): State | undefined {
  const { outcome } = response
  if (actor === PERSON) return outcome === 'accepted' ? nextState(null) : undefined
  if (live && live.actor !== actor)
    return outcome === 'held' ? fixExpiry(state, live, response.expires) : undefined
  if (!live) return outcome === 'missing' ? state : undefined
  if (lease !== undefined && lease !== live.id) return outcome === 'stale' ? state : undefined
  return outcome === 'accepted' ? nextState(live) : undefined
}

function observe(state: State, live: Live, response: LeaseResponse): State | undefined {
  if (response.outcome !== 'lease') return undefined
  const { holder, expires } = response
  if (!holder || !live) return holder === live ? state : undefined
  return isSame(holder, live) && expires !== undefined ? fixExpiry(state, live, expires) : undefined
}
