import type { Logger } from 'pino'
import type { PassageIndex } from '../../../../../search/passage-index/types.ts'
import type { OpenStore } from '../../../../../store/store.ts'
import { type FileTextSource, FileTexts } from './file-texts.ts'
import { IndexSync, type SyncOptions } from './index-sync.ts'

/** Polls, because other processes write too and failures are retried. */
const POLL_MS = 1000
/** Under load, reading many changes at once costs writers less than reading each one. */
const GATHER_MS = 50
/** A longer lag is reported to callers. */
const MAX_LAG_MS = 1500

export interface WatcherOptions extends SyncOptions {
  store: Pick<OpenStore, 'read' | 'onCommit'>
  index: SyncOptions['index'] & Pick<PassageIndex, 'unreadFiles' | 'recordAttempt'>
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Without it, attached files are found by name only. */
  fileTexts?: FileTextSource | undefined
}

/** Keeps the search index up to date with the database, a moment after each write. */
export class IndexWatcher {
  private readonly sync: IndexSync
  private readonly files: FileTexts | undefined
  private stopped = false
  private isPending = true
  private running: Promise<void> | undefined
  private failure = ''
  /** Since when changes may be pending. */
  private behind: number | undefined
  private readonly unsubscribe: () => void
  private readonly timer: Timer

  constructor(private readonly options: WatcherOptions) {
    this.sync = new IndexSync(options, () => this.stopped)
    const { fileTexts } = options
    this.files =
      fileTexts && new FileTexts({ ...options, ...fileTexts, onReady: () => this.wake() })
    this.unsubscribe = options.store.onCommit(() => this.wake())
    this.timer = setInterval(() => this.wake(), POLL_MS)
    this.wake()
  }

  /** The index contains everything older than `MAX_LAG_MS`. */
  get isCaughtUp(): boolean {
    const { sync, behind: pendingSince } = this
    return (
      sync.isCaughtUp &&
      (pendingSince === undefined || performance.now() - pendingSince < MAX_LAG_MS)
    )
  }

  /** The index failed or was cleared, so its state must be checked again. */
  invalidate(): void {
    this.sync.isCaughtUp = false
    this.wake()
  }

  /** Waits for the current transfer; the rest continues at the next start. */
  async stop(): Promise<void> {
    this.stopped = true
    this.unsubscribe()
    clearInterval(this.timer)
    await this.files?.stop()
    await this.running
  }

  private wake() {
    this.isPending = true
    this.behind ??= performance.now()
    if (!this.stopped) this.running ??= this.run()
  }

  private async run() {
    while (this.isPending && !this.stopped) {
      await Bun.sleep(GATHER_MS)
      this.isPending = false
      try {
        while (!this.stopped && !(await this.sync.step()));
        if (!this.stopped) await this.files?.step()
        this.failure = ''
        if (!this.isPending) this.behind = undefined
      } catch (error) {
        this.reportFailure(error)
      }
    }
    this.running = undefined
  }

  /** Logs a repeated failure only once. */
  private reportFailure(error: unknown) {
    const failure = String(error)
    if (failure !== this.failure)
      this.options.log.error({ err: error }, 'Updating the search index failed; retrying')
    this.failure = failure
  }
}
