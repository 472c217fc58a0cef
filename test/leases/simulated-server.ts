import type { LeaseRequest, LeaseResponse } from './history.ts'
import type { LeaseServer } from './schedule.ts'

/** Faults that a server with leases could have. */
export const FLAWS = [
  'claims ignore the expiry',
  'heartbeats ignore the expiry',
  'writes ignore the expiry',
  'fencing tokens do not grow',
  'two concurrent claims both succeed',
  'a claim succeeds on a task that another agent holds',
  'a write takes effect after another agent has claimed the task',
  'an old lease is accepted in place of the newer one',
  'a write does not renew the lease',
  'a release ends the newer lease of another agent',
  'a completed task keeps its lease',
  'a task that was handed over keeps its lease',
  'next returns a held task',
  'next skips a free task',
  'different owner_ids share a lease',
] as const
export type Flaw = (typeof FLAWS)[number]

interface StoredLease {
  actor: string
  owner: string | null
  lease: string
  ttl: number
  expires: number
  hasEnded: boolean
}

/**
 * Simulates a server with one task in memory, with a fault if one is named. It is separate from the
 * model, so that the two can disagree.
 */
export class SimulatedServer implements LeaseServer {
  readonly tasks = [{ task: 'T-1', value: 'text 0' }]
  readonly agents = ['anna', 'bert', 'carl']
  private clock = 0
  private storedLease: StoredLease | undefined
  private fence = 0
  private ids = 0
  private value = 'text 0'
  private done = false

  constructor(private readonly flaw?: Flaw) {}

  now = () => this.clock
  advance = (ms: number) => {
    this.clock += ms
  }
  yieldToOthers = () => Promise.resolve()

  async perform(request: LeaseRequest, task: string) {
    await this.yieldToOthers()
    const response = await this.act(request)
    await this.yieldToOthers()
    return { task: response.outcome === 'nothing' ? undefined : task, response }
  }

  private async act(request: LeaseRequest): Promise<LeaseResponse> {
    switch (request.kind) {
      case 'claim':
        return this.claim(request)
      case 'next':
        return this.next(request)
      case 'heartbeat':
        return this.heartbeat(request)
      case 'release':
        return this.release(request)
      case 'write':
      case 'finish':
      case 'hand over':
        return this.write(request)
      case 'note':
        this.renew(request.actor)
        return { outcome: 'accepted' }
      case 'reopen':
        this.done = false
        return { outcome: 'accepted' }
      case 'read':
        return { outcome: 'value', value: this.value, done: this.done }
      case 'look':
        return this.readLease()
    }
  }

  private hasFlaw = (flaw: Flaw) => this.flaw === flaw

  private liveLease(unless?: Flaw): StoredLease | undefined {
    const { storedLease } = this
    if (!storedLease || storedLease.hasEnded) return undefined
    return storedLease.expires > this.clock || (unless && this.hasFlaw(unless))
      ? storedLease
      : undefined
  }

  private async claim(
    request: Extract<LeaseRequest, { kind: 'claim' | 'next' }>,
  ): Promise<LeaseResponse> {
    const { actor, owner } = request
    if (this.done) return { outcome: 'closed' }
    const live = this.liveLease('claims ignore the expiry')
    if (this.hasFlaw('two concurrent claims both succeed')) await this.yieldToOthers()
    const isOwn =
      live?.actor === actor &&
      (live.owner === owner || this.hasFlaw('different owner_ids share a lease'))
    if (live && isOwn) {
      live.ttl = request.ttl ?? live.ttl
      return this.renewTerm(live)
    }
    if (live && !this.hasFlaw('a claim succeeds on a task that another agent holds'))
      return { outcome: 'held', expires: live.expires }
    if (!this.hasFlaw('fencing tokens do not grow') || !this.fence) this.fence++
    const lease = `lease ${++this.ids}`
    this.storedLease = {
      actor,
      owner,
      lease,
      ttl: request.ttl ?? 1_800_000,
      expires: 0,
      hasEnded: false,
    }
    return this.renewTerm(this.storedLease)
  }

  private renewTerm(stored: StoredLease): LeaseResponse {
    stored.expires = this.clock + stored.ttl
    return { outcome: 'leased', lease: stored.lease, fence: this.fence, expires: stored.expires }
  }

  private async next(
    request: Extract<LeaseRequest, { kind: 'claim' | 'next' }>,
  ): Promise<LeaseResponse> {
    const isTaken = this.liveLease() && !this.hasFlaw('next returns a held task')
    const isOverlooked =
      this.hasFlaw('next skips a free task') && this.storedLease && !this.storedLease.hasEnded
    return this.done || isTaken || isOverlooked ? { outcome: 'nothing' } : this.claim(request)
  }

  private heartbeat(request: Extract<LeaseRequest, { kind: 'heartbeat' }>): LeaseResponse {
    const live = this.liveLease('heartbeats ignore the expiry')
    if (!live || live.lease !== request.lease || live.actor !== request.actor)
      return { outcome: 'stale' }
    live.ttl = request.ttl ?? live.ttl
    return this.renewTerm(live)
  }

  private release({ actor, lease }: Extract<LeaseRequest, { kind: 'release' }>): LeaseResponse {
    const { storedLease } = this
    const ignoresHolder = this.hasFlaw('a release ends the newer lease of another agent')
    if (
      !storedLease ||
      ((storedLease.lease !== lease || storedLease.actor !== actor) && !ignoresHolder)
    )
      return { outcome: 'stale' }
    storedLease.hasEnded = true
    return { outcome: 'released' }
  }

  private async write(
    request: Extract<LeaseRequest, { kind: 'write' | 'finish' | 'hand over' }>,
  ): Promise<LeaseResponse> {
    const refusal = request.actor === 'person' ? undefined : this.refusalFor(request)
    if (refusal) return refusal
    if (this.hasFlaw('a write takes effect after another agent has claimed the task'))
      for (let turns = 0; turns < 9; turns++) await this.yieldToOthers()
    if (request.kind === 'write') {
      this.value = request.value
      if (!this.hasFlaw('a write does not renew the lease')) this.renew(request.actor)
    } else {
      if (request.kind === 'finish') this.done = true
      const keepsLease =
        request.kind === 'finish'
          ? this.hasFlaw('a completed task keeps its lease')
          : this.hasFlaw('a task that was handed over keeps its lease')
      if (this.storedLease && !keepsLease) this.storedLease.hasEnded = true
    }
    return { outcome: 'accepted' }
  }

  private refusalFor({
    actor,
    lease,
  }: Extract<LeaseRequest, { kind: 'write' | 'finish' | 'hand over' }>) {
    const live = this.liveLease('writes ignore the expiry')
    if (!live) return { outcome: 'missing' } as const
    if (live.actor !== actor) return { outcome: 'held', expires: live.expires } as const
    if (lease === undefined || lease === live.lease) return undefined
    if (this.hasFlaw('an old lease is accepted in place of the newer one')) return undefined
    return { outcome: 'stale' } as const
  }

  private renew(actor: string) {
    const live = this.liveLease()
    if (live?.actor === actor) live.expires = this.clock + live.ttl
  }

  private readLease(): LeaseResponse {
    const live = this.liveLease()
    if (!live) return { outcome: 'lease', holder: null }
    const { actor, owner, expires } = live
    return { outcome: 'lease', holder: { actor, owner }, expires }
  }
}
