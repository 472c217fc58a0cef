import type { CallOutcome, ToolCall } from '../ai/types.ts'
import type { MessageRef, StoredCall, Trouble } from '../features/conversation/chat/model/index.ts'
import type { Caller } from '../kernel/caller.ts'
import type { Dispatch } from '../kernel/dispatch.ts'
import { FAULTS, Fault } from '../kernel/fault.ts'
import type { LiveAnswer } from './live.ts'
import {
  type ChatTool,
  callTitle,
  check,
  MORE_TOOLS,
  openGroup,
  perform,
  refusalText,
  type ToolContext,
  type Tools,
} from './tools/index.ts'

interface CallsContext {
  live: LiveAnswer
  spot: MessageRef
  tools: Tools
  /** The tool groups that the model has opened. */
  opened: Set<string>
  dispatch: Dispatch
  /** The person with their current rights. */
  currentCaller(): Promise<Caller>
  /** Logs an unexpected error; returns what the person sees instead. */
  reportError(error: unknown): Trouble
}

/** Handles the tool calls of one answer: asks for approval, runs them and reports their state. */
export class Calls {
  constructor(private readonly parts: CallsContext) {}

  /** Records a call whose input cannot be parsed. */
  recordUnreadable(request: ToolCall, answer: string): void {
    const trouble = {
      error: 'Call unreadable',
      message: 'Nothing was done: this is not a valid call',
    }
    this.parts.live.setCall({ ...newCall(request), state: 'failed', trouble, answer })
  }

  async call(request: ToolCall, signal: AbortSignal): Promise<CallOutcome> {
    if (request.tool === MORE_TOOLS) return { state: 'answered', text: this.openTools(request) }
    const tool = this.parts.tools.get(request.tool)!
    try {
      check(tool, request.input)
    } catch (error) {
      return { state: 'answered', text: this.failed(newCall(request), error) }
    }
    const call = await this.describe(request, tool)
    if (call.writes && !(await this.mayWrite(call, signal))) {
      this.parts.live.setCall({ ...call, state: 'waiting' })
      return { state: 'waiting' }
    }
    return { state: 'answered', text: await this.execute(call) }
  }

  /** Runs a call that the person approved, with the input that they were shown. */
  async runApproved(call_id: string): Promise<void> {
    await this.execute(this.parts.live.find(call_id)!)
  }

  private async mayWrite({ destroys }: StoredCall, signal: AbortSignal): Promise<boolean> {
    const thread = await this.parts.live.save()
    signal.throwIfAborted()
    return !destroys && thread!.allow_writes
  }

  private async describe(request: ToolCall, tool: ChatTool): Promise<StoredCall> {
    const { input } = request
    return {
      ...newCall(request),
      title: await callTitle(await this.toolContext(), tool, input),
      writes: tool.writes(input),
      destroys: tool.destroys(input),
    }
  }

  private async toolContext(): Promise<ToolContext> {
    const { dispatch, currentCaller } = this.parts
    return { dispatch, caller: await currentCaller() }
  }

  /**
   * A writing call is stored as running before it runs, so that after a crash nobody assumes that
   * it did not run.
   */
  private async execute(call: StoredCall): Promise<string> {
    const { live, spot, tools } = this.parts
    live.setCall({ ...call, state: 'running' })
    if (call.writes) await live.save()
    live.signal.throwIfAborted()
    const tool = tools.get(call.tool)
    if (!tool) return this.failed(call, toolUnavailable(call.tool))
    try {
      const key = `chat ${spot.thread_id} ${spot.number} ${call.call_id}`.slice(0, 200)
      const context = { ...(await this.toolContext()), ...(call.writes && { key }) }
      const { text, output, undo } = await perform(context, tool, call.input)
      const extra = { output, can_undo: undo !== undefined, ...(undo && { undo }) }
      live.setCall({ ...call, state: 'done', answer: text, ...extra })
      return text
    } catch (error) {
      return this.failed(call, error)
    }
  }

  private openTools(request: ToolCall): string {
    const { tools, opened, live } = this.parts
    try {
      const answer = openGroup(tools, opened, request.input)
      live.setCall({ ...newCall(request), title: 'Look for more tools', state: 'done', answer })
      return answer
    } catch (error) {
      return this.failed(newCall(request), error)
    }
  }

  private failed(call: StoredCall, error: unknown): string {
    const { live, reportError } = this.parts
    const isRefusal = error instanceof Fault
    const answer = isRefusal
      ? refusalText(error)
      : 'Something went wrong on the server. The call may or may not have been made.'
    const trouble = isRefusal ? troubleOf(error) : reportError(error)
    live.setCall({ ...call, state: 'failed', trouble, answer })
    return answer
  }
}

const newCall = ({ call_id, tool, input }: ToolCall): StoredCall => ({
  type: 'call',
  call_id,
  tool,
  title: tool,
  input,
  writes: false,
  destroys: false,
  state: 'running',
  can_undo: false,
})

const toolUnavailable = (tool: string) =>
  new Fault('forbidden', `You may no longer use ${tool}`, {}, 'Your permissions have changed')

export const troubleOf = ({ code, message, hint, details }: Fault): Trouble => ({
  error: FAULTS[code],
  message,
  details,
  ...(hint !== undefined && { hint }),
})
