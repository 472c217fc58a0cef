import type { Caller } from '../../../kernel/caller.ts'
import type { Dependency } from '../../../kernel/changes.ts'
import { Fault } from '../../../kernel/fault.ts'
import type { Subject } from './kinds.ts'
import { isStale, type LiveChange } from './staleness.ts'

/** Opens the live stream of a caller: the changes from now on that the caller may see. */
export type OpenChanges = (caller: Caller) => Promise<ReadableStream<Uint8Array>>

/** The most resources that one stream can watch. */
export const MAX_WATCHED = 100

interface Watched {
  subject: Subject
  dependencies: readonly Dependency[]
}

interface Parts {
  open(): ReturnType<OpenChanges>
  onUpdate(uri: string): void
  /** The stream ended: the credential is no longer valid, or the server stops. */
  onEnd?(): void
  onError(error: unknown): void
}

/**
 * Notifies about changes of resources. It reads the same stream of events that
 * `GET /api/v1/events` sends, so access is checked there, and nothing is read without subscribers.
 */
export class ResourceWatch {
  private readonly watched = new Map<string, Watched>()
  private reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  private opening: Promise<void> | undefined
  private isClosed = false

  constructor(private readonly parts: Parts) {}

  /** Starts before the resource is read, so that no change in between is missed. */
  start(): Promise<void> {
    this.opening ??= this.open().catch((error) => {
      this.opening = undefined
      throw error
    })
    return this.opening
  }

  private async open() {
    const stream = await this.parts.open()
    this.reader = stream.getReader()
    if (this.isClosed) void this.reader.cancel()
    else void this.follow(this.reader)
  }

  add(uri: string, watched: Watched) {
    if (this.watched.size >= MAX_WATCHED && !this.watched.has(uri))
      throw new Fault(
        'rate_limited',
        `One stream can watch at most ${MAX_WATCHED} resources`,
        {},
        'Unsubscribe from some, or subscribe to their board',
      )
    this.watched.set(uri, watched)
  }

  remove(uri: string) {
    this.watched.delete(uri)
  }

  close() {
    this.isClosed = true
    void this.reader?.cancel().catch(() => undefined)
  }

  private async follow(reader: ReadableStreamDefaultReader<Uint8Array>) {
    const decoder = new TextDecoder()
    let rest = ''
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) break
        const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n')
        rest = blocks.pop()!
        this.notify(blocks.flatMap(changeOf))
      }
    } catch (error) {
      this.parts.onError(error)
    }
    if (!this.isClosed) this.parts.onEnd?.()
  }

  /** The changes of a transaction arrive together, and cause one notification per resource. */
  private notify(changes: readonly LiveChange[]) {
    for (const [uri, { subject, dependencies }] of this.watched) {
      const stale = changes.filter((change) => isStale(subject, dependencies, change))
      for (const change of stale) followMove(subject, change)
      if (stale.length) this.parts.onUpdate(uri)
    }
  }
}

/** A task may move to another board, whose changes concern it from then on. */
function followMove(subject: Subject, { data, project_id }: LiveChange) {
  if (subject.task_id !== undefined && data.task_id === subject.task_id && project_id !== null)
    subject.project_id = project_id
}

function changeOf(block: string): LiveChange[] {
  const data = block
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice('data: '.length))
  return data.length ? [JSON.parse(data.join('\n')) as LiveChange] : []
}
