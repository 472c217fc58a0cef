import { asc, eq } from 'drizzle-orm'
import type { Ended, Said } from '../../ai/types.ts'
import { chatMessages, chatThreads } from '../../features/chat/index.ts'
import type { Whole as Context } from '../../features/context/index.ts'
import type { Caller } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import { asData } from '../tools/index.ts'
import { cut, systemOf, taskIn } from './briefing.ts'
import { ask, BOUNDS, type Desk, NO_MODEL, tried } from './desk.ts'
import { Holding } from './holding.ts'
import { skillsFor } from './known.ts'
import { instructionsOf } from './prepare.ts'
import { agentNow } from './rights.ts'
import { Toolbox } from './toolbox.ts'

const MOST_TEXT = 20_000
/** Of what was said to it and by it before. */
const MOST_SAID = 20
const RENEW_MS = 30_000
/** While the model answers in the thread, nobody else writes there. */
const BUSY = { look: 500, most: 5 * 60_000 }

/** Who was addressed, and where. */
export interface Spoken {
  actor_id: number
  /** By whom. */
  asker_id: number
  thread_id: number
  project_id: number
}

/** One answer of a native agent in a thread that it was addressed in, with its own rights. */
export class Answering {
  private readonly stopping = new AbortController()
  private readonly holding: Holding

  constructor(
    private readonly desk: Desk,
    readonly spoken: Spoken,
    /** The number of the last message that it has answered, or answers. */
    public heardTo = 0,
  ) {
    this.holding = new Holding(desk, `chat ${spoken.thread_id}`)
  }

  end(): void {
    this.stopping.abort()
  }

  async answer(): Promise<void> {
    const caller = await this.caller()
    const said = caller && (await this.heard(caller))
    // Answered already, perhaps by another server.
    if (!caller || !said) return
    if (!this.desk.take) return this.reply(NO_MODEL)
    const timer = setInterval(() => void this.renew(), RENEW_MS)
    try {
      const words: string[] = []
      const ended = await this.converse(caller, said, words)
      if (ended.reason !== 'stopped') await this.reply(lastWords(words, ended))
    } finally {
      clearInterval(timer)
      await this.holding.release(await agentNow(this.desk, this.spoken.actor_id))
    }
  }

  private caller(): Promise<Caller | undefined> {
    const { actor_id, asker_id } = this.spoken
    return agentNow(this.desk, actor_id, [asker_id])
  }

  private async renew(): Promise<void> {
    const caller = await this.caller()
    if (caller) await this.holding.renew(caller)
  }

  private async converse(caller: Caller, said: Said[], words: string[]): Promise<Ended> {
    const { desk, holding } = this
    const kit = { desk, holding, asks: false, caller: () => this.caller() }
    const toolbox = new Toolbox(kit, caller)
    return desk.take!({
      ...(await this.told(caller, said)),
      tools: toolbox.list,
      before: toolbox.before,
      call: async (called) => ({ state: 'answered', text: (await toolbox.make(called)).text }),
      hear(heard) {
        if (heard.type !== 'text') words.push('')
        else words.push(`${words.pop() ?? ''}${heard.text}`)
      },
      signal: this.stopping.signal,
      bounds: BOUNDS,
    })
  }

  /** What it was told in the thread and said there; the rest is between others. */
  private async heard({ actor_id, name }: Caller): Promise<Said[] | undefined> {
    const { thread_id } = this.spoken
    const rows = await this.desk.store.read((tx) =>
      tx
        .select()
        .from(chatMessages)
        .where(eq(chatMessages.thread_id, thread_id))
        .orderBy(asc(chatMessages.number)),
    )
    const at = `@${name.toLowerCase()}`
    const all = rows.flatMap(({ number, role, parts, actor_id: by }) => {
      const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
      const isMeant = role === 'person' && text.toLowerCase().includes(at)
      return by === actor_id || isMeant ? [{ number, text, isOwn: by === actor_id }] : []
    })
    const answered = this.heardTo || (all.findLast(({ isOwn }) => isOwn)?.number ?? 0)
    const isNew = ({ number, isOwn }: (typeof all)[number]) => !isOwn && number > answered
    const last = all.findLast(isNew)
    if (!last) return undefined
    this.heardTo = last.number
    return [...all.filter((one) => !isNew(one)), ...all.filter(isNew)]
      .map(
        ({ text, isOwn }): Said =>
          isOwn ? { role: 'assistant', parts: [{ text }] } : { role: 'user', text },
      )
      .slice(-MOST_SAID)
  }

  private async told(caller: Caller, said: Said[]): Promise<{ system: string; said: Said[] }> {
    const { desk } = this
    const { project_id, thread_id, actor_id } = this.spoken
    const last = said.at(-1) as { role: 'user'; text: string }
    const { thread, instructions } = await desk.store.read(async (tx) => ({
      thread: (await tx.select().from(chatThreads).where(eq(chatThreads.thread_id, thread_id)))[0],
      instructions: await instructionsOf(tx, actor_id),
    }))
    const context = await this.contextOf(caller, thread?.task_id ?? null)
    const skills = await skillsFor(desk, caller, project_id, last.text)
    const board = context?.board ?? (await this.board(caller))
    const about = context && asData(context.task.ticket_number, taskIn(context))
    const bodies = skills.named.map(({ slug, body }) => `The skill ${slug}:\n${body}`)
    const text = [last.text, about, ...bodies].filter(Boolean).join('\n\n')
    return {
      system: systemOf({
        ...{ caller, instructions, board, work: undefined },
        ...{ skills: skills.all, now: desk.clock() },
      }),
      said: [...said.slice(0, -1), { role: 'user', text }],
    }
  }

  private async contextOf(caller: Caller, task_id: number | null): Promise<Context | undefined> {
    if (task_id === null) return undefined
    const found = await tried(ask<Context>(this.desk, caller, 'tasks.context', { task_id }))
    return found instanceof Fault ? undefined : found
  }

  private async board(caller: Caller): Promise<Context['board'] | undefined> {
    const { project_id } = this.spoken
    const about = (name: string) => tried(ask<object>(this.desk, caller, name, { project_id }))
    const found = await about('projects.manifest')
    if (found instanceof Fault) return undefined
    const playbook = await about('projects.get_playbook')
    const rules = await about('projects.get_instructions')
    return {
      playbook: null,
      custom_instruction: null,
      ...found,
      ...(!(playbook instanceof Fault) && { playbook }),
      ...(!(rules instanceof Fault) && rules),
    } as Context['board']
  }

  private async reply(words: string): Promise<void> {
    const text = cut(words, MOST_TEXT)
    const { thread_id } = this.spoken
    for (let waited = 0; !this.stopping.signal.aborted; waited += BUSY.look) {
      const caller = await this.caller()
      if (!caller) return
      const said = await tried(ask(this.desk, caller, 'chat.reply', { thread_id, text }))
      if (!(said instanceof Fault)) return
      if (said.code !== 'conflict' || waited >= BUSY.most) throw said
      await Bun.sleep(BUSY.look)
    }
  }
}

/** Its last words are the answer; what it said on the way is not. */
function lastWords(words: readonly string[], { trouble }: Ended): string {
  const last = words.findLast((one) => one.trim())?.trim()
  const why = trouble && `(${trouble.message}${trouble.hint ? ` ${trouble.hint}` : ''})`
  return [last, why].filter(Boolean).join('\n\n') || 'I have nothing to say to that.'
}
