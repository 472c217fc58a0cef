import { cache, keyOf } from '../data/cache.ts'
import { cell } from '../data/cell.ts'
import { ask, type Output, Refused, Unanswered } from '../data/client.ts'
import { pause } from './pause.ts'
import { opened, posting, reading, type Told } from './wire.ts'
import { wordsFor } from './words.ts'

export type Thread = Output<'chat.thread'>
export type Message = Thread['messages'][number]
export type Part = Message['parts'][number]
export type Call = Extract<Part, { type: 'call' }>
export type Trouble = NonNullable<Message['trouble']>

/** What is under way, and not read from the server yet. */
export interface Live {
  /** What was said last. */
  asked?: { text: string; number?: number | undefined } | undefined
  /** Of the answer: what was read from there on is shown by this instead. */
  number?: number | undefined
  parts: readonly Part[]
  state: 'sending' | 'answering' | 'lost'
}

export interface Saying {
  message: string
  project_id?: number
  task?: string
  allow_writes?: boolean
}

export const threadKey = (thread_id: number) => keyOf('chat.thread', { thread_id })
const readThread = (thread_id: number): Promise<Thread> =>
  cache.fetchQuery<unknown, Error, Thread>({
    queryKey: threadKey(thread_id),
    queryFn: () => ask('chat.thread', { thread_id }),
    staleTime: 0,
  })

/** One conversation: what is said in it, and the answer as it comes. */
export class Talk {
  readonly live = cell<Live | undefined>(undefined)
  /** For whoever hears it: how the last answer ended. */
  readonly heard = cell('')
  /** What stands in its box; nothing before somebody types. */
  readonly typed = cell<string | undefined>(undefined)
  readonly thread: ReturnType<typeof cell<number | undefined>>
  private over = new AbortController()
  private parts: Part[] = []
  private frame = 0
  /** What is asked next waits for what is under way. */
  private line: Promise<unknown> = Promise.resolve()

  constructor(thread_id?: number) {
    this.thread = cell(thread_id)
  }

  /** Says something; `taken` is called once the server has it, and it throws where that refuses. */
  say({ message, ...rest }: Saying, taken: () => void): Promise<void> {
    this.begin({ asked: { text: message }, state: 'sending' })
    const thread_id = this.thread.get()
    const body = thread_id === undefined ? { message, ...rest } : { message, thread_id }
    return this.run(posting('/api/chat', body), taken)
  }

  /** Answers a call that waits; what it does, and what is said then, comes as before. */
  confirm(message: Message, call: Call, approve: boolean, allow_writes?: true): Promise<void> {
    const next = this.line.then(() => {
      const stored = this.stored()?.messages.find(({ number }) => number === message.number)
      const parts = (stored ?? message).parts.map((one) =>
        one.type === 'call' && one.call_id === call.call_id
          ? { ...one, state: approve ? ('running' as const) : ('declined' as const) }
          : one,
      )
      this.begin({ number: message.number, state: 'answering' }, parts)
      const body = { tool_call_id: call.call_id, approve, ...(allow_writes && { allow_writes }) }
      return this.run(posting(`${this.path}/confirm`, body))
    })
    this.line = next.catch(() => {})
    return next
  }

  /** The last answer once more. */
  retry(from: number): Promise<void> {
    this.begin({ number: from, state: 'answering' })
    return this.run(posting(`${this.path}/retry`, {}))
  }

  /** Picks up an answer that is under way, from its beginning. */
  async follow(): Promise<void> {
    if (this.live.get()) return
    const last = this.stored()?.messages.at(-1)
    const number = last?.role === 'assistant' ? last.number : undefined
    this.begin({ number, state: 'answering' }, last?.role === 'assistant' ? last.parts : [])
    await this.goOn(0)
    await this.settle()
  }

  async stop(): Promise<void> {
    const thread_id = this.thread.get()
    if (this.live.get()?.state === 'sending' || thread_id === undefined) return this.over.abort()
    await ask('chat.stop', { thread_id })
  }

  private get path() {
    return `/api/chat/threads/${this.thread.get()}`
  }

  private stored = () => {
    const thread_id = this.thread.get()
    return thread_id === undefined ? undefined : cache.getQueryData<Thread>(threadKey(thread_id))
  }

