import { expect } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import {
  AttachmentRecord,
  MAX_RECORDS,
  WrittenRecord,
} from '../../src/features/boards/imports/model/schema.ts'
import {
  type Import,
  type ImportApi,
  ImportApiError,
  type Result,
  type WireAttachment,
  type WireRecord,
} from '../../src/import/api.ts'
import { contentOf } from '../../src/import/check-records.ts'

type Content = Record<string, unknown> & { id?: string }

/** Keeps what is imported in memory, with the rules of a server for order and repetition. */
export class FakeServer implements ImportApi {
  /** By kind and id. */
  readonly rows = new Map<string, unknown>()
  readonly batches: string[][] = []
  readonly finished: unknown[] = []
  /** Thrown instead of answering, one for each call. */
  failures: (Error | undefined)[] = []
  /** Called before each batch is written. */
  onWrite: () => void = () => {}
  private readonly imported: Import = {
    ...{ import_id: 7, source: 'records', title: 'Harbour', state: 'running', projects: [] },
    ...{ tasks: 0, comments: 0, attachments: 0, time_entries: 0, relations: 0 },
  }

  preview: ImportApi['preview'] = async ({ people, boards }) => ({
    import: null,
    mapping: null,
    people: people.map(({ id, name }) => ({
      ...(id === 'ana'
        ? { id, user_id: 3, name, by: 'email' as const }
        : { id, user_id: null, name: null, by: null }),
    })),
    boards: boards.map(({ id, key }) => ({ id, project_id: null, key: key ?? 'NEW' })),
  })

  start: ImportApi['start'] = async () => {
    this.fail()
    return this.imported
  }

  write: ImportApi['write'] = async (_id, records) => {
    this.onWrite()
    this.fail()
    expect(records.length).toBeLessThanOrEqual(MAX_RECORDS)
    const before = new Map(this.rows)
    this.batches.push(records.map(nameOf))
    try {
      return records.map((record) => this.put(record))
    } catch (error) {
      this.rows.clear()
      for (const [name, row] of before) this.rows.set(name, row)
      throw error
    }
  }

  attach: ImportApi['attach'] = async (_id, attachment) => {
    this.fail()
    expect([...Value.Errors(AttachmentRecord, attachment)]).toEqual([])
    this.require('task', attachment.task)
    if (attachment.created_by) this.require('person', attachment.created_by)
    return this.store(nameOf({ attachment }), attachment, false)
  }

  finish: ImportApi['finish'] = async (id) => {
    this.fail()
    this.finished.push(id)
    return { ...this.imported, state: 'finished' }
  }

  private fail(): void {
    const failure = this.failures.shift()
    if (failure) throw failure
  }

  private put(record: WireRecord): Result {
    const [, content] = contentOf(record as never) as [string, Content]
    expect([...Value.Errors(WrittenRecord, record)]).toEqual([])
    const { board, task, first, second, assignees = [], created_by, author, who } = content
    for (const person of [...(assignees as string[]), created_by, author, who])
      if (person) this.require('person', person)
    if (board) this.require('board', board)
    for (const id of [task, first, second]) if (id) this.require('task', id)
    const targets = [content.parent, ...linksIn(content.description), ...linksIn(content.text)]
    const isUnresolved = targets.some((id) => id && !this.rows.has(`task ${id}`))
    const stored = isUnresolved ? { ...content, isUnresolved } : content
    return this.store(nameOf(record), stored, isUnresolved)
  }

  private store(name: string, row: unknown, unresolved: boolean): Result {
    const before = this.rows.get(name)
    const isSame = Bun.deepEquals(before, row)
    this.rows.set(name, row)
    const outcome = before === undefined ? 'created' : isSame ? 'unchanged' : 'updated'
    return { outcome, row_id: 1, ...(unresolved && { unresolved }) }
  }

  private require(kind: string, id: unknown): void {
    if (!this.rows.has(`${kind} ${id}`))
      throw new ImportApiError(`There is no ${kind} "${id}" in this import`, 400)
  }
}

const linksIn = (text: unknown) =>
  typeof text === 'string' ? [...text.matchAll(/\(task:(\w+)\)/g)].map(([, id]) => id) : []

const nameOf = (record: WireRecord | { attachment: WireAttachment }): string => {
  const [kind, content] = contentOf(record as never) as [string, Content]
  return `${kind} ${content.id ?? `${content.first} ${content.kind} ${content.second}`}`
}
