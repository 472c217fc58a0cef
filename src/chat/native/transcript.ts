import type { TurnEvent } from '../../ai/types.ts'
import { appendToRun, type Run } from '../../features/agents/runs/model/index.ts'
import { truncate } from './briefing.ts'
import type { AgentRuntime } from './runtime.ts'

type Kind = 'message' | 'action' | 'result' | 'error'

const LIMITS = { input: 2_000, result: 4_000 }

/** Writes the transcript of a run as people read it. */
export class TranscriptWriter {
  private readonly entries: { kind: Kind; text: string }[] = []
  private text = ''
  /** The last text of the agent. */
  lastText = ''

  constructor(
    private readonly runtime: AgentRuntime,
    private readonly run: () => Run,
  ) {}

  onModelEvent(event: TurnEvent): void {
    if (event.type === 'text') this.text += event.text
    else this.flushText()
    if (event.type !== 'refused') return
    this.add('action', callText(event.call))
    this.add('error', event.text)
  }

  add(kind: Kind, text: string): void {
    this.entries.push({ kind, text: truncate(text, LIMITS.result) || '–' })
  }

  recordCall(call: { tool: string; input: unknown }, title?: string): Promise<boolean> {
    this.add('action', title ? `${title}\n${callText(call)}` : callText(call))
    return this.write()
  }

  /** False if another server has taken the run. */
  async write(): Promise<boolean> {
    const { store, clock } = this.runtime
    const entries = this.entries.splice(0)
    return !entries.length || store.write((tx) => appendToRun(tx, this.run(), clock(), entries))
  }

  /** Text that the model wrote in one go becomes one entry. */
  flushText(): void {
    const text = this.text.trim()
    this.text = ''
    if (!text) return
    this.lastText = text
    this.entries.push({ kind: 'message', text })
  }
}

const callText = ({ tool, input }: { tool: string; input: unknown }): string => {
  const json = typeof input === 'string' ? input : JSON.stringify(input)
  return truncate(`${tool} ${json ?? ''}`.trim(), LIMITS.input)
}
