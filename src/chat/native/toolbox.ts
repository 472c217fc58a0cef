import type { Tool, ToolCall } from '../../ai/types.ts'
import type { Caller } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import { type AnyOperation, isWrite } from '../../kernel/operation.ts'
import {
  type ChatTool,
  MORE_TOOLS,
  openGroup,
  openingCall,
  perform,
  refusalText,
  type Tools,
  toolsFor,
  unknownTool,
  visibleTools,
} from '../tools/index.ts'
import type { HeldLeases } from './held-leases.ts'
import type { AgentRuntime } from './runtime.ts'

export const ASK_PERSON = 'ask_person'

/** Pauses the run until somebody answers. */
const askPersonTool: Tool = {
  name: ASK_PERSON,
  description:
    'Ask the people on the task a question that you need answered to continue. Your work waits until one of them answers.',
  schema: {
    type: 'object',
    properties: { question: { type: 'string', description: 'In plain words, with the choices' } },
    required: ['question'],
    additionalProperties: false,
  },
}

/** Native agents may not start other agents or change agents, or what belongs to people alone. */
const FORBIDDEN_WRITES = /^(runs|sessions|agents|webhooks|profile|accounts|keys|chat|invitations)\./

export interface ToolResult {
  text: string
  /** What the transcript shows of it. */
  summary: string
  isError: boolean
}

interface ToolboxOptions {
  runtime: AgentRuntime
  leases: HeldLeases
  /** The agent with its current rights. */
  caller(): Promise<Caller | undefined>
  /** Whether it may ask a person and wait. */
  canAskPerson: boolean
  /** The task of the run, and the comment that started the run. */
  task?(): { task_id: number; comment_id: number | null }
}

/** The tools of a native agent: what its token allows, except anything destructive. */
export class Toolbox {
  private readonly opened = new Set<string>()
  private readonly tools: Tools

  constructor(
    private readonly options: ToolboxOptions,
    caller: Caller,
  ) {
    const tools = toolsFor(options.runtime.catalog, caller)
    this.tools = new Map([...tools].filter(([, tool]) => isOffered(tool)))
  }

  readonly list = (): Tool[] => [
    ...visibleTools(this.tools, this.opened),
    ...(this.options.canAskPerson ? [askPersonTool] : []),
  ]

  readonly openingCall = (tool: string) => openingCall(this.tools, tool)

  titleOf({ tool, input }: ToolCall): string | undefined {
    return this.tools.get(tool)?.title(input)
  }

  /** An error is answered to the model, which may correct its call. */
  async call({ tool: name, input }: ToolCall): Promise<ToolResult> {
    try {
      if (name === MORE_TOOLS) return success(openGroup(this.tools, this.opened, input))
      const tool = this.tools.get(name)
      if (!tool) throw unknownTool(this.tools, name)
      return await this.perform(tool, input)
    } catch (error) {
      if (error instanceof Fault) return failure(refusalText(error), messageOf(error))
      this.options.runtime.log.error({ err: error, tool: name }, 'A call of a native agent failed')
      return failure('Something went wrong in Corkboard, and nothing was changed. Try another way.')
    }
  }

  private async perform(tool: ChatTool, rawInput: unknown): Promise<ToolResult> {
    const { runtime } = this.options
    if (tool.destroys(rawInput) || archives(tool, rawInput)) return failure(DESTRUCTIVE_REFUSED)
    // The rights are read for each call: the agent may have lost rights or been stopped meanwhile.
    const caller = await this.options.caller()
    if (!caller) return failure('You are stopped: end now.')
    const input = this.withDefaults(tool, rawInput)
    const { text, output, answer } = await perform(
      { dispatch: runtime.dispatch, caller },
      tool,
      input,
    )
    this.trackLeases(tool, input, answer.data)
    return { text, summary: summaryOf(output), isError: false }
  }

  /** Fills in the comment that is answered and the lease, so that the model need not give them. */
  private withDefaults({ op }: ChatTool, rawInput: unknown): unknown {
    if (typeof rawInput !== 'object' || rawInput === null || Array.isArray(rawInput))
      return rawInput
    const { leases } = this.options
    const input = { ...this.asReply(op, { ...rawInput }) }
    if (claimsLease(op, input)) return { ...input, ...leases.term() }
    const lease_id = op.guard && input.lease_id === undefined ? leases.leaseFor(input) : undefined
    return lease_id === undefined ? input : { ...input, lease_id }
  }

  private asReply({ name }: AnyOperation, input: Record<string, unknown>) {
    const { task_id, comment_id } = this.options.task?.() ?? {}
    const isHere = [task_id, this.options.leases.ticketNumberOf(task_id)].includes(
      (input.task_id ?? input.ticket_number) as never,
    )
    if (name !== 'comments.add' || !isHere || comment_id === null) return input
    return { reply_to_comment_id: comment_id, ...input }
  }

  private trackLeases({ op }: ChatTool, input: unknown, data: unknown) {
    const { leases } = this.options
    if (ENDS_LEASE.has(op.name)) leases.forget(input as Record<string, unknown>)
    if (op.name === 'leases.claim') leases.add(data as { lease_id: string })
    if (op.name === 'tasks.next')
      for (const { lease, ...task } of data as { lease?: { lease_id: string } }[])
        if (lease) leases.add({ ...task, ...lease })
  }
}

const ENDS_LEASE: ReadonlySet<string> = new Set(['leases.release', 'tasks.hand_over'])

const claimsLease = ({ name }: AnyOperation, { claim }: Record<string, unknown>) =>
  name === 'leases.claim' || (name === 'tasks.next' && claim === true)

const isOffered = ({ op }: ChatTool) =>
  op.destroys !== true && !(isWrite(op) && FORBIDDEN_WRITES.test(op.name))

/** Archiving counts as destructive: people could restore the task, but nobody would look for it. */
const archives = (tool: ChatTool, rawInput: unknown) =>
  tool.writes(rawInput) && (rawInput as { status?: unknown } | null)?.status === 'Archive'

/** The transcript shows the data of an answer without its envelope. */
const summaryOf = (output: unknown): string =>
  JSON.stringify((output as { data?: unknown } | null)?.data ?? output ?? null)

const DESTRUCTIVE_REFUSED =
  'Agents that Corkboard runs cannot delete or archive anything. Leave it, or create a decision request so that a person decides.'

const success = (text: string): ToolResult => ({ text, summary: text, isError: false })
const failure = (text: string, summary = text): ToolResult => ({ text, summary, isError: true })
const messageOf = ({ message, hint }: Fault) => (hint ? `${message}. ${hint}` : message)
