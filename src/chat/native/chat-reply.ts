import { asc, eq } from 'drizzle-orm'
import type { HistoryMessage, TurnEnd } from '../../ai/types.ts'
import { agents, obstacleTo } from '../../features/agents/agents/model/index.ts'
import { chatMessages, chatThreads } from '../../features/conversation/chat/model/index.ts'
import type { TaskContext } from '../../features/tasks/context/model/index.ts'
import type { Caller } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import { asData } from '../tools/index.ts'
import { systemPromptFor, taskText, truncate } from './briefing.ts'
import { HeldLeases } from './held-leases.ts'
import { instructionsOf } from './prepare.ts'
import { currentAgent } from './rights.ts'
import { type AgentRuntime, dispatchAs, NO_MODEL, orFault, TURN_LIMITS } from './runtime.ts'
import { skillsFor } from './skills.ts'
import { Toolbox } from './toolbox.ts'

const MAX_TEXT = 20_000
/** The number of earlier messages that the model reads. */
const MAX_MESSAGES = 20
const RENEW_MS = 30_000
/** While the model answers in the thread, replies are refused with a conflict and tried again. */
const BUSY_RETRY = { interval_ms: 500, max_ms: 5 * 60_000 }

/** An agent that somebody mentioned in a thread. */
export interface ThreadMention {
  actor_id: number
  /** The actor who mentioned it. */
  asker_id: number
  thread_id: number
  project_id: number
}

/** One reply of a native agent in a thread that mentions it. The agent acts with its own rights. */
export class ChatReply {
  private readonly abort = new AbortController()
  private readonly leases: HeldLeases

  constructor(
    private readonly runtime: AgentRuntime,
    readonly mention: ThreadMention,
    /** The number of the last message that the agent has answered or is answering. */
    public lastAnswered = 0,
  ) {
    this.leases = new HeldLeases(runtime, `chat ${mention.thread_id}`)
  }

  stop(): void {
    this.abort.abort()
  }

  async answer(): Promise<void> {
    const caller = await this.caller()
    const messages = caller && (await this.conversation(caller))
    // Nothing new to answer: perhaps another server has answered already.
    if (!caller || !messages) return
    if (!this.runtime.runTurn) return this.reply(NO_MODEL)
    const obstacle = await this.obstacle()
    if (obstacle) return this.reply(obstacle)
    const timer = setInterval(() => void this.renew(), RENEW_MS)
    try {
      const texts: string[] = []
      const result = await this.converse(caller, messages, texts)
      if (result.reason !== 'stopped') await this.reply(replyText(texts, result))
    } finally {
      clearInterval(timer)
      await this.leases.release(await currentAgent(this.runtime, this.mention.actor_id))
    }
  }

  /** Why the agent may not answer now: it or the board is paused, or has used its budget. */
  private obstacle(): Promise<string | undefined> {
    const { runtime, mention } = this
    return runtime.store.read(async (tx) => {
      const [agent] = await tx.select().from(agents).where(eq(agents.actor_id, mention.actor_id))
      const now = runtime.clock()
      const found = agent && (await obstacleTo({ tx, now }, agent, mention.project_id))
      return found && `${found.message}. ${found.hint}`
    })
  }

  private caller(): Promise<Caller | undefined> {
    const { actor_id, asker_id } = this.mention
    return currentAgent(this.runtime, actor_id, [asker_id])
  }

  private async renew(): Promise<void> {
    const caller = await this.caller()
    if (caller) await this.leases.renew(caller)
  }

  private async converse(
    caller: Caller,
    messages: HistoryMessage[],
    texts: string[],
  ): Promise<TurnEnd> {
    const { runtime, leases } = this
    const options = { runtime, leases, canAskPerson: false, caller: () => this.caller() }
    const toolbox = new Toolbox(options, caller)
    return runtime.runTurn!({
      ...(await this.promptFor(caller, messages)),
      tools: toolbox.list,
      before: toolbox.openingCall,
      call: async (called) => ({ state: 'answered', text: (await toolbox.call(called)).text }),
      onEvent(event) {
        if (event.type !== 'text') texts.push('')
        else texts.push(`${texts.pop() ?? ''}${event.text}`)
      },
      signal: this.abort.signal,
      bounds: TURN_LIMITS,
    })
  }

