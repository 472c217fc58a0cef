import type { Client } from '../client.ts'
import { CommandError } from '../command.ts'
import type { CommandIO } from '../io.ts'
import { plain } from '../table.ts'
import { type Call, type Done, troubleText } from './event.ts'
import type { Show } from './print-events.ts'
import { type ChatRequest, streamAnswer } from './stream-answer.ts'

const THREADS = '/api/chat/threads'

/** The board or task that a new thread is about. */
export interface About {
  project_id?: number
  task?: string
}

/** A conversation with the server's model on the command line. */
export class ChatSession {
  private readonly calls = new Map<string, Call>()
  private readonly answeredCalls = new Set<string>()

  constructor(
    private readonly client: Client,
    private readonly io: CommandIO,
    private readonly show: Show,
    private readonly about: About = {},
    public thread_id?: number,
  ) {}

  /** The next message begins a new thread. */
  startThread(): void {
    this.thread_id = undefined
    this.calls.clear()
  }

  say(message: string, allow_writes: boolean): Promise<Done> {
    const target = this.thread_id === undefined ? this.about : { thread_id: this.thread_id }
    const body = { message, ...target, ...(allow_writes && { allow_writes }) }
    return this.stream({ method: 'POST', path: '/api/chat', body, key: crypto.randomUUID() })
  }

  confirm(tool_call_id: string, approve: boolean, allow_writes: boolean): Promise<Done> {
    this.answeredCalls.add(tool_call_id)
    const body = { tool_call_id, approve, ...(allow_writes && { allow_writes }) }
    return this.stream({ method: 'POST', path: `${this.path}/confirm`, body })
  }

  retry = (): Promise<Done> => this.stream({ method: 'POST', path: `${this.path}/retry`, body: {} })

  /** Undoes the last call of this conversation that can be undone, if there is one. */
  async undo(): Promise<Call | undefined> {
    const last = [...this.calls.values()].findLast((call) => call.state === 'done' && call.can_undo)
    if (!last) return undefined
    const body = { tool_call_id: last.call_id }
    const { data } = await this.client.send({ method: 'POST', path: `${this.path}/undo`, body })
    const { call } = data as { call: Call }
    this.calls.set(call.call_id, call)
    return call
  }

  /** The first call that waits for approval. */
  waitingCall(): Call | undefined {
    const calls = [...this.calls.values()]
    return calls.find((call) => call.state === 'waiting' && !this.answeredCalls.has(call.call_id))
  }

  private get path() {
    return `${THREADS}/${this.thread_id}`
  }

  private stream(request: ChatRequest): Promise<Done> {
    const { client, io } = this
    return streamAnswer(request, {
      client,
      io,
      stop: () => void this.stop(),
      onEvent: async (event) => {
        if (event.type === 'thread') this.thread_id = event.thread_id
        if (event.type === 'call') this.calls.set(event.call.call_id, event.call)
        await this.show(event)
      },
    })
  }

  private async stop(): Promise<void> {
    this.io.err('Stopping. Press Ctrl+C again to exit')
    if (this.thread_id === undefined) return
    const ask = { method: 'POST', path: `${this.path}/stop`, body: {} }
    await this.client.send(ask).catch(({ message }) => this.io.err(message))
  }
}

/** Asks the person to approve waiting calls one after the other, until the answer is complete. */
export async function answerWaitingCalls(
  session: ChatSession,
  first: Done,
  io: CommandIO,
): Promise<Done> {
  let done = first
  let allowsAll = false
  while (done.reason === 'waiting') {
    const call = session.waitingCall()
    if (!call) return done
    const answer = allowsAll && !call.destroys ? 'y' : await askForAnswer(call, io)
    if (answer === undefined) throw needsAnswer(session, call)
    if (answer === 'a') allowsAll = true
    done = await session.confirm(call.call_id, answer !== 'n', answer === 'a')
  }
  return done
}

const MAX_LENGTH = 600

async function askForAnswer(
  call: Call,
  { ask, err }: CommandIO,
): Promise<'y' | 'n' | 'a' | undefined> {
  if (!ask) return undefined
  err(`  with ${visibleText(call.input)}`)
  const choices = call.destroys ? 'y/n' : 'y/n/a, a allows all in this thread'
  for (;;) {
    const word = (await ask(`Allow? ${visibleText(call.title)} [${choices}] `)).toLowerCase()
    if (/^(y|yes)$/.test(word)) return 'y'
    if (/^(n|no)$/.test(word)) return 'n'
    if (word === 'a' && !call.destroys) return 'a'
  }
}

/** Makes a text safe to approve: shows characters that reorder text, and says if it is cut. */
function visibleText(value: unknown): string {
  const text = plain(value).replace(
    /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const hiddenLength = text.length - MAX_LENGTH
  return hiddenLength > 0
    ? `${text.slice(0, MAX_LENGTH)}… ${hiddenLength} more characters; "cork chat thread" shows all`
    : text
}

function needsAnswer({ thread_id }: ChatSession, { call_id, title, destroys }: Call): CommandError {
  const allow = destroys ? '' : ', or repeat the command with --allow-writes'
  return new CommandError(
    `Waiting for your approval: ${visibleText(title)}. Approve it with "cork chat confirm ${thread_id} ${plain(call_id)}" (--deny declines it)${allow}`,
  )
}

/** Why an answer is incomplete; undefined if it is complete. */
export function incompleteReason({ reason, trouble }: Done, thread_id: number | undefined) {
  const advice = `continue with: cork chat --thread ${thread_id} 'Go on'`
  if (trouble) return troubleText(trouble)
  if (reason === 'stopped') return 'The answer was stopped'
  if (reason === 'steps') return `The answer reached the step limit; ${advice}`
  if (reason === 'tokens') return `The answer reached the token limit; ${advice}`
  return reason === 'failed' ? `The answer failed; ${advice}` : undefined
}
