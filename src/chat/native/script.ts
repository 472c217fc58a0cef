import type { Heard } from '../../ai/types.ts'
import { noteRun, type Run } from '../../features/runs/index.ts'
import { cut } from './briefing.ts'
import type { Desk } from './desk.ts'

type Kind = 'message' | 'action' | 'result' | 'error'

const MOST = { input: 2_000, result: 4_000 }

/** Writes down what is said and done in a run, as whoever reads its transcript sees it. */
export class Script {
  private readonly lines: { kind: Kind; text: string }[] = []
  private words = ''
  /** What the agent said last. */
  last = ''

  constructor(
    private readonly desk: Desk,
    private readonly run: () => Run,
  ) {}

  hear(heard: Heard): void {
    if (heard.type === 'text') this.words += heard.text
    else this.gather()
    if (heard.type !== 'refused') return
    this.say('action', inWords(heard.call))
    this.say('error', heard.text)
  }

  say(kind: Kind, text: string): void {
    this.lines.push({ kind, text: cut(text, MOST.result) || '–' })
  }

  began(called: { tool: string; input: unknown }, title?: string): Promise<boolean> {
    this.say('action', title ? `${title}\n${inWords(called)}` : inWords(called))
    return this.write()
  }

  /** False where the run is not this one's any more. */
  async write(): Promise<boolean> {
    const { store, clock } = this.desk
    const lines = this.lines.splice(0)
    return !lines.length || store.write((tx) => noteRun(tx, this.run(), clock(), lines))
  }

  /** What was said in one go is one entry. */
  gather(): void {
    const words = this.words.trim()
    this.words = ''
    if (!words) return
    this.last = words
    this.lines.push({ kind: 'message', text: words })
  }
}

const inWords = ({ tool, input }: { tool: string; input: unknown }): string => {
  const given = typeof input === 'string' ? input : JSON.stringify(input)
  return cut(`${tool} ${given ?? ''}`.trim(), MOST.input)
}
