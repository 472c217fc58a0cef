import type { Client } from '../client.ts'
import { Failed } from '../command.ts'
import type { Outside } from '../outside.ts'
import { plain } from '../table.ts'
import { type Asked, heard } from './hear.ts'
import type { Show } from './show.ts'
import { type Call, type Done, inWords } from './told.ts'

const THREADS = '/api/chat/threads'

/** What a new thread is about. */
export interface About {
  project_id?: number
  task?: string
}

/** A conversation with a model on a server, as somebody at a command line holds it. */
export class Talk {
  private readonly calls = new Map<string, Call>()
  private readonly answered = new Set<string>()

  constructor(
    private readonly client: Client,
    private readonly outside: Outside,
    private readonly show: Show,
    private readonly about: About = {},
    public thread_id?: number,
  ) {}

  /** The next words begin another thread. */
  anew(): void {
    this.thread_id = undefined
    this.calls.clear()
  }

  say(message: string, allow_writes: boolean): Promise<Done> {
    const where = this.thread_id === undefined ? this.about : { thread_id: this.thread_id }
    const body = { message, ...where, ...(allow_writes && { allow_writes }) }
    return this.hear({ method: 'POST', path: '/api/chat', body, key: crypto.randomUUID() })
  }

  confirm(tool_call_id: string, approve: boolean, allow_writes: boolean): Promise<Done> {
    this.answered.add(tool_call_id)
    const body = { tool_call_id, approve, ...(allow_writes && { allow_writes }) }
    return this.hear({ method: 'POST', path: `${this.path}/confirm`, body })
  }

  retry = (): Promise<Done> => this.hear({ method: 'POST', path: `${this.path}/retry`, body: {} })

  /** Takes back the last thing that was done here; nothing where there is none. */
  async undo(): Promise<Call | undefined> {
    const last = [...this.calls.values()].findLast((one) => one.state === 'done' && one.can_undo)
    if (!last) return undefined
    const body = { tool_call_id: last.call_id }
    const { data } = await this.client.send({ method: 'POST', path: `${this.path}/undo`, body })
    const { call } = data as { call: Call }
    this.calls.set(call.call_id, call)
    return call
  }

  /** The first call that waits for a yes or a no. */
  waiting(): Call | undefined {
    const calls = [...this.calls.values()]
    return calls.find((one) => one.state === 'waiting' && !this.answered.has(one.call_id))
  }

  private get path() {
    return `${THREADS}/${this.thread_id}`
  }

  private hear(asked: Asked): Promise<Done> {
    const { client, outside } = this
    return heard(asked, {
      client,
      outside,
      stop: () => void this.stop(),
      tell: async (told) => {
        if (told.type === 'thread') this.thread_id = told.thread_id
        if (told.type === 'call') this.calls.set(told.call.call_id, told.call)
        await this.show(told)
      },
    })
  }

  private async stop(): Promise<void> {
    this.outside.err('Stopping; Ctrl+C again leaves')
    if (this.thread_id === undefined) return
    const ask = { method: 'POST', path: `${this.path}/stop`, body: {} }
    await this.client.send(ask).catch(({ message }) => this.outside.err(message))
  }
}

/** Has what waits answered by the person, one after the other, until the answer is over. */
export async function settled(talk: Talk, first: Done, outside: Outside): Promise<Done> {
  let done = first
  let allowed = false
  while (done.reason === 'waiting') {
    const call = talk.waiting()
    if (!call) return done
    const word = allowed && !call.destroys ? 'y' : await wordOn(call, outside)
    if (word === undefined) throw unanswered(talk, call)
    if (word === 'a') allowed = true
    done = await talk.confirm(call.call_id, word !== 'n', word === 'a')
  }
  return done
}

const LONGEST = 600

async function wordOn(call: Call, { ask, err }: Outside): Promise<'y' | 'n' | 'a' | undefined> {
  if (!ask) return undefined
  err(`  with ${seen(call.input)}`)
  const choices = call.destroys ? 'y/n' : 'y/n/a, a for all in this thread'
  for (;;) {
    const word = (await ask(`May it? ${seen(call.title)} [${choices}] `)).toLowerCase()
    if (/^(y|yes)$/.test(word)) return 'y'
    if (/^(n|no)$/.test(word)) return 'n'
    if (word === 'a' && !call.destroys) return 'a'
  }
}

/** What a yes is said to: nothing in it stands in another order, and what is left out is told. */
function seen(value: unknown): string {
  const text = plain(value).replace(
    /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const left = text.length - LONGEST
  return left > 0
    ? `${text.slice(0, LONGEST)}… ${left} more characters; "cork chat thread" shows all`
    : text
}

function unanswered({ thread_id }: Talk, { call_id, title, destroys }: Call): Failed {
  const allow = destroys ? '' : ', or say it again with --allow-writes'
  return new Failed(
    `It waits for your yes: ${seen(title)}. Say it with "cork chat confirm ${thread_id} ${plain(call_id)}" (--deny says no)${allow}`,
  )
}

/** Why an answer is not whole; nothing where it is. */
export function shortfall({ reason, trouble }: Done, thread_id: number | undefined) {
  const on = `go on with: cork chat --thread ${thread_id} 'Go on'`
  if (trouble) return inWords(trouble)
  if (reason === 'stopped') return 'The answer was stopped'
  if (reason === 'steps') return `It took as many steps as one answer may; ${on}`
  if (reason === 'tokens') return `It is as long as one answer may be; ${on}`
  return reason === 'failed' ? `The answer failed; ${on}` : undefined
}