  private begin(live: Omit<Live, 'parts'>, parts: readonly Part[] = []) {
    this.over = new AbortController()
    this.parts = [...parts]
    this.heard.put('')
    this.live.put({ ...live, parts })
  }

  private async run(make: (signal: AbortSignal) => Request, taken?: () => void): Promise<void> {
    try {
      for (let tries = 0; ; tries++) {
        const end = await this.tried(make, taken)
        if (end === 'done') break
        // Once it is known that the server has it, the answer goes on there by itself.
        if (end === 'cut' && this.live.get()?.state !== 'sending') {
          await this.goOn(tries)
          break
        }
        await pause(tries, this.over.signal)
      }
    } catch (error) {
      this.live.put(undefined)
      const thread_id = this.thread.get()
      if (thread_id !== undefined) void cache.invalidateQueries({ queryKey: threadKey(thread_id) })
      throw error
    }
    await this.settle()
  }

  private async tried(make: (signal: AbortSignal) => Request, taken?: () => void) {
    try {
      const read = await opened(make, this.over.signal)
      return await read((told) => {
        if (told.type === 'thread') taken?.()
        this.hear(told)
      })
    } catch (error) {
      if (error instanceof Unanswered) return 'unheard'
      throw error
    }
  }

  /** Until the answer that was lost is told to its end. */
  private async goOn(tries: number): Promise<void> {
    for (;;) {
      if (tries) this.show({ state: 'lost' })
      try {
        const read = await opened(reading(`${this.path}/stream`), this.over.signal)
        const end = await read((told) => {
          if (told.type === 'thread') this.parts = []
          this.hear(told)
        })
        if (end === 'done') return
      } catch (error) {
        if (!(error instanceof Unanswered)) return
      }
      await pause(tries++, this.over.signal)
    }
  }

  private hear(told: Told) {
    if (told.type === 'thread') {
      const { asked, number = told.number } = this.live.get() ?? {}
      this.show({
        // Asked for once more, an answer has a number of its own; the one before is gone.
        ...{ number: Math.min(number, told.number), state: 'answering' },
        asked: asked && { ...asked, number: told.asked ?? undefined },
      })
      this.thread.put(told.thread_id)
      talks.set(told.thread_id, this)
    }
    if (told.type === 'text') this.add(told.text)
    if (told.type === 'call') this.put(told.call)
    this.paint()
  }

  private add(text: string) {
    const last = this.parts.at(-1)
    if (last?.type === 'text')
      this.parts[this.parts.length - 1] = { type: 'text', text: last.text + text }
    else this.parts.push({ type: 'text', text })
  }

  private put(call: Call) {
    const at = this.parts.findIndex((one) => one.type === 'call' && one.call_id === call.call_id)
    if (at < 0) this.parts.push(call)
    else this.parts[at] = call
  }

  /** Once in each frame at most, however much comes. */
  private paint() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0
      this.show({ parts: [...this.parts] })
    })
  }

  private show(change: Partial<Live>) {
    const live = this.live.get()
    if (live) this.live.put({ ...live, ...change })
  }

  /** What was told is read as it is kept now. */
  private async settle(): Promise<void> {
    const thread_id = this.thread.get()!
    const thread = await this.reread(thread_id)
    const last = thread?.messages.at(-1)
    if (last) this.heard.put(wordsFor(last))
    this.live.put(undefined)
  }

  /** What was heard stays on the screen until it can be read. */
  private async reread(thread_id: number): Promise<Thread | undefined> {
    for (let tries = 0; ; tries++)
      try {
        return await readThread(thread_id)
      } catch (error) {
        if (error instanceof Refused) return undefined
        this.show({ state: 'lost' })
        await pause(tries, this.over.signal).catch(() => {})
      }
  }
}

const talks = new Map<number, Talk>()

/** The conversation of a thread: the same one, whoever asks for it. */
export function talkOf(thread_id: number): Talk {
  const talk = talks.get(thread_id) ?? new Talk(thread_id)
  talks.set(thread_id, talk)
  return talk
}

/** One that has no number yet. */
export function newTalk(): Talk {
  return new Talk()
}

export const isMissing = (error: unknown) => error instanceof Refused && error.status === 404
