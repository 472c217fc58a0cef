import { notifyManager } from '@tanstack/react-query'
import { cache, queryKeyOf } from '../../data/cache.ts'
import { callOperation } from '../../data/client.ts'
import { ApiError, NoResponseError } from '../../kit/errors.ts'
import { createStore } from '../../kit/store.ts'
import { announcementOf } from './announcement.ts'
import { getRequest, openAnswer, postRequest, type StreamEvent } from './answer-stream.ts'
import { waitBeforeRetry } from './retry-delay.ts'
import type { Call, Message, Part, Thread } from './types.ts'

/** An exchange in progress that is not loaded from the server yet. */
export interface Live {
  /** The message that was sent. */
  sentMessage?: { text: string; number?: number | undefined } | undefined
  /** The number of the answer. Stored messages from this number on are replaced by `parts`. */
  number?: number | undefined
  parts: readonly Part[]
  state: 'sending' | 'answering' | 'lost'
}

export interface MessageInput {
  message: string
  project_id?: number
  task?: string
  allow_writes?: boolean
}

export const threadKey = (thread_id: number) => queryKeyOf('chat.thread', { thread_id })
const readThread = (thread_id: number): Promise<Thread> =>
  cache.fetchQuery<unknown, Error, Thread>({
    queryKey: threadKey(thread_id),
    queryFn: () => callOperation('chat.thread', { thread_id }),
    staleTime: 0,
  })

/** A conversation: sends messages and streams the answers. */
export class Conversation {
  readonly live = createStore<Live | undefined>(undefined)
  /** How the last answer ended, for screen readers. */
  readonly announcement = createStore('')
  /** The text in the message box; undefined before somebody types. */
  readonly typed = createStore<string | undefined>(undefined)
  readonly thread: ReturnType<typeof createStore<number | undefined>>
  private abortController = new AbortController()
  private parts: Part[] = []
  private frame = 0
  /** Confirmations run one after the other. */
  private queue: Promise<unknown> = Promise.resolve()

  constructor(thread_id?: number) {
    this.thread = createStore(thread_id)
  }

  /**
   * Sends a message. `onAccepted` is called once the server has it; throws if the server refuses
   * it.
   */
  send({ message, ...rest }: MessageInput, onAccepted: () => void): Promise<void> {
    this.begin({ sentMessage: { text: message }, state: 'sending' })
    const thread_id = this.thread.get()
    const body = thread_id === undefined ? { message, ...rest } : { message, thread_id }
    return this.run(postRequest('/api/chat', body), onAccepted)
  }

  /** Confirms or declines a waiting call; the answer continues as a stream. */
  confirm(message: Message, call: Call, approve: boolean, allow_writes?: true): Promise<void> {
    const next = this.queue.then(() => {
      const stored = this.stored()?.messages.find(({ number }) => number === message.number)
      const parts = (stored ?? message).parts.map((one) =>
        one.type === 'call' && one.call_id === call.call_id
          ? { ...one, state: approve ? ('running' as const) : ('declined' as const) }
          : one,
      )
      this.begin({ number: message.number, state: 'answering' }, parts)
      const body = { tool_call_id: call.call_id, approve, ...(allow_writes && { allow_writes }) }
      return this.run(postRequest(`${this.path}/confirm`, body))
    })
    this.queue = next.catch(() => {})
    return next
  }

  /** Generates the last answer again. */
  retry(from: number): Promise<void> {
    this.begin({ number: from, state: 'answering' })
    return this.run(postRequest(`${this.path}/retry`, {}))
  }

  /** Follows an answer in progress from its beginning. */
  async follow(): Promise<void> {
    if (this.live.get()) return
    const last = this.stored()?.messages.at(-1)
    const number = last?.role === 'assistant' ? last.number : undefined
    this.begin({ number, state: 'answering' }, last?.role === 'assistant' ? last.parts : [])
    await this.resume(0)
    await this.finish()
  }

  async stop(): Promise<void> {
    const thread_id = this.thread.get()
    if (this.live.get()?.state === 'sending' || thread_id === undefined)
      return this.abortController.abort()
    await callOperation('chat.stop', { thread_id })
  }

  private get path() {
    return `/api/chat/threads/${this.thread.get()}`
  }

  private stored = () => {
    const thread_id = this.thread.get()
    return thread_id === undefined ? undefined : cache.getQueryData<Thread>(threadKey(thread_id))
  }

  private begin(live: Omit<Live, 'parts'>, parts: readonly Part[] = []) {
    this.abortController = new AbortController()
    this.parts = [...parts]
    this.announcement.set('')
    this.live.set({ ...live, parts })
  }