  /**
   * The agent's own messages and those that mention it, with the unanswered ones last. Messages
   * between others are left out. Undefined if there is nothing to answer.
   */
  private async conversation({ actor_id, name }: Caller): Promise<HistoryMessage[] | undefined> {
    const { thread_id } = this.mention
    const rows = await this.runtime.store.read((tx) =>
      tx
        .select()
        .from(chatMessages)
        .where(eq(chatMessages.thread_id, thread_id))
        .orderBy(asc(chatMessages.number)),
    )
    const handle = `@${name.toLowerCase()}`
    const relevant = rows.flatMap(({ number, role, parts, actor_id: author_id }) => {
      const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
      const isAddressed = role === 'person' && text.toLowerCase().includes(handle)
      return author_id === actor_id || isAddressed
        ? [{ number, text, isOwn: author_id === actor_id }]
        : []
    })
    const answeredTo = this.lastAnswered || (relevant.findLast(({ isOwn }) => isOwn)?.number ?? 0)
    const isNew = ({ number, isOwn }: (typeof relevant)[number]) => !isOwn && number > answeredTo
    const last = relevant.findLast(isNew)
    if (!last) return undefined
    this.lastAnswered = last.number
    return [...relevant.filter((message) => !isNew(message)), ...relevant.filter(isNew)]
      .map(
        ({ text, isOwn }): HistoryMessage =>
          isOwn ? { role: 'assistant', parts: [{ text }] } : { role: 'user', text },
      )
      .slice(-MAX_MESSAGES)
  }

  private async promptFor(
    caller: Caller,
    messages: HistoryMessage[],
  ): Promise<{ system: string; history: HistoryMessage[] }> {
    const { runtime } = this
    const { project_id, thread_id, actor_id } = this.mention
    const last = messages.at(-1) as { role: 'user'; text: string }
    const { thread, instructions } = await runtime.store.read(async (tx) => ({
      thread: (await tx.select().from(chatThreads).where(eq(chatThreads.thread_id, thread_id)))[0],
      instructions: await instructionsOf(tx, actor_id),
    }))
    const context = await this.contextOf(caller, thread?.task_id ?? null)
    const skills = await skillsFor(runtime, caller, project_id, last.text)
    const board = context?.board ?? (await this.board(caller))
    const task = context && asData(context.task.ticket_number, taskText(context))
    const bodies = skills.named.map(({ slug, body }) => `The skill ${slug}:\n${body}`)
    const text = [last.text, task, ...bodies].filter(Boolean).join('\n\n')
    return {
      system: systemPromptFor({
        caller,
        instructions,
        board,
        work: undefined,
        skills: skills.all,
        now: runtime.clock(),
      }),
      history: [...messages.slice(0, -1), { role: 'user', text }],
    }
  }

  private async contextOf(
    caller: Caller,
    task_id: number | null,
  ): Promise<TaskContext | undefined> {
    if (task_id === null) return undefined
    const found = await orFault(
      dispatchAs<TaskContext>(this.runtime, caller, 'tasks.context', { task_id }),
    )
    return found instanceof Fault ? undefined : found
  }

  private async board(caller: Caller): Promise<TaskContext['board'] | undefined> {
    const { project_id } = this.mention
    const read = (name: string) =>
      orFault(dispatchAs<object>(this.runtime, caller, name, { project_id }))
    const found = await read('projects.manifest')
    if (found instanceof Fault) return undefined
    const playbook = await read('projects.get_playbook')
    const rules = await read('projects.get_instructions')
    return {
      playbook: null,
      custom_instruction: null,
      ...found,
      ...(!(playbook instanceof Fault) && { playbook }),
      ...(!(rules instanceof Fault) && rules),
    } as TaskContext['board']
  }

  private async reply(answer: string): Promise<void> {
    const text = truncate(answer, MAX_TEXT)
    const { thread_id } = this.mention
    for (let waited = 0; !this.abort.signal.aborted; waited += BUSY_RETRY.interval_ms) {
      const caller = await this.caller()
      if (!caller) return
      const sent = await orFault(
        dispatchAs(this.runtime, caller, 'chat.reply', { thread_id, text }),
      )
      if (!(sent instanceof Fault)) return
      if (sent.code !== 'conflict' || waited >= BUSY_RETRY.max_ms) throw sent
      await Bun.sleep(BUSY_RETRY.interval_ms)
    }
  }
}

/** Only the last text is the reply; text before it accompanied tool calls. */
function replyText(texts: readonly string[], { trouble }: TurnEnd): string {
  const last = texts.findLast((text) => text.trim())?.trim()
  const explanation = trouble && `(${trouble.message}${trouble.hint ? ` ${trouble.hint}` : ''})`
  return [last, explanation].filter(Boolean).join('\n\n') || 'I have nothing to say to that.'
}
