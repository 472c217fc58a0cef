import { and, eq } from 'drizzle-orm'
import { agents } from '../../features/agents/agents/model/index.ts'
import type { Tx } from '../../kernel/caller.ts'
import { describeProblem } from '../../store/errors.ts'
import { follow } from '../../store/follow.ts'
import type { LoggedChange } from '../../store/log.ts'
import { ChatReply, type ThreadMention } from './chat-reply.ts'
import type { AgentRuntime } from './runtime.ts'

const MAX_AT_ONCE = 4
/** Commits within this time start replies together. */
const GATHER_MS = 50
/** A server that starts does not answer messages older than this. */
const MAX_AGE_MS = 10 * 60_000

/** Lets native agents reply in threads that mention them. The returned function stops it. */
export function startChatReplies(runtime: AgentRuntime): () => Promise<void> {
  const replies = new ChatReplies(runtime)
  const stop = follow(
    runtime.store,
    'native-chat',
    (tx, changes) => replies.onChanges(tx, changes),
    (error) => runtime.log.error({ err: error }, describeProblem(error)),
  )
  return async () => {
    await stop()
    await replies.stop()
  }
}

class ChatReplies {
  /** By the sequence number of the change, so that a change that is read twice is answered once. */
  private readonly pending = new Map<number, ThreadMention>()
  private readonly running = new Map<ChatReply, Promise<void>>()
  /**
   * The last message that a reply took into account, by agent and thread. Messages that arrive
   * during a reply are answered after it.
   */
  private readonly lastAnswered = new Map<string, number>()
  private timer: Timer | undefined
  private stopped = false

  private readonly unsubscribe: () => void

  constructor(private readonly runtime: AgentRuntime) {
    // Replies start after the commit: `onChanges` runs in a transaction that is not committed yet.
    this.unsubscribe = runtime.store.onCommit(() => this.schedule())
  }

  async onChanges(tx: Tx, changes: readonly LoggedChange[]): Promise<void> {
    const since = this.runtime.clock().getTime() - MAX_AGE_MS
    for (const change of changes) {
      if (change.type !== 'chat.message' || change.created_at.getTime() < since) continue
      const mention = await mentionIn(tx, change)
      if (mention) this.pending.set(change.seq, mention)
    }
  }

  async stop(): Promise<void> {
    this.stopped = true
    this.unsubscribe()
    clearTimeout(this.timer)
    for (const reply of this.running.keys()) reply.stop()
    await Promise.all(this.running.values())
  }

  private schedule() {
    if (!this.pending.size || this.stopped) return
    this.timer ??= setTimeout(() => {
      this.timer = undefined
      this.startPending()
    }, GATHER_MS)
  }

  private startPending() {
    for (const [seq, mention] of this.pending) {
      if (this.stopped || this.running.size >= MAX_AT_ONCE) return
      const key = keyOf(mention)
      if ([...this.running.keys()].some((reply) => keyOf(reply.mention) === key)) continue
      this.pending.delete(seq)
      this.start(new ChatReply(this.runtime, mention, this.lastAnswered.get(key)), key)
    }
  }

  private start(reply: ChatReply, key: string) {
    const finished = reply
      .answer()
      .catch((error) => this.runtime.log.error({ err: error }, describeProblem(error)))
      .finally(() => {
        this.running.delete(reply)
        const isMore = [...this.pending.values()].some((other) => keyOf(other) === key)
        if (isMore) this.lastAnswered.set(key, reply.lastAnswered)
        else this.lastAnswered.delete(key)
        this.schedule()
      })
    this.running.set(reply, finished)
  }
}

/** Each agent gives one reply at a time in a thread. */
const keyOf = ({ actor_id, thread_id }: ThreadMention) => `${actor_id} ${thread_id}`

async function mentionIn(tx: Tx, change: LoggedChange): Promise<ThreadMention | undefined> {
  const { data, project_id, actor_id: asker_id } = change
  const { agent_id, thread_id } = data as { agent_id?: string; thread_id: number }
  if (agent_id === undefined || project_id === null) return undefined
  const isNative = and(eq(agents.agent_id, agent_id), eq(agents.kind, 'native'))
  const [agent] = await tx.select().from(agents).where(isNative)
  return agent && { actor_id: agent.actor_id, asker_id, thread_id, project_id }
}
