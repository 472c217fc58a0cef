import { describe, expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import { eq, getTableColumns, inArray } from 'drizzle-orm'
import { catalog } from '../../src/catalog.ts'
import { taskFields } from '../../src/features/boards/custom_fields/model/index.ts'
import { taskLabels } from '../../src/features/boards/labels/model/index.ts'
import { taskAssignees } from '../../src/features/tasks/assignees/model/index.ts'
import { descriptionVersions } from '../../src/features/tasks/descriptions/model/index.ts'
import { relations } from '../../src/features/tasks/relations/model/index.ts'
import { tasks } from '../../src/features/tasks/tasks/model/index.ts'
import { type AnyOperation, isWrite, operation } from '../../src/kernel/operation.ts'
import { sampleInput, samples } from '../support/samples.ts'
import { everyNth } from '../support/scale.ts'
import { surfaceCallFor } from '../support/surface-calls.ts'
import { type World, world } from '../support/world.ts'

const operations = (catalog as readonly AnyOperation[]).filter(isWrite)
/** Operations that change existing tasks without requiring a lease. */
const exceptions = Object.keys(samples).filter((name) => typeof samples[name]!.lease === 'object')

/** The rows, texts, fields and relations of tasks, without columns derived from other records. */
async function stateOf({ store }: World, ids: readonly number[]): Promise<string> {
  const {
    comment_count,
    last_comment_at,
    attachment_count,
    page_count,
    pr_badge,
    leased_by,
    ...ownColumns
  } = getTableColumns(tasks)
  const relatedTables = [descriptionVersions, taskLabels, taskAssignees, taskFields] as const
  return store.read(async (tx) => {
    const rows: unknown[] = [
      await tx
        .select(ownColumns)
        .from(tasks)
        .where(inArray(tasks.task_id, [...ids]))
        .orderBy(tasks.task_id),
      await tx
        .select()
        .from(relations)
        .where(inArray(relations.first_id, [...ids])),
    ]
    for (const table of relatedTables)
      rows.push(
        await tx
          .select()
          .from(table as typeof taskLabels)
          .where(inArray(table.task_id, [...ids])),
      )
    return JSON.stringify(rows)
  })
}

/** Assigns an agent, so that the task has an assignee that an operation could remove. */
const assignAgent = ({ ada, bot, tasks }: World) =>
  ada['tasks.assign']({ task_id: tasks.copy.task_id, agent_id: bot.caller.agent_id! })

async function setCustomFields({ ada, board, tasks }: World): Promise<void> {
  const { task_id } = tasks.copy
  const { items } = await ada['custom_fields.list']({ project_id: board.project_id })
  for (const { field_id } of items) await ada['custom_fields.set']({ task_id, field_id, value: 5 })
}

/** Whether the operation, called with its sample, changes a task that existed before. */
async function changesTasks(op: AnyOperation, extraOperations: readonly AnyOperation[] = []) {
  const w = await world({ extraOperations })
  await assignAgent(w)
  const { inputChangingTask } = samples[op.name] ?? {}
  const input = (await inputChangingTask?.(w)) ?? (await sampleInput(op.name, w))
  if (!inputChangingTask) await setCustomFields(w)
  const existing = await w.store.read((tx) => tx.select({ task_id: tasks.task_id }).from(tasks))
  const ids = existing.map(({ task_id }) => task_id)
  const before = await stateOf(w, ids)
  await surfaceCallFor(op)(w, w.ada, op, input)
  return (await stateOf(w, ids)) !== before
}

describe('an operation that changes existing tasks declares the guard or is a listed exception', () => {
  for (const op of everyNth(operations, { sqlite: 6, postgres: 12 }))
    test(op.name, async () => {
      const isKnown = Boolean(op.guard) || exceptions.includes(op.name)
      expect([op.name, await changesTasks(op)]).toEqual([op.name, isKnown])
    })
})

test('every exception is an existing operation without the guard', () => {
  const unguarded = operations.filter(({ guard }) => !guard).map(({ name }) => name)
  for (const name of exceptions) expect(unguarded).toContain(name)
})

test('an operation that changes tasks without the guard is detected', async () => {
  const unguarded = operation({
    name: 'tasks.shout',
    summary: 'Writes every title in capitals',
    needs: 'tasks:write',
    on: { rest: 'POST /api/v1/shout' },
    input: t.Object({}),
    output: t.Object({}),
    async run(_, { tx }) {
      await tx.update(tasks).set({ title: 'LOUD' }).where(eq(tasks.task_id, 1))
      return {}
    },
  })
  expect(await changesTasks(unguarded, [unguarded])).toBe(true)
})
