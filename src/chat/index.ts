import type { Logger } from 'pino'
import type { Model } from '../ai/types.ts'
import {
  type ChatEvent,
  type End,
  endAnswer,
  isAnswering,
  isDead,
  type MessageRef,
  saveAnswer,
} from '../features/conversation/chat/model/index.ts'
import {
  confirm,
  readBrief,
  retry,
  type StartedAnswer,
  say,
  type ThreadBrief,
} from '../features/conversation/chat/operations/index.ts'
import { refreshCaller } from '../features/identity/callers/model/index.ts'
import type { Caller, Clock } from '../kernel/caller.ts'
import type { Dispatch } from '../kernel/dispatch.ts'
import type { AnyOperation } from '../kernel/operation.ts'
import type { OpenStore } from '../store/store.ts'
import { endOf, runAnswer } from './answer.ts'
import { emptyEvents, followStored } from './follow.ts'
import { LiveAnswer } from './live.ts'
import { undoCall } from './undo.ts'

interface Parts {
  store: OpenStore
  clock: Clock
  log: Logger
  dispatch: Dispatch
  catalog: readonly AnyOperation[]
  ai: Model | undefined
}

type Events = AsyncGenerator<ChatEvent>

const CHECK_DELAY_MS = 20
const CLOSE_TIMEOUT_MS = 5000

const BROKEN = {
  error: 'Internal error',
  message: 'Something went wrong on the server; it was logged',
  hint: 'Regenerate the answer; if that does not help, contact the server operator',
}

/** Runs the chat threads of people with a model: starts, resumes, stops and follows answers. */
export class ChatService {
  /** The answers that this process generates, by thread. */
  private readonly running = new Map<
    number,
    { number: number; live: LiveAnswer; finished: Promise<void> }
  >()
  private readonly unsubscribe: () => void
  private checkTimer: Timer | undefined
  private closed = false

  constructor(private readonly parts: Parts) {
    this.unsubscribe = parts.store.onCommit(() => this.scheduleCheck())
  }

  async say(caller: Caller, input: unknown, key?: string): Promise<Events> {
    const { data, replayed } = await this.parts.dispatch(caller, say, input, key)
    const started = data as StartedAnswer
    if (started.quiet) return quietEvents(started)
    return replayed
      ? this.events(caller, started.thread_id, started.number)
      : this.start(caller, started)
  }

  async confirm(caller: Caller, input: unknown): Promise<Events> {
    const { data } = await this.parts.dispatch(caller, confirm, input)
    return this.start(caller, data as StartedAnswer)
  }

  async retry(caller: Caller, input: unknown): Promise<Events> {
    const { data } = await this.parts.dispatch(caller, retry, input)
    return this.start(caller, data as StartedAnswer)
  }

  /** The events of the answer being generated in a thread, from its beginning. */
  async follow(caller: Caller, input: unknown): Promise<Events> {
    const { thread, messages, now } = await this.brief(caller, input)
    const row = messages.findLast(({ state }) => state === 'answering')
    if (!row || isDead(thread, now)) return emptyEvents()
    return this.events(caller, thread.thread_id, row.number)
  }

  async undo(caller: Caller, thread_id: number, call_id: string): Promise<boolean> {
    return undoCall(this.parts, caller, await this.brief(caller, { thread_id }), call_id)
  }

  /** Ends the answers of this process, which are stored as interrupted. */
  async close(): Promise<void> {
    this.closed = true
    this.unsubscribe()
    clearTimeout(this.checkTimer)
    for (const { live } of this.running.values()) live.end('closing')
    const finished = Promise.all([...this.running.values()].map((answer) => answer.finished))
    // Answers that do not end in time are detected as interrupted later.
    await Promise.race([finished, Bun.sleep(CLOSE_TIMEOUT_MS)])
  }

  private async brief(caller: Caller, input: unknown): Promise<ThreadBrief> {
    return (await this.parts.dispatch(caller, readBrief, input)).data as ThreadBrief
  }

  private events(caller: Caller, thread_id: number, number: number): Events {
    const own = this.running.get(thread_id)
    if (own?.number === number) return own.live.listen(true)
    return followStored(() => this.brief(caller, { thread_id }), number)
  }

  private async start(caller: Caller, started: StartedAnswer): Promise<Events> {
    const { thread_id, title, asked, number, calls } = started
    const threadBrief = await this.brief(caller, { thread_id })
    const { store, clock } = this.parts
    const spot = { thread_id, number }
    const parts = threadBrief.messages.find((row) => row.number === number)?.parts ?? []
    const live = new LiveAnswer(
      { type: 'thread', thread_id, title, asked, number },
      structuredClone(parts),
      (current) => store.write((tx) => saveAnswer(tx, spot, current, clock())),
    )
    const events = live.listen(false)
    const finished = this.run(caller, threadBrief, live, { spot, calls })
    this.running.set(thread_id, { number, live, finished })
    if (this.closed) live.end('closing')
    return events
  }

  private async run(
    caller: Caller,
    threadBrief: ThreadBrief,
    live: LiveAnswer,
    { spot, calls }: { spot: MessageRef; calls: readonly string[] },
  ): Promise<void> {
    const { store, clock, ai, catalog, dispatch } = this.parts
    const reportError = (error: unknown) => {
      this.parts.log.error({ err: error, ...spot }, 'a chat answer failed')
      return BROKEN
    }
    const currentCaller = () => store.read((tx) => refreshCaller(tx, caller, clock()))
    const parts = {
      ai: ai!,
      catalog,
      dispatch,
      caller,
      brief: threadBrief,
      spot,
      live,
      approvedCalls: calls,
    }
    try {
      const ended = await runAnswer({ ...parts, currentCaller, reportError })
      if (ended.reason !== 'waiting') live.interruptCalls()
      await live.close(async () => {
        const { end, event } = endOf(ended, live)
        await this.end(caller, spot, end).catch(reportError)
        return event
      })
    } finally {
      if (this.running.get(spot.thread_id)?.live === live) this.running.delete(spot.thread_id)
    }
  }

  /** Stores the end of an answer, and notifies every screen of the person. */
  private async end(caller: Caller, spot: MessageRef, end: End): Promise<void> {
    const { store, clock } = this.parts
    const { thread_id } = spot
    await store.write(async (tx) => {
      const now = clock()
      const state = await endAnswer(tx, spot, end, now)
      const data = { thread_id, user_id: caller.actor_id, state }
      if (state) await store.append(tx, caller, now, [{ type: 'chat.updated', place: {}, data }])
    })
  }

  /** After a commit, checks once for several commits whether somebody has stopped an answer. */
  private scheduleCheck(): void {
    if (this.checkTimer || !this.running.size) return
    this.checkTimer = setTimeout(() => {
      this.checkTimer = undefined
      this.checkStopped()
    }, CHECK_DELAY_MS)
  }

  private checkStopped(): void {
    for (const [thread_id, { number, live }] of this.running)
      void this.parts.store
        .read((tx) => isAnswering(tx, { thread_id, number }))
        .then((is) => is || live.end('stopped'))
        .catch(() => undefined)
  }
}

async function* quietEvents({ thread_id, title, asked, number }: StartedAnswer): Events {
  yield { type: 'thread', thread_id, title, asked, number }
  yield* emptyEvents()
}
