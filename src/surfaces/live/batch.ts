import type { Told } from './source.ts'

/** What a listener wants of a batch. */
export interface Part {
  /** Only of this board. */
  project_id?: number
  /** Only what happened after this. */
  after: number
}

const encoder = new TextEncoder()

/**
 * Changes that are told together. Whether somebody hears of a change depends on its kind and place
 * alone, so that is asked once for all that share these; and whoever hears of the same changes is
 * sent the same bytes.
 */
export class Batch {
  readonly last: number
  /** One change of each kind and place. */
  private readonly kinds: Told[] = []
  /** For each change, which of `kinds` it is like. */
  private readonly like: number[] = []
  private readonly texts: string[] = []
  private readonly chunks = new Map<string, Uint8Array>()

  constructor(
    readonly changes: readonly Told[],
    private readonly from: number,
  ) {
    this.last = changes.at(-1)!.seq
    const known = new Map<string, number>()
    for (const change of changes) {
      const kind = kindOf(change)
      let number = known.get(kind)
      if (number === undefined) {
        number = this.kinds.push(change) - 1
        known.set(kind, number)
      }
      this.like.push(number)
    }
  }

  /** What of this somebody may hear, in a form that `chunk` understands. */
  async heardBy(hears: (change: Told) => boolean | Promise<boolean>): Promise<string> {
    let heard = ''
    for (const change of this.kinds) {
      const answer = hears(change)
      heard += (typeof answer === 'boolean' ? answer : await answer) ? 'y' : 'n'
    }
    return heard
  }

  /** What a stream is sent; nothing where it hears of nothing. */
  chunk(heard: string, { project_id, after }: Part): Uint8Array | undefined {
    // Whoever joined ahead of the others gets less of this one batch.
    if (after > this.from) return this.encoded(heard, project_id, after)
    const name = project_id === undefined ? heard : `${heard} ${project_id}`
    const before = this.chunks.get(name)
    if (before) return before.byteLength ? before : undefined
    const made = this.encoded(heard, project_id, after)
    this.chunks.set(name, made ?? NOTHING)
    return made
  }

  private encoded(heard: string, project_id: number | undefined, after: number) {
    let text = ''
    for (const [at, change] of this.changes.entries()) {
      if (change.seq <= after || heard[this.like[at]!] === 'n') continue
      if (project_id !== undefined && change.project_id !== project_id) continue
      this.texts[at] ??= framed(change)
      text += this.texts[at]
    }
    return text ? encoder.encode(text) : undefined
  }
}

const NOTHING = new Uint8Array()

/** What is of no team and no board is its maker's own; what a member becomes, also that one's. */
const kindOf = ({ type, team_id, project_id, actor_id, data }: Told) =>
  type.startsWith('chat.')
    ? `${type} of ${actor_id} to ${data.user_id} ${data.agent_id}`
    : team_id === null && project_id === null
      ? `${type} of ${actor_id}`
      : `${type} ${team_id} ${project_id} ${type.startsWith('member.') ? data.user_id : ''}`

function framed(change: Told): string {
  const { seq, type, created_at, project_id, actor, data } = change
  const told = { id: seq, type, created_at: created_at.toISOString(), project_id, actor, data }
  return `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify(told)}\n\n`
}
