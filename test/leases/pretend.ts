import type { Answered, Asked } from './history.ts'
import type { Desk } from './schedule.ts'

/** Faults that a server with leases could have. */
export const FAULTS = [
  'expiry is forgotten by claims',
  'expiry is forgotten by heartbeats',
  'expiry is forgotten by writes',
  'fencing tokens do not grow',
  'two claims at once both succeed',
  'a claim gives a second holder what is held',
  'a write lands after the lease has gone to another',
  'an older lease is accepted for the newer one',
  'a write does not renew',
  'a release ends what another has claimed since',
  'a finished task keeps its lease',
  'next gives what is held',
  'next overlooks what is free',
  'owner ids are not told apart',
] as const
export type Flaw = (typeof FAULTS)[number]

interface Kept {
  actor: string
  owner: string | null
  lease: string
  ttl: number
  expires: number
  ended: boolean
}

/**
 * Simulates a server with one task in memory, with a fault if one is named. It is separate from the
 * model, so that the two can disagree.
 */
export class Pretended implements Desk {
  readonly tasks = [{ task: 'T-1', value: 'text 0' }]
  readonly agents = ['anna', 'bert', 'carl']
  private clock = 0
  private kept: Kept | undefined
  private fence = 0
  private ids = 0
  private value = 'text 0'
  private done = false

  constructor(private readonly flaw?: Flaw) {}

  now = () => this.clock
  pass = (ms: number) => {
    this.clock += ms
  }
  turn = () => Promise.resolve()

  async perform(asked: Asked, task: string) {
    await this.turn()
    const answered = await this.act(asked)
    await this.turn()
    return { task: answered.says === 'nothing' ? undefined : task, answered }
  }

  private async act(asked: Asked): Promise<Answered> {
    switch (asked.kind) {
      case 'claim':
        return this.claim(asked)
      case 'next':
        return this.next(asked)
      case 'heartbeat':
        return this.heartbeat(asked)
      case 'release':
        return this.release(asked)
      case 'write':
      case 'finish':
        return this.write(asked)
      case 'note':
        this.renew(asked.actor)
        return { says: 'accepted' }
      case 'reopen':
        this.done = false
        return { says: 'accepted' }
      case 'read':
        return { says: 'value', value: this.value, done: this.done }
      case 'look':
        return this.look()
    }
  }

  private has = (flaw: Flaw) => this.flaw === flaw

  private live(unless?: Flaw): Kept | undefined {
    const { kept } = this
    if (!kept || kept.ended) return undefined
    return kept.expires > this.clock || (unless && this.has(unless)) ? kept : undefined
  }

  private async claim(asked: Extract<Asked, { kind: 'claim' | 'next' }>): Promise<Answered> {
    const { actor, owner } = asked
    if (this.done) return { says: 'closed' }
    const live = this.live('expiry is forgotten by claims')
    if (this.has('two claims at once both succeed')) await this.turn()
    const isOwn =
      live?.actor === actor && (live.owner === owner || this.has('owner ids are not told apart'))
    if (live && isOwn) {
      live.ttl = asked.ttl ?? live.ttl
      return this.leased(live)
    }
    if (live && !this.has('a claim gives a second holder what is held'))
      return { says: 'held', expires: live.expires }
    if (!this.has('fencing tokens do not grow') || !this.fence) this.fence++
    const lease = `lease ${++this.ids}`
    this.kept = { actor, owner, lease, ttl: asked.ttl ?? 1_800_000, expires: 0, ended: false }
    return this.leased(this.kept)
  }

  private leased(kept: Kept): Answered {
    kept.expires = this.clock + kept.ttl
    return { says: 'leased', lease: kept.lease, fence: this.fence, expires: kept.expires }
  }

  private async next(asked: Extract<Asked, { kind: 'claim' | 'next' }>): Promise<Answered> {
    const isTaken = this.live() && !this.has('next gives what is held')
    const isOverlooked = this.has('next overlooks what is free') && this.kept && !this.kept.ended
    return this.done || isTaken || isOverlooked ? { says: 'nothing' } : this.claim(asked)
  }

  private heartbeat(asked: Extract<Asked, { kind: 'heartbeat' }>): Answered {
    const live = this.live('expiry is forgotten by heartbeats')
    if (!live || live.lease !== asked.lease || live.actor !== asked.actor) return { says: 'stale' }
    live.ttl = asked.ttl ?? live.ttl
    return this.leased(live)
  }

  private release({ actor, lease }: Extract<Asked, { kind: 'release' }>): Answered {
    const { kept } = this
    const isAny = this.has('a release ends what another has claimed since')
    if (!kept || ((kept.lease !== lease || kept.actor !== actor) && !isAny))
      return { says: 'stale' }
    kept.ended = true
    return { says: 'released' }
  }

  private async write(asked: Extract<Asked, { kind: 'write' | 'finish' }>): Promise<Answered> {
    const refused = asked.actor === 'person' ? undefined : this.refused(asked)
    if (refused) return refused
    if (this.has('a write lands after the lease has gone to another'))
      for (let turns = 0; turns < 9; turns++) await this.turn()
    if (asked.kind === 'write') {
      this.value = asked.value
      if (!this.has('a write does not renew')) this.renew(asked.actor)
    } else {
      this.done = true
      if (this.kept && !this.has('a finished task keeps its lease')) this.kept.ended = true
    }
    return { says: 'accepted' }
  }

  private refused({ actor, lease }: Extract<Asked, { kind: 'write' | 'finish' }>) {
    const live = this.live('expiry is forgotten by writes')
    if (!live) return { says: 'missing' } as const
    if (live.actor !== actor) return { says: 'held', expires: live.expires } as const
    if (lease === undefined || lease === live.lease) return undefined
    if (this.has('an older lease is accepted for the newer one')) return undefined
    return { says: 'stale' } as const
  }

  private renew(actor: string) {
    const live = this.live()
    if (live?.actor === actor) live.expires = this.clock + live.ttl
  }

  private look(): Answered {
    const live = this.live()
    if (!live) return { says: 'lease', holder: null }
    const { actor, owner, expires } = live
    return { says: 'lease', holder: { actor, owner }, expires }
  }
}
