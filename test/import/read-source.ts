import { expect } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { FieldAccount } from '../../src/import/fields.ts'
import { type ImportRecord, Origin, RECORDS } from '../../src/import/record.ts'
import type { Source, SourceFile } from '../../src/import/source.ts'

const FIXTURES = join(import.meta.dir, 'fixtures')

/** The files of a fixture: one file, or all files of a folder. */
export async function fixtureFiles(path: string): Promise<SourceFile[]> {
  const root = join(FIXTURES, path)
  const names = (await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
  const paths = names.length ? names.sort() : ['']
  return paths.map((name) => {
    const file = Bun.file(join(root, name))
    return {
      path: name.replaceAll('\\', '/') || path.split('/').at(-1)!,
      size: file.size,
      bytes: () => file.bytes(),
    }
  })
}

export interface Reading {
  records: ImportRecord[]
  losses: string[]
  fields: FieldAccount
}

type Kinds = { [R in ImportRecord as keyof R & string]: R[keyof R] }

/** Reads files with a source and checks that every record is valid and in order. */
export async function readSource(source: Source, files: readonly SourceFile[]): Promise<Reading> {
  const fields = new FieldAccount(source.fields)
  const losses: string[] = []
  const records: ImportRecord[] = []
  const lose = (what: string, why: string) => void losses.push(`${what}: ${why}`)
  for await (const record of source.read(files, { fields, lose })) records.push(record)
  checkRecords(records)
  return { records, losses, fields }
}

/** The records of one kind. */
export const recordsOf = <K extends keyof Kinds>({ records }: Reading, kind: K): Kinds[K][] =>
  records.flatMap((record) => (kind in record ? [(record as unknown as Kinds)[kind]] : []))

/** Each field in the fixtures is declared, and each declared field is in the fixtures. */
export function expectAllFields(source: Source, ...readings: Reading[]): void {
  const unknown = readings.flatMap(({ fields }) => [...fields.unknown.keys()])
  expect(unknown).toEqual([])
  const seen = new Set(readings.flatMap(({ fields }) => [...fields.seen]))
  expect(Object.keys(source.fields).filter((path) => !seen.has(path))).toEqual([])
}

const ORDER = ['origin', 'person', 'board', 'task', 'relation']

function checkRecords(records: readonly ImportRecord[]): void {
  const ids = new Map<string, Set<string>>()
  let stage = -1
  expect(Object.keys(records[0]!)).toEqual(['origin'])
  for (const record of records) {
    const [[kind, content]] = Object.entries(record) as [[keyof Kinds, Record<string, unknown>]]
    const type = kind === 'origin' ? Origin : RECORDS[kind]
    const { bytes: _, ...plain } = content
    expect(
      [...Value.Errors(type, plain)].map(({ path, message, value }) => [
        kind,
        path,
        message,
        value,
      ]),
    ).toEqual([])
    const next = ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.indexOf('task')
    expect(next, `${kind} is out of order`).toBeGreaterThanOrEqual(stage)
    stage = next
    if (kind === 'relation') continue
    const known = ids.get(kind) ?? new Set()
    ids.set(kind, known)
    expect(known.has(content.id as string), `two of kind ${kind} with id ${content.id}`).toBe(false)
    known.add(content.id as string)
  }
  checkReferences(records, ids)
}

function checkReferences(records: readonly ImportRecord[], ids: Map<string, Set<string>>): void {
  const expectKnown = (kind: string, id: string | undefined) => {
    if (id !== undefined) expect(ids.get(kind)?.has(id), `${kind} ${id} is unknown`).toBe(true)
  }
  for (const record of records)
    if ('task' in record) {
      const { board, parent, assignees = [], created_by, column } = record.task
      expectKnown('board', board)
      expectKnown('task', parent)
      for (const person of [...assignees, created_by]) expectKnown('person', person)
      const columns = records.flatMap((other) =>
        'board' in other && other.board.id === board ? other.board.columns : [],
      )
      expect(columns.map(({ title }) => title)).toContain(column)
    } else if ('comment' in record) {
      expectKnown('task', record.comment.task)
      expectKnown('person', record.comment.author)
      expectKnown('comment', record.comment.reply_to)
    } else if ('attachment' in record) {
      expectKnown('task', record.attachment.task)
      expectKnown('comment', record.attachment.comment)
      expectKnown('person', record.attachment.created_by)
    } else if ('time_entry' in record) {
      expectKnown('task', record.time_entry.task)
      expectKnown('person', record.time_entry.who)
    } else if ('relation' in record) {
      expectKnown('task', record.relation.first)
      expectKnown('task', record.relation.second)
    }
}
