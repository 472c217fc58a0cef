import type { Called, Tool } from '../../ai/types.ts'
import type { Caller } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import { type AnyOperation, writes } from '../../kernel/operation.ts'
import {
  type ChatTool,
  MORE_TOOLS,
  missing,
  openGroup,
  opening,
  perform,
  refused,
  shown,
  type Tools,
  toolsFor,
} from '../tools/index.ts'
import type { Desk } from './desk.ts'
import type { Holding } from './holding.ts'

export const ASK_PERSON = 'ask_person'

/** Ends the work until somebody answers. */
const asking: Tool = {
  name: ASK_PERSON,
  description:
    'Ask the people on the task something that you cannot go on without. Your work waits until one of them answers.',
  schema: {
    type: 'object',
    properties: { question: { type: 'string', description: 'In plain words, with the choices' } },
    required: ['question'],
    additionalProperties: false,
  },
}

/** Agents call no agents, and change neither agents nor what belongs to people alone. */
const APART = /^(runs|sessions|agents|webhooks|profile|accounts|keys|chat|invitations)\./

export interface Made {
  text: string
  /** As people read it in a transcript. */
  told: string
  isError: boolean
}

interface Kit {
  desk: Desk
  holding: Holding
  /** The agent with the rights that it has by now. */
  caller(): Promise<Caller | undefined>
  /** It may ask a person and wait. */
  asks: boolean
  /** The task that it works on, and the comment that called it there. */
  about?(): { task_id: number; comment_id: number | null }
}

/** What a native agent may call: what its token could, but nothing that takes something away. */
export class Toolbox {
  private readonly opened = new Set<string>()
  private readonly tools: Tools

  constructor(
    private readonly kit: Kit,
    caller: Caller,
  ) {
    const all = toolsFor(kit.desk.catalog, caller)
    this.tools = new Map([...all].filter(([, tool]) => isOffered(tool)))
  }

  readonly list = (): Tool[] => [
    ...shown(this.tools, this.opened),
    ...(this.kit.asks ? [asking] : []),
  ]

  readonly before = (tool: string) => opening(this.tools, tool)

  titleOf({ tool, input }: Called): string | undefined {
    return this.tools.get(tool)?.title(input)
  }

  /** Whatever is wrong with a call is said to the model, which may mend it. */
  async make({ tool: name, input }: Called): Promise<Made> {
    try {
      if (name === MORE_TOOLS) return plain(openGroup(this.tools, this.opened, input))
      const tool = this.tools.get(name)
      if (!tool) throw missing(this.tools, name)
      return await this.perform(tool, input)
    } catch (error) {
      if (error instanceof Fault) return wrong(refused(error), wordsOf(error))
      this.kit.desk.log.error({ err: error, tool: name }, 'A call of a native agent broke')
      return wrong('Something went wrong in Corkboard, and nothing was changed. Try another way.')
    }
  }

  private async perform(tool: ChatTool, given: unknown): Promise<Made> {
    const { desk } = this.kit
    if (tool.destroys(given) || putsAway(tool, given)) return wrong(UNDONE)
    // Asked each time: it may have lost rights, or been stopped, since it began.
    const caller = await this.kit.caller()
    if (!caller) return wrong('You are stopped: end now.')
    const input = this.amended(tool, given)
    const { text, output, answer } = await perform({ dispatch: desk.dispatch, caller }, tool, input)
    this.note(tool, input, answer.data)
    return { text, told: shownOf(output), isError: false }
  }

  /** Which comment it answers and under which lease it writes need not be said by the model. */
  private amended({ op }: ChatTool, given: unknown): unknown {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
    const { holding } = this.kit
    const input = { ...this.answering(op, { ...given }) }
    if (takesTerm(op, input)) return { ...input, ...holding.term() }
    const lease_id = op.guard && input.lease_id === undefined ? holding.of(input) : undefined
    return lease_id === undefined ? input : { ...input, lease_id }
  }

  private answering({ name }: AnyOperation, input: Record<string, unknown>) {
    const { task_id, comment_id } = this.kit.about?.() ?? {}
    const isHere = [task_id, this.kit.holding.keyOf(task_id)].includes(
      (input.task_id ?? input.ticket_number) as never,
    )
    if (name !== 'comments.add' || !isHere || comment_id === null) return input
    return { reply_to_comment_id: comment_id, ...input }
  }

  private note({ op }: ChatTool, input: unknown, data: unknown) {
    const { holding } = this.kit
    if (op.name === 'leases.release') holding.forget((input as { lease_id: string }).lease_id)
    if (op.name === 'leases.claim') holding.keep(data as { lease_id: string })
    if (op.name === 'tasks.next')
      for (const { lease, ...task } of data as { lease?: { lease_id: string } }[])
        if (lease) holding.keep({ ...task, ...lease })
  }
}

const takesTerm = ({ name }: AnyOperation, { claim }: Record<string, unknown>) =>
  name === 'leases.claim' || (name === 'tasks.next' && claim === true)

const isOffered = ({ op }: ChatTool) => op.destroys !== true && !(writes(op) && APART.test(op.name))

/** People can bring back what is archived, but nobody looks for it there. */
const putsAway = (tool: ChatTool, given: unknown) =>
  tool.writes(given) && (given as { status?: unknown } | null)?.status === 'Archive'

/** A transcript tells of what came, not of how it is wrapped. */
const shownOf = (output: unknown): string =>
  JSON.stringify((output as { data?: unknown } | null)?.data ?? output ?? null)

const UNDONE =
  'Agents that Corkboard runs take nothing away. Leave it, or raise a decision request so that a person decides.'

const plain = (text: string): Made => ({ text, told: text, isError: false })
const wrong = (text: string, told = text): Made => ({ text, told, isError: true })
const wordsOf = ({ message, hint }: Fault) => (hint ? `${message}. ${hint}` : message)
