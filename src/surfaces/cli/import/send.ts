import type { ImportApi } from '../../../import/api.ts'
import type { Mapping } from '../../../import/mapping.ts'
import type { Plan } from '../../../import/plan.ts'
import { type Progress, type SendSummary, sendRecords } from '../../../import/send.ts'
import type { Source, SourceFile } from '../../../import/source.ts'
import { type Progress as Bar, progress, type Stream } from '../progress.ts'
import { paceText } from './bar.ts'
import type { ImportContext } from './context.ts'
import { boardsOf, summaryText } from './show-summary.ts'

/** The exit code of a process that SIGINT ended, by shell convention. */
const INTERRUPTED = 130

interface Input {
  source: Source
  files: readonly SourceFile[]
  plan: Plan
  mapping: Mapping
  api: ImportApi
  team_id: number
}

/** Sends everything, and prints what has become of it. Ctrl-C pauses. */
export async function send(context: ImportContext, input: Input): Promise<number> {
  const { io, values, client } = context
  const summary = await sendWithProgress(context, input)
  const result = { ...summary, boards: boardsOf(summary, client.url) }
  if (values.json !== undefined) io.out(JSON.stringify(result))
  else if (!summary.stopped) io.out(summaryText(summary, input.plan.source.title, client.url))
  if (!summary.stopped) return 0
  io.err('Paused. Run the same command again to continue.')
  return INTERRUPTED
}

async function sendWithProgress({ io, stream }: ImportContext, input: Input): Promise<SendSummary> {
  const stop = new AbortController()
  const stopListening = io.onInterrupt(() => {
    if (stop.signal.aborted) process.exit(INTERRUPTED)
    io.err('\nPausing after the call in progress.')
    stop.abort()
  })
  const bars = new Bars(stream)
  try {
    return await sendRecords({
      ...{ ...input, signal: stop.signal, sleep: io.sleep },
      onProgress: (progress) => bars.at(progress),
    })
  } catch (error) {
    io.err('The import stopped. Run the same command again to continue.')
    throw error
  } finally {
    stopListening()
    bars.end()
  }
}

/** A bar for the records, and one for the files. */
class Bars {
  private phase: Progress['phase'] | undefined
  private bar: Bar | undefined
  private done = 0

  constructor(private readonly stream: Stream) {}

  at({ phase, done, total, perSecond, secondsLeft }: Progress): void {
    if (phase !== this.phase) {
      this.end()
      const label = phase === 'files' ? 'Importing files' : 'Importing'
      this.bar = progress(label, total, this.stream)
      this.phase = phase
    }
    this.done = done
    this.bar!.at(done, paceText(perSecond, secondsLeft))
  }

  end(): void {
    this.bar?.end(`${this.done} ${this.phase}`)
    this.bar = undefined
  }
}
