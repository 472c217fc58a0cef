import type { Called, Outcome } from '../ai/types.ts'
import type { KeptCall, Spot, Trouble } from '../features/chat/index.ts'
import type { Caller } from '../kernel/caller.ts'
import type { Dispatch } from '../kernel/dispatch.ts'
import { FAULTS, Fault } from '../kernel/fault.ts'
import type { Live } from './live.ts'
import {
  type Asking,
  type ChatTool,
  check,
  MORE_TOOLS,
  openGroup,
  perform,
  refused,
  type Tools,
  titled,
} from './tools/index.ts'

interface Parts {
  live: Live
  spot: Spot
  tools: Tools
  /** Groups of tools that were asked for. */
  opened: Set<string>
  dispatch: Dispatch
  /** The person with the rights of this moment. */
  again(): Promise<Caller>
  /** What broke is for the log; the person is told that something did. */
  broke(error: unknown): Trouble
}

/** The calls that a model makes in one answer: asked about, made, and told of. */
export class Calls {
  constructor(private readonly parts: Parts) {}

  /** One that cannot be read was never made. */
  refuse(called: Called, answer: string): void {
    const trouble = {
      error: 'Call unreadable',
      message: 'Nothing was done: this is no call that can be made',
    }
    this.parts.live.set({ ...bare(called), state: 'failed', trouble, answer })
  }

  async call(called: Called, signal: AbortSignal): Promise<Outcome> {
    if (called.tool === MORE_TOOLS) return { state: 'answered', text: this.open(called) }
    const tool = this.parts.tools.get(called.tool)!
    try {
      check(tool, called.input)
    } catch (error) {
      return { state: 'answered', text: this.failed(bare(called), error) }
    }
    const call = await this.card(called, tool)
    if (call.writes && !(await this.mayWrite(call, signal))) {
      this.parts.live.set({ ...call, state: 'waiting' })
      return { state: 'waiting' }
    }
    return { state: 'answered', text: await this.make(call) }
  }

  /** One that the person has said yes to, with the very input that they were shown. */
  async allowed(call_id: string): Promise<void> {
    await this.make(this.parts.live.find(call_id)!)
  }

  private async mayWrite({ destroys }: KeptCall, signal: AbortSignal): Promise<boolean> {
    const thread = await this.parts.live.keep()
    signal.throwIfAborted()
    return !destroys && thread!.allow_writes
  }

  private async card(called: Called, tool: ChatTool): Promise<KeptCall> {
    const { input } = called
    return {
      ...bare(called),
      title: await titled(await this.asking(), tool, input),
      writes: tool.writes(input),
      destroys: tool.destroys(input),
    }
  }

  private async asking(): Promise<Asking> {
    const { dispatch, again } = this.parts
    return { dispatch, caller: await again() }
  }

  /** It is kept as begun before it is made, so that nobody takes it for not made after a crash. */
  private async make(call: KeptCall): Promise<string> {
    const { live, spot, tools } = this.parts
    live.set({ ...call, state: 'running' })
    if (call.writes) await live.keep()
    live.signal.throwIfAborted()
    const tool = tools.get(call.tool)
    if (!tool) return this.failed(call, gone(call.tool))
    try {
      const key = `chat ${spot.thread_id} ${spot.number} ${call.call_id}`.slice(0, 200)
      const asking = { ...(await this.asking()), ...(call.writes && { key }) }
      const { text, output, undo } = await perform(asking, tool, call.input)
      const more = { output, can_undo: undo !== undefined, ...(undo && { undo }) }
      live.set({ ...call, state: 'done', answer: text, ...more })
      return text
    } catch (error) {
      return this.failed(call, error)
    }
  }

  private open(called: Called): string {
    const { tools, opened, live } = this.parts
    try {
      const answer = openGroup(tools, opened, called.input)
      live.set({ ...bare(called), title: 'Look for more tools', state: 'done', answer })
      return answer
    } catch (error) {
      return this.failed(bare(called), error)
    }
  }

  private failed(call: KeptCall, error: unknown): string {
    const { live, broke } = this.parts
    const isRefusal = error instanceof Fault
    const answer = isRefusal
      ? refused(error)
      : 'Something went wrong on the server: it may have been done or not.'
    const trouble = isRefusal ? troubleOf(error) : broke(error)
    live.set({ ...call, state: 'failed', trouble, answer })
    return answer
  }
}

const bare = ({ call_id, tool, input }: Called): KeptCall => ({
  ...{ type: 'call', call_id, tool, title: tool, input },
  ...{ writes: false, destroys: false, state: 'running', can_undo: false },
})

const gone = (tool: string) =>
  new Fault('forbidden', `You may not use ${tool} any more`, {}, 'Your rights have changed')

export const troubleOf = ({ code, message, hint, details }: Fault): Trouble => ({
  error: FAULTS[code],
  message,
  details,
  ...(hint !== undefined && { hint }),
})
