import type { Logger } from 'pino'
import type { Store } from '../../../../../kernel/dispatch.ts'
import { Fault } from '../../../../../kernel/fault.ts'
import type { FileStore } from '../../../../../kernel/services.ts'
import type { ReadText } from '../../../../../search/file-text/reader.ts'
import type { PassageIndex } from '../../../../../search/passage-index/types.ts'
import { idList } from '../../../../../store/id-list.ts'
import { fileStatements } from './statements.ts'
import { loadTexts } from './texts.ts'

/** Characters that are read before they are written to the index. */
const BATCH_LENGTH = 64 * 1024
/** When a file is read again that could not be loaded. */
const RETRY_MS = 30_000

/** Where the bytes of attached files are, and what reads their texts. */
export interface FileTextSource {
  files: Pick<FileStore, 'read'>
  readText: ReadText
}

export interface FileTextsOptions extends FileTextSource {
  store: Pick<Store, 'read'>
  index: Pick<PassageIndex, 'position' | 'apply' | 'unreadFiles' | 'recordAttempt'>
  log: Pick<Logger, 'info' | 'warn'>
  /** Called when texts are ready for `apply`. */
  onReady(): void
}

/**
 * Reads the texts of attached files in the background, after their names are in the index. What is
 * unread is stored in the index, so a restart loses nothing. Other texts do not wait for files.
 */
export class FileTexts {
  /** Texts by attachment, which are not in the index yet. */
  private readonly texts = new Map<number, string>()
  private readonly retryAt = new Map<number, number>()
  private reading: Promise<void> | undefined
  private stopped = false

  constructor(private readonly options: FileTextsOptions) {}

  /** Writes the texts that are ready to the index, and reads the next ones. */
  async step(): Promise<void> {
    if (this.reading) return
    await this.apply()
    if (this.stopped) return
    this.reading = this.readBatch().finally(() => {
      this.reading = undefined
      if (this.texts.size && !this.stopped) this.options.onReady()
    })
  }

  /** Waits for the current file. */
  async stop(): Promise<void> {
    this.stopped = true
    await this.reading
  }

  /** The rows are loaded again, because a file may be deleted or moved while it is read. */
  private async apply(): Promise<void> {
    if (!this.texts.size) return
    const { store, index } = this.options
    const refs = [...this.texts.keys()].map((id) => ({ kind: 'file' as const, id, bytes: 0 }))
    const from = await index.position()
    const { put, deleted } = await store.read((tx) => loadTexts(tx, refs))
    const texts = put.map((row) => ({ ...row, text: this.texts.get(row.id) }))
    this.texts.clear()
    if (from) await index.apply({ put: texts, deleted, from, position: undefined })
  }

  private async readBatch(): Promise<void> {
    const now = performance.now()
    let length = 0
    for (const id of await this.options.index.unreadFiles().catch(() => [])) {
      if (this.stopped || length > BATCH_LENGTH) return
      if ((this.retryAt.get(id) ?? 0) > now) continue
      try {
        const text = await this.read(id)
        if (text !== undefined) this.texts.set(id, text)
        length += text?.length ?? 0
        this.retryAt.delete(id)
      } catch (error) {
        this.postpone(id, error)
      }
    }
  }

  /** Undefined if the attachment was deleted. Throws if its bytes are unavailable at present. */
  private async read(id: number): Promise<string | undefined> {
    const { store, files, index, log, readText } = this.options
    const [row] = await store.read((tx) => fileStatements(tx).read.execute({ ids: idList([id]) }))
    if (!row) return undefined
    const stored = await files.read(row.sha256)
    const bytes = stored && (await new Response(stored).bytes())
    const about = { attachment_id: id }
    if (!bytes) {
      log.warn(about, 'The file of an attachment is missing; it is found by name only')
      return ''
    }
    await index.recordAttempt(id)
    try {
      return await readText(bytes, row.title)
    } catch (error) {
      if (error instanceof Fault && error.code === 'unavailable') throw error
      log.info({ ...about, why: String(error) }, 'An attached file is found by name only')
      return ''
    }
  }

  private postpone(id: number, error: unknown): void {
    const isFirst = !this.retryAt.has(id)
    this.retryAt.set(id, performance.now() + RETRY_MS)
    if (isFirst)
      this.options.log.warn(
        { err: error, attachment_id: id },
        'A file cannot be read now; retrying',
      )
  }
}
