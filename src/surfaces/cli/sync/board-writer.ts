import type { Import, ImportApi, Result, WireRecord } from '../../../import/api.ts'
import type { OperationDescription } from '../../../kernel/operation.ts'
import type { Client } from '../client.ts'
import { requestFor } from '../request.ts'
import type { SyncState } from './base-file.ts'
import type { FilesSide } from './files-side.ts'

/** How many records a call may have. */
const MAX_RECORDS = 50
const MAX_BYTES = 4_500_000

interface Parts {
  client: Client
  catalog: readonly OperationDescription[]
  api: ImportApi
  team_id: number
  state: SyncState
}

/** Writes to boards as an import does, so that an import of the same files knows the same tasks. */
export class BoardWriter {
  private started: Import | undefined
  /** Whether something was written. */
  hasWritten = false

  constructor(private readonly parts: Parts) {}

  /** Writes records in order, with the people that they name before them. */
  async write(
    side: FilesSide,
    records: readonly WireRecord[],
    onResult: (record: WireRecord, result: Result) => void = () => {},
  ): Promise<void> {
    const { state } = this.parts
    const all = [...this.peopleFor(side, records), ...records]
    const again: WireRecord[] = []
    await this.send(side, all, (record, result) => {
      if ('person' in record) state.people[record.person.id] = result.row_id
      else onResult(record, result)
      if (result.unresolved) again.push(record)
    })
    await this.send(side, again, () => {})
  }

  async call(name: string, input: Record<string, unknown>): Promise<void> {
    const { client, catalog } = this.parts
    this.hasWritten = true
    await client.send(requestFor(catalog.find((op) => op.name === name)!, input))
  }

  async finish(): Promise<void> {
    if (this.started) await this.parts.api.finish(this.started.import_id)
  }

  private async send(
    side: FilesSide,
    records: readonly WireRecord[],
    onResult: (record: WireRecord, result: Result) => void,
  ): Promise<void> {
    const { api, team_id } = this.parts
    const { source, origin } = side.plan
    for (const batch of batchesOf(records)) {
      this.started ??= await api.start({ team_id, source: source.name, origin })
      this.hasWritten = true
      const results = await api.write(this.started.import_id, batch)
      for (const [at, record] of batch.entries()) onResult(record, results[at]!)
    }
  }

  private peopleFor({ people }: FilesSide, records: readonly WireRecord[]): WireRecord[] {
    const names = new Set(records.flatMap(peopleIn))
    const unknown = [...names].filter((name) => this.parts.state.people[name] === undefined)
    return unknown.flatMap((name) => {
      const person = people.get(name)
      return person ? [{ person }] : []
    })
  }
}

function peopleIn(record: WireRecord): string[] {
  if ('task' in record) {
    const { assignees = [], created_by } = record.task
    return [...assignees, ...(created_by === undefined ? [] : [created_by])]
  }
  return 'comment' in record && record.comment.author !== undefined ? [record.comment.author] : []
}

function* batchesOf(records: readonly WireRecord[]): Generator<WireRecord[]> {
  let batch: WireRecord[] = []
  let bytes = 0
  for (const record of records) {
    const size = Buffer.byteLength(JSON.stringify(record))
    if (batch.length && (batch.length >= MAX_RECORDS || bytes + size > MAX_BYTES)) {
      yield batch
      ;[batch, bytes] = [[], 0]
    }
    batch.push(record)
    bytes += size
  }
  if (batch.length) yield batch
}
