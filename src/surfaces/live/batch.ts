import type { Signal } from '../../kernel/services.ts'
import type { LiveChange } from './source.ts'

/** Which changes of a batch a stream wants. */
export interface StreamFilter {
  /** Only changes of this board. */
  project_id?: number
  /** Only changes after this one. */
  after: number
  /** Also signals, which are in no change log: who is there, and texts being typed. */
  signals?: boolean
}

const encoder = new TextEncoder()

/**
 * Changes that are sent together. Access to a change depends only on its kind, board and team, so
 * it is checked once for all changes that share these. Streams with the same access get the same
 * bytes.
 */
export class Batch {
  readonly last: number
  /** One change of each kind, board and team. */
  private readonly kinds: LiveChange[] = []
  /** For each change, the index of its kind in `kinds`. */
  private readonly kindOfChange: number[] = []
  private readonly texts: string[] = []
  private readonly chunks = new Map<string, Uint8Array>()

  constructor(
    readonly changes: readonly LiveChange[],
    private readonly fromSeq: number,
  ) {
    this.last = changes.at(-1)!.seq
    const numbers = new Map<string, number>()
    for (const change of changes) {
      const kind = kindOf(change)
      let number = numbers.get(kind)
      if (number === undefined) {
        number = this.kinds.push(change) - 1
        numbers.set(kind, number)
      }
      this.kindOfChange.push(number)
    }
  }

  /** Checks each kind. The result has a letter for each, `y` or `n`, and is input of `chunk`. */
  async maskFor(canHear: (change: LiveChange) => boolean | Promise<boolean>): Promise<string> {
    let mask = ''
    for (const change of this.kinds) {
      const answer = canHear(change)
      mask += (typeof answer === 'boolean' ? answer : await answer) ? 'y' : 'n'
    }
    return mask
  }

  /** The bytes for a stream; undefined if there is nothing for it. */
  chunk(mask: string, { project_id, after }: StreamFilter): Uint8Array | undefined {
    // A stream that joined in the middle of this batch gets only the rest of it, uncached.
    if (after > this.fromSeq) return this.encode(mask, project_id, after)
    const key = project_id === undefined ? mask : `${mask} ${project_id}`
    const cached = this.chunks.get(key)
    if (cached) return cached.byteLength ? cached : undefined
    const chunk = this.encode(mask, project_id, after)
    this.chunks.set(key, chunk ?? EMPTY)
    return chunk
  }

  private encode(mask: string, project_id: number | undefined, after: number) {
    let text = ''
    for (const [index, change] of this.changes.entries()) {
      if (change.seq <= after || mask[this.kindOfChange[index]!] === 'n') continue
      if (project_id !== undefined && change.project_id !== project_id) continue
      this.texts[index] ??= formatEvent(change)
      text += this.texts[index]
    }
    return text ? encoder.encode(text) : undefined
  }
}

/** A signal has no id, so that it does not change where a client resumes. */
export const encodeSignal = ({ type, project_id, data }: Signal): Uint8Array =>
  encoder.encode(`event: ${type}\ndata: ${JSON.stringify({ project_id, data })}\n\n`)

const EMPTY = new Uint8Array()

/**
 * The key of all changes with the same access. A change without team and board is visible to its
 * actor only; a change of a membership also to the member.
 */
const kindOf = ({ type, team_id, project_id, actor_id, data }: LiveChange) =>
  type.startsWith('chat.')
    ? `${type} of ${actor_id} to ${data.user_id} ${data.agent_id}`
    : team_id === null && project_id === null
      ? `${type} of ${actor_id}`
      : `${type} ${team_id} ${project_id} ${type.startsWith('member.') ? data.user_id : ''}`

function formatEvent(change: LiveChange): string {
  const { seq, type, created_at, project_id, actor, data, position } = change
  const created = created_at.toISOString()
  const event = { id: seq, type, created_at: created, project_id, actor, data, position }
  return `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify(event)}\n\n`
}