  private async run(
    createRequest: (signal: AbortSignal) => Request,
    onAccepted?: () => void,
  ): Promise<void> {
    try {
      for (let attempts = 0; ; attempts++) {
        const end = await this.attempt(createRequest, onAccepted)
        if (end === 'done') break
        // Once the server has accepted the message, a lost connection is resumed by reading the
        // stream again.
        if (end === 'cut' && this.live.get()?.state !== 'sending') {
          await this.resume(attempts)
          break
        }
        await waitBeforeRetry(attempts, this.abortController.signal)
      }
    } catch (error) {
      this.live.set(undefined)
      const thread_id = this.thread.get()
      if (thread_id !== undefined) void cache.invalidateQueries({ queryKey: threadKey(thread_id) })
      throw error
    }
    await this.finish()
  }

  private async attempt(createRequest: (signal: AbortSignal) => Request, onAccepted?: () => void) {
    try {
      const read = await openAnswer(createRequest, this.abortController.signal)
      return await read((event) => {
        if (event.type === 'thread') onAccepted?.()
        this.apply(event)
      })
    } catch (error) {
      if (error instanceof NoResponseError) return 'unheard'
      throw error
    }
  }

  /** Reads the stream again until the answer ends. */
  private async resume(attempts: number): Promise<void> {
    for (;;) {
      if (attempts) this.show({ state: 'lost' })
      try {
        const read = await openAnswer(
          getRequest(`${this.path}/stream`),
          this.abortController.signal,
        )
        const end = await read((event) => {
          if (event.type === 'thread') this.parts = []
          this.apply(event)
        })
        if (end === 'done') return
      } catch (error) {
        if (!(error instanceof NoResponseError)) return
      }
      await waitBeforeRetry(attempts++, this.abortController.signal)
    }
  }

  private apply(event: StreamEvent) {
    if (event.type === 'thread') {
      const { sentMessage, number = event.number } = this.live.get() ?? {}
      this.show({
        // A retried answer gets a new number and replaces the one before.
        ...{ number: Math.min(number, event.number), state: 'answering' },
        sentMessage: sentMessage && { ...sentMessage, number: event.asked ?? undefined },
      })
      this.thread.set(event.thread_id)
      conversations.set(event.thread_id, this)
    }
    if (event.type === 'text') this.add(event.text)
    if (event.type === 'call') this.updateCall(event.call)
    this.scheduleUpdate()
  }

  private add(text: string) {
    const last = this.parts.at(-1)
    if (last?.type === 'text')
      this.parts[this.parts.length - 1] = { type: 'text', text: last.text + text }
    else this.parts.push({ type: 'text', text })
  }

  private updateCall(call: Call) {
    const index = this.parts.findIndex((one) => one.type === 'call' && one.call_id === call.call_id)
    if (index < 0) this.parts.push(call)
    else this.parts[index] = call
  }

  /** Updates the view at most once per frame. */
  private scheduleUpdate() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0
      this.show({ parts: [...this.parts] })
    })
  }

  private show(change: Partial<Live>) {
    const live = this.live.get()
    if (live) this.live.set({ ...live, ...change })
  }

  /** Replaces the streamed answer by the stored thread. */
  private async finish(): Promise<void> {
    const thread_id = this.thread.get()!
    const thread = await this.reloadThread(thread_id)
    const last = thread?.messages.at(-1)
    if (last) this.announcement.set(announcementOf(last))
    // Queries notify the view later. Without the pause, the answer would disappear until then.
    await new Promise<void>((resolve) => notifyManager.schedule(resolve))
    this.live.set(undefined)
  }

  /**
   * Loads the thread, retrying while the server cannot be reached; the streamed answer stays
   * visible until then.
   */
  private async reloadThread(thread_id: number): Promise<Thread | undefined> {
    for (let attempts = 0; ; attempts++)
      try {
        return await readThread(thread_id)
      } catch (error) {
        if (error instanceof ApiError) return undefined
        this.show({ state: 'lost' })
        await waitBeforeRetry(attempts, this.abortController.signal).catch(() => {})
      }
  }
}

const conversations = new Map<number, Conversation>()

/** The conversation of a thread; always the same object per thread. */
export function conversationOf(thread_id: number): Conversation {
  const conversation = conversations.get(thread_id) ?? new Conversation(thread_id)
  conversations.set(thread_id, conversation)
  return conversation
}

/** A conversation without a thread id. */
export function newConversation(): Conversation {
  return new Conversation()
}

export const isMissing = (error: unknown) => error instanceof ApiError && error.status === 404
