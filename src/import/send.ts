import type {
  Import,
  ImportApi,
  Origin,
  Outcome,
  Result,
  WireAttachment,
  WireRecord,
} from './api.ts'
import { applyMapping } from './apply-mapping.ts'
import { BatchSize, MAX_BYTES } from './batch-size.ts'
import { contentOf } from './check-records.ts'
import { FieldAccount } from './fields.ts'
import type { Mapping } from './mapping.ts'
import type { Plan } from './plan-types.ts'
import { Pace, type Progress } from './progress.ts'
import { readRecords } from './read-records.ts'
import type { Attachment } from './record.ts'
import { type RetryOptions, retrying, Stopped } from './retry.ts'
import { type FailedFile, FileSender } from './send-files.ts'
import type { Report, Source, SourceFile } from './source.ts'

export type { Progress } from './progress.ts'
export type { FailedFile } from './send-files.ts'

export interface SendOptions {
  source: Source
  /** The files of the plan. */
  files: readonly SourceFile[]
  plan: Plan
  mapping: Mapping
  api: ImportApi
  team_id: number
  onProgress?(progress: Progress): void
  /** Stops after the call in progress. */
  signal?: AbortSignal
  /** Tests replace the timers. */
  sleep?(milliseconds: number): Promise<void>
  now?(): number
}

export interface SendSummary {
  /** Whether it was stopped before the end. The same call continues it. */
  stopped: boolean
  /** Undefined if nothing was sent. */
  import: Import | undefined
  outcomes: Record<Outcome, number>
  /** Changed both here and in the source, so what is here was kept. */
  kept: SentRecord[]
  /** What of single records could not be written. */
  problems: (SentRecord & { problem: string })[]
  /** The number of records that refer to a task that is not imported. */
  unresolved: number
  failedFiles: FailedFile[]
}

export interface SentRecord {
  kind: string
  id: string
  title?: string
  ticket_number?: string
}

/** Sends everything that the mapping does not skip. Throws if the server refuses a record. */
export async function sendRecords(options: SendOptions): Promise<SendSummary> {
  const sender = new Sender(options)
  try {
    await sender.run()
  } catch (error) {
    await sender.settle()
    if (!(error instanceof Stopped)) throw error
  }
  return sender.summary
}

class Sender {
  readonly summary: SendSummary = {
    stopped: true,
    import: undefined,
    outcomes: { created: 0, updated: 0, unchanged: 0, kept: 0 },
    kept: [],
    problems: [],
    unresolved: 0,
    failedFiles: [],
  }
  private batch: WireRecord[] = []
  private batchBytes = 0
  /** The call in progress. The next batch is read meanwhile. */
  private inFlight: Promise<void> = Promise.resolve()
  /** Records that refer to tasks which were not there yet. */
  private unresolved: WireRecord[] = []
  private isRepeating = false
  private readonly files: Attachment[] = []
  private readonly size = new BatchSize()
  private readonly pace: Pace
  private readonly retry: RetryOptions
  private readonly now: () => number

  constructor(private readonly options: SendOptions) {
    const { plan, mapping, onProgress = () => {} } = options
    const sleep = (wait: number) => new Promise<void>((resolve) => setTimeout(resolve, wait))
    this.retry = {
      signal: options.signal ?? new AbortController().signal,
      sleep: options.sleep ?? sleep,
    }
    this.now = options.now ?? (() => performance.now())
    this.pace = new Pace(expectedRecords(plan, mapping), onProgress, this.now)
  }

  async run(): Promise<void> {
    const { source, files, mapping } = this.options
    for await (const record of applyMapping(readRecords(source, files, ignored(source)), mapping)) {
      if ('origin' in record) await this.start(record.origin)
      else if ('attachment' in record) this.files.push(record.attachment)
      else {
        // Relations come last, when all of the tasks are there.
        if ('relation' in record && !this.isRepeating) await this.repeatUnresolved()
        await this.add(record)
      }
    }
    if (!this.isRepeating) await this.repeatUnresolved()
    await this.flush()
    await this.sendFiles()
    this.summary.import = await this.call((api, id) => api.finish(id))
    this.summary.stopped = false
  }

  /** Waits for the call in progress, whatever its outcome. */
  settle = () => this.inFlight.catch(() => {})

