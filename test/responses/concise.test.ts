import { beforeAll, describe, expect, test } from 'bun:test'
import { type TSchema, Type as t } from '@sinclair/typebox'
import { toConcise } from '../../src/kernel/concise.ts'
import { type AnyOperation, isWrite, toArray } from '../../src/kernel/operation.ts'
import { callTool } from '../support/surface-calls.ts'
import { type World, world } from '../support/world.ts'
import { unexplainedDifferences } from './concise-differences.ts'
import { callerFor, inputFor, operations, responsesOf, samplesOf } from './requests.ts'

type Fields = Record<string, unknown>

let shared: World
beforeAll(async () => {
  shared = await world({ full: true })
})

const rowsOf = ({ output }: AnyOperation): TSchema =>
  output.list ? output.properties.items : output
const isTool = ({ on }: AnyOperation) => toArray(on.mcp).length > 0
const reads = operations.filter((op) => !isWrite(op))

async function call(w: World, op: AnyOperation, input: Fields, response_format: string) {
  const [tool, action] = toArray(op.on.mcp)[0]!.split('.')
  const response = await callTool(w, callerFor(w, op), tool, { action, input, response_format })
  expect(response.body.result.isError).toBeUndefined()
  return response.body.result.structuredContent.data
}

for (const op of reads.filter(isTool))
  test(`${op.name} omits only empty or listed fields in its concise form`, async () => {
    const w = op.uncached ? await world({ full: true }) : shared
    for (const sample of samplesOf(op)) {
      const input = await inputFor(w, op, sample)
      const detailed = await call(w, op, input, 'detailed')
      const concise = await call(w, op, input, 'concise')
      expect(unexplainedDifferences(rowsOf(op), detailed, concise)).toEqual([])
    }
  })

for (const op of reads.filter((one) => !isTool(one)))
  test(`${op.name}, which is not a tool, omits only empty or listed fields in its concise form`, async () => {
    for (const { outcome } of await responsesOf(op, shared))
      expect(
        unexplainedDifferences(rowsOf(op), outcome.data, toConcise(rowsOf(op), outcome.data)),
      ).toEqual([])
  })

test('every listed omission is a declared field of its record and has a reason', () => {
  const visited = new Set<TSchema>()
  const undeclared: string[] = []
  const isDeclared = (record: TSchema, path: string) => {
    const [name = '', inner] = path.split('.')
    const field: TSchema | undefined = record.properties[name]
    return inner ? inner in ((field?.items ?? field)?.properties ?? {}) : field !== undefined
  }
  const visit = (schema: TSchema, path: string): void => {
    if (visited.has(schema)) return
    visited.add(schema)
    for (const [field, reason] of Object.entries(schema.omits ?? {}))
      if (!reason || !isDeclared(schema, field)) undeclared.push(`${path}.${field}`)
    for (const one of schema.anyOf ?? []) visit(one, path)
    if (schema.items) visit(schema.items, `${path}[]`)
    for (const [name, one] of Object.entries<TSchema>(schema.properties ?? {}))
      visit(one, `${path}.${name}`)
  }
  for (const op of operations) visit(op.output, op.name)
  expect(undeclared).toEqual([])
})

describe('the check finds', () => {
  const Row = t.Object(
    { id: t.Integer(), name: t.String(), due: t.String(), tags: t.Array(t.String()) },
    { omits: { id: 'the name is unique' } },
  )
  const row = { id: 1, name: 'a', due: '2026-11-20', tags: [] }
  const differencesOf = (concise: unknown) => unexplainedDifferences(Row, row, concise)

  test('nothing in the declared concise form', () =>
    expect(differencesOf(toConcise(Row, row))).toEqual([]))
  test('a missing field', () => expect(differencesOf({ name: 'a' })).toEqual(['.due: is missing']))
  test('a listed field that is present', () =>
    expect(differencesOf({ ...toConcise(Row, row)!, id: 1 })).toEqual([
      '.id: is on the list, but is not missing',
    ]))
  test('a different value', () =>
    expect(differencesOf({ name: 'b', due: row.due })).toEqual([
      '.name: is not as it is in detail',
    ]))
  test('an added field', () =>
    expect(differencesOf({ name: 'a', due: row.due, x: 1 })).toEqual([
      '.x: is not in the detailed form',
    ]))
})

const byName = (name: string) => operations.find((op) => op.name === name)!
const conciseOf = async (name: string, input: (w: World) => Fields) => {
  const w = await world({ full: true })
  return call(w, byName(name), input(w), 'concise')
}
const logoId = ({ tasks }: World) => ({ task_id: tasks.logo.task_id })

test('a task in its concise form has dates, recurrence, counts and creator', async () => {
  expect(await conciseOf('tasks.get', logoId)).toMatchObject({
    ...{ start_date: expect.any(String), recurrence: 'Weekly', created_by: { name: 'Ada' } },
    ...{ subtask_count: 1, comment_count: 3, attachment_count: 3, page_count: 2 },
    ...{ labels: ['ui'], custom_fields: expect.any(Array), lease: expect.any(Object) },
  })
})

test('a comment in its concise form has attachments, mentions, reactions and format', async () => {
  const [first] = await conciseOf('comments.list', logoId)
  expect(first).toMatchObject({
    ...{ content_type: 'html', mentions: [{ name: 'Ben' }], author: { name: 'Ada' } },
    attachments: [{ filename: 'blue.txt' }],
    reactions: [{ emoji: '🎉', count: 2, by: ['Ada', 'Bot'] }],
  })
})

test('a column in its concise form has hidden and auto_assign', async () => {
  const columns = await conciseOf('sections.list', ({ board }) => ({
    ...{ project_id: board.project_id, include_hidden: true },
  }))
  const columnsByTitle = new Map<string, Fields>(
    columns.map((one: Fields) => [one.title as string, one]),
  )
  expect(columnsByTitle.get('Icebox')).toMatchObject({ hidden: true })
  expect(columnsByTitle.get('Doing')).toMatchObject({
    hidden: false,
    auto_assign: { name: 'Cleo' },
  })
})

test('a context in its concise form has no agent_id and no empty fields', async () => {
  const text = JSON.stringify(await conciseOf('tasks.context', logoId))
  expect(text).not.toContain('agent_id')
  expect(text).not.toMatch(/:(\[\]|\{\}|null|"")/)
})
