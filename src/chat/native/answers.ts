import { and, eq } from 'drizzle-orm'
import { agents } from '../../features/agents/index.ts'
import type { Tx } from '../../kernel/caller.ts'
import { follow } from '../../store/follow.ts'
import type { Logged } from '../../store/log.ts'
import { plainly } from '../../store/trouble.ts'
import { Answering, type Spoken } from './answering.ts'
import type { Desk } from './desk.ts'

const MOST_AT_ONCE = 4
/** Commits that come together are one. */
const SOON_MS = 50
/** What was said longer ago is not answered by a server that starts now. */
const STALE_MS = 10 * 60_000

/** Lets native agents answer where they are addressed in a chat, until what it answers is called. */
export function startAnswers(desk: Desk): () => Promise<void> {
  const answers = new Answers(desk)
  const stop = follow(
    desk.store,
    'native-chat',
    (tx, changes) => answers.hear(tx, changes),
    (error) => desk.log.error({ err: error }, plainly(error)),
  )
  return async () => {
    await stop()
    await answers.stop()
  }
}

class Answers {
  /** By the number of the change, so that what is read twice is answered once. */
  private readonly waiting = new Map<number, Spoken>()
  private readonly under = new Map<Answering, Promise<void>>()
  /** What is said while it answers is answered after that: up to which message it was heard. */
  private readonly heard = new Map<string, number>()
  private soon: Timer | undefined
  private stopped = false

  private readonly deaf: () => void

  constructor(private readonly desk: Desk) {
    // Not from within the reading of the log, whose transaction is yet to be committed.
    this.deaf = desk.store.onCommit(() => this.later())
  }

  async hear(tx: Tx, changes: readonly Logged[]): Promise<void> {
    const since = this.desk.clock().getTime() - STALE_MS
    for (const change of changes) {
      if (change.type !== 'chat.message' || change.created_at.getTime() < since) continue
      const spoken = await addressed(tx, change)
      if (spoken) this.waiting.set(change.seq, spoken)
    }
  }

  async stop(): Promise<void> {
    this.stopped = true
    this.deaf()
    clearTimeout(this.soon)
    for (const one of this.under.keys()) one.end()
    await Promise.all(this.under.values())
  }

  private later() {
    if (!this.waiting.size || this.stopped) return
    this.soon ??= setTimeout(() => {
      this.soon = undefined
      this.begin()
    }, SOON_MS)
  }

  private begin() {
    for (const [seq, spoken] of this.waiting) {
      if (this.stopped || this.under.size >= MOST_AT_ONCE) return
      const place = placeOf(spoken)
      if ([...this.under.keys()].some((one) => placeOf(one.spoken) === place)) continue
      this.waiting.delete(seq)
      this.answer(new Answering(this.desk, spoken, this.heard.get(place)), place)
    }
  }

  private answer(answering: Answering, place: string) {
    const over = answering
      .answer()
      .catch((error) => this.desk.log.error({ err: error }, plainly(error)))
      .finally(() => {
        this.under.delete(answering)
        const isMore = [...this.waiting.values()].some((one) => placeOf(one) === place)
        if (isMore) this.heard.set(place, answering.heardTo)
        else this.heard.delete(place)
        this.later()
      })
    this.under.set(answering, over)
  }
}

/** One answers there at a time. */
const placeOf = ({ actor_id, thread_id }: Spoken) => `${actor_id} ${thread_id}`

async function addressed(tx: Tx, change: Logged): Promise<Spoken | undefined> {
  const { data, project_id, actor_id: asker_id } = change
  const { agent_id, thread_id } = data as { agent_id?: string; thread_id: number }
  if (agent_id === undefined || project_id === null) return undefined
  const isNative = and(eq(agents.agent_id, agent_id), eq(agents.kind, 'native'))
  const [agent] = await tx.select().from(agents).where(isNative)
  return agent && { actor_id: agent.actor_id, asker_id, thread_id, project_id }
}