  private async start(origin: Origin): Promise<void> {
    const { api, team_id, source } = this.options
    const mapping = JSON.stringify(this.options.mapping)
    const call = () => api.start({ team_id, source: source.name, origin, mapping })
    this.summary.import = await this.timed(0, call)
  }

  private async add(record: WireRecord): Promise<void> {
    const bytes = byteLength(JSON.stringify(record))
    if (this.batch.length && this.batchBytes + bytes > MAX_BYTES) await this.send()
    this.batch.push(record)
    this.batchBytes += bytes
    if (this.batch.length >= this.size.records) await this.send()
  }

  /** Sends the batch after the one before it, because records refer to earlier ones. */
  private async send(): Promise<void> {
    await this.inFlight
    if (this.retry.signal.aborted) throw new Stopped()
    const { batch } = this
    this.batch = []
    this.batchBytes = 0
    if (!batch.length) return
    this.inFlight = this.write(batch)
    // The failure is noticed before the next batch. Until then it must not count as unhandled.
    this.inFlight.catch(() => {})
  }

  private async flush(): Promise<void> {
    await this.send()
    await this.inFlight
  }

  private async write(batch: readonly WireRecord[]): Promise<void> {
    const results = await this.call((api, id) => api.write(id, batch), batch.length)
    for (const [at, record] of batch.entries()) this.note(record, results[at]!)
    this.pace.add(batch.length, this.summary.outcomes)
  }

  private note(record: WireRecord, result: Result): void {
    const { outcome, ticket_number, unresolved, problem } = result
    if (unresolved && this.isRepeating) this.summary.unresolved++
    else if (unresolved) this.unresolved.push(record)
    if (this.isRepeating && !('relation' in record)) return
    this.summary.outcomes[outcome]++
    const [kind, { id = '', title }] = contentOf(record)
    const sent: SentRecord = {
      ...{ kind, id, ...(title !== undefined && { title }) },
      ...(ticket_number !== undefined && { ticket_number }),
    }
    if (problem !== undefined) this.summary.problems.push({ ...sent, problem })
    else if (outcome === 'kept') this.summary.kept.push(sent)
  }

  private async repeatUnresolved(): Promise<void> {
    await this.flush()
    this.isRepeating = true
    this.pace.expect(this.unresolved.length)
    for (const record of this.unresolved) await this.add(record)
    this.unresolved = []
    await this.flush()
  }

  private async sendFiles(): Promise<void> {
    const { failedFiles, outcomes } = this.summary
    const attach = (attachment: WireAttachment) =>
      this.call((api, id) => api.attach(id, attachment))
    const files = new FileSender(attach, failedFiles)
    this.pace.begin('files', this.files.length)
    for (const file of this.files) {
      if (this.retry.signal.aborted) throw new Stopped()
      const outcome = await files.send(file)
      if (outcome) outcomes[outcome]++
      this.pace.add(1, outcomes)
    }
  }

  private call<T>(
    call: (api: ImportApi, import_id: Import['import_id']) => Promise<T>,
    records = 0,
  ): Promise<T> {
    const { api } = this.options
    return this.timed(records, () => call(api, this.summary.import!.import_id))
  }

  private timed<T>(records: number, call: () => Promise<T>): Promise<T> {
    const attempt = async () => {
      const start = this.now()
      const answer = await call()
      this.size.learn(this.now() - start, records)
      return answer
    }
    return retrying(attempt, this.retry)
  }
}

/** The plan has counted the fields and losses already. */
const ignored = (source: Source): Report => ({
  fields: new FieldAccount(source.fields),
  lose: () => {},
})

const encoder = new TextEncoder()
const byteLength = (text: string) => encoder.encode(text).length

/** The number of records to send. Relations of skipped boards count, although they are not sent. */
function expectedRecords({ boards, people, counts }: Plan, mapping: Mapping): number {
  const skipped = new Set(mapping.boards.filter(({ skip }) => skip).map(({ id }) => id))
  const sent = boards.filter(({ id }) => !skipped.has(id))
  const onBoards = sent.reduce((sum, { records, files }) => sum + 1 + records - files, 0)
  return onBoards + people.filter(({ uses }) => uses).length + counts.relation
}
