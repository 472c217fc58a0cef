import type { Logger } from 'pino'
import type { Ai } from '../ai/types.ts'
import { callerAgain } from '../features/callers/index.ts'
import {
  again,
  type Begun,
  type Brief,
  brief,
  type ChatEvent,
  confirm,
  type End,
  endAnswer,
  isAnswering,
  isDead,
  keepAnswer,
  type Spot,
  say,
} from '../features/chat/index.ts'
import type { Caller, Clock } from '../kernel/caller.ts'
import type { Dispatch } from '../kernel/dispatch.ts'
import type { AnyOperation } from '../kernel/operation.ts'
import type { OpenStore } from '../store/store.ts'
import { endOf, give } from './answer.ts'
import { takeBack } from './back.ts'
import { kept, nothing } from './follow.ts'
import { Live } from './live.ts'

interface Parts {
  store: OpenStore
  clock: Clock
  log: Logger
  dispatch: Dispatch
  catalog: readonly AnyOperation[]
  ai: Ai | undefined
}

type Events = AsyncGenerator<ChatEvent>

const LOOK_MS = 20
const CLOSE_MS = 5000

const BROKEN = {
  error: 'Internal error',
  message: 'Something went wrong here; it was logged',
  hint: 'Ask for the answer again; if that does not help, tell whoever runs this server',
}

/** Conversations of people with a model: begun, gone on with, stopped, followed. */
export class ChatDesk {
  /** Answers that this process gives, by the number of their thread. */
  private readonly under = new Map<number, { number: number; live: Live; over: Promise<void> }>()
  private readonly deaf: () => void
  private looking: Timer | undefined
  private closed = false

  constructor(private readonly parts: Parts) {
    this.deaf = parts.store.onCommit(() => this.look())
  }

  async say(caller: Caller, input: unknown, key?: string): Promise<Events> {
    const { data, replayed } = await this.parts.dispatch(caller, say, input, key)
    const begun = data as Begun
    if (begun.quiet) return said(begun)
    return replayed ? this.hear(caller, begun.thread_id, begun.number) : this.begin(caller, begun)
  }

  async confirm(caller: Caller, input: unknown): Promise<Events> {
    const { data } = await this.parts.dispatch(caller, confirm, input)
    return this.begin(caller, data as Begun)
  }

  async retry(caller: Caller, input: unknown): Promise<Events> {
    const { data } = await this.parts.dispatch(caller, again, input)
    return this.begin(caller, data as Begun)
  }

  /** The answer that is under way in a thread, from its beginning. */
  async follow(caller: Caller, input: unknown): Promise<Events> {
    const { thread, messages, now } = await this.brief(caller, input)
    const row = messages.findLast(({ state }) => state === 'answering')
    if (!row || isDead(thread, now)) return nothing()
    return this.hear(caller, thread.thread_id, row.number)
  }

  async undo(caller: Caller, thread_id: number, call_id: string): Promise<boolean> {
    return takeBack(this.parts, caller, await this.brief(caller, { thread_id }), call_id)
  }

  /** Ends what this process answers, which is kept as interrupted. */
  async close(): Promise<void> {
    this.closed = true
    this.deaf()
    clearTimeout(this.looking)
    for (const { live } of this.under.values()) live.end('closing')
    const over = Promise.all([...this.under.values()].map((one) => one.over))
    // What does not end by then is found as interrupted all the same.
    await Promise.race([over, Bun.sleep(CLOSE_MS)])
  }

  private async brief(caller: Caller, input: unknown): Promise<Brief> {
    return (await this.parts.dispatch(caller, brief, input)).data as Brief
  }

  private hear(caller: Caller, thread_id: number, number: number): Events {
    const here = this.under.get(thread_id)
    if (here?.number === number) return here.live.listen(true)
    return kept(() => this.brief(caller, { thread_id }), number)
  }

  private async begin(caller: Caller, begun: Begun): Promise<Events> {
    const { thread_id, title, asked, number, calls } = begun
    const told = await this.brief(caller, { thread_id })
    const { store, clock } = this.parts
    const spot = { thread_id, number }
    const parts = told.messages.find((row) => row.number === number)?.parts ?? []
    const live = new Live(
      { type: 'thread', thread_id, title, asked, number },
      structuredClone(parts),
      (now) => store.write((tx) => keepAnswer(tx, spot, now, clock())),
    )
    const events = live.listen(false)
    const over = this.run(caller, told, live, { spot, calls })
    this.under.set(thread_id, { number, live, over })
    if (this.closed) live.end('closing')
    return events
  }

  private async run(
    caller: Caller,
    told: Brief,
    live: Live,
    { spot, calls }: { spot: Spot; calls: readonly string[] },
  ): Promise<void> {
    const { store, clock, ai, catalog, dispatch } = this.parts
    const broke = (error: unknown) => {
      this.parts.log.error({ err: error, ...spot }, 'an answer in a chat broke off')
      return BROKEN
    }
    const again = () => store.read((tx) => callerAgain(tx, caller, clock()))
    const parts = { ai: ai!, catalog, dispatch, caller, brief: told, spot, live, calls }
    try {
      const ended = await give({ ...parts, again, broke })
      if (ended.reason !== 'waiting') live.settle()
      await live.close(async () => {
        const { end, told } = endOf(ended, live)
        await this.end(caller, spot, end).catch(broke)
        return told
      })
    } finally {
      if (this.under.get(spot.thread_id)?.live === live) this.under.delete(spot.thread_id)
    }
  }

  /** Its person is told, at whatever screens they have. */
  private async end(caller: Caller, spot: Spot, end: End): Promise<void> {
    const { store, clock } = this.parts
    const { thread_id } = spot
    await store.write(async (tx) => {
      const now = clock()
      const state = await endAnswer(tx, spot, end, now)
      const data = { thread_id, user_id: caller.actor_id, state }
      if (state) await store.append(tx, caller, now, [{ type: 'chat.updated', place: {}, data }])
    })
  }

  /** Soon after a commit, once for several: somebody may have stopped one of them. */
  private look(): void {
    if (this.looking || !this.under.size) return
    this.looking = setTimeout(() => {
      this.looking = undefined
      this.lookNow()
    }, LOOK_MS)
  }

  private lookNow(): void {
    for (const [thread_id, { number, live }] of this.under)
      void this.parts.store
        .read((tx) => isAnswering(tx, { thread_id, number }))
        .then((is) => is || live.end('stopped'))
        .catch(() => undefined)
  }
}

async function* said({ thread_id, title, asked, number }: Begun): Events {
  yield { type: 'thread', thread_id, title, asked, number }
  yield* nothing()
}
