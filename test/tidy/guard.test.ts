import { describe, expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import { eq, getTableColumns, inArray } from 'drizzle-orm'
import { catalog } from '../../src/catalog.ts'
import {
  descriptionVersions,
  relations,
  taskAssignees,
  taskFields,
  taskLabels,
  tasks,
} from '../../src/features/tasks/index.ts'
import { type AnyOperation, isWrite, operation } from '../../src/kernel/operation.ts'
import { sendFor } from '../ask.ts'
import { everyNth } from '../extent.ts'
import { samples } from '../samples.ts'
import { type World, world } from '../world.ts'

/** Operations that change existing tasks without requiring a lease, with the reason. */
const EXCEPTIONS: Record<string, string> = {
  'labels.delete': 'reshapes the board: needs projects:write',
  'custom_fields.update': 'reshapes the board: needs projects:write',
  'custom_fields.delete': 'reshapes the board: needs projects:write',
  'agents.delete': 'only people manage agents',
  'chat.undo': 'only people chat, and what it calls asks for itself',
}

type Fields = Record<string, unknown>

/** Inputs for operations that change tasks only with certain fields. */
const TELLING: Record<string, (w: World) => Promise<Fields> | Fields> = {
  'sections.update': ({ board: { project_id }, sections: { Doing: section_id } }) => ({
    ...{ project_id, section_id, is_done: true },
  }),
  'custom_fields.update': async ({ ada, board: { project_id }, tasks: { copy } }) => {
    const options = [{ label: 'Draft' }, { label: 'Final' }]
    const { field_id } = await ada['custom_fields.create']({
      ...{ project_id, name: 'State', type: 'select', options },
    })
    await ada['custom_fields.set']({ task_id: copy.task_id, field_id, value: 'Draft' })
    return { project_id, field_id, options: [{ label: 'Final' }], force: true }
  },
}

const operations = (catalog as readonly AnyOperation[]).filter(isWrite)

/** The rows, texts, fields and relations of tasks, without columns derived from other records. */
async function stateOf({ store }: World, ids: readonly number[]): Promise<string> {
  const {
    comment_count,
    last_comment_at,
    attachment_count,
    page_count,
    pr_badge,
    leased_by,
    ...own
  } = getTableColumns(tasks)
  const around = [descriptionVersions, taskLabels, taskAssignees, taskFields] as const
  return store.read(async (tx) => {
    const rows: unknown[] = [
      await tx
        .select(own)
        .from(tasks)
        .where(inArray(tasks.task_id, [...ids]))
        .orderBy(tasks.task_id),
      await tx
        .select()
        .from(relations)
        .where(inArray(relations.first_id, [...ids])),
    ]
    for (const table of around)
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
const employ = ({ ada, bot, tasks }: World) =>
  ada['tasks.assign']({ task_id: tasks.copy.task_id, agent_id: bot.caller.agent_id! })

async function fillIn({ ada, board, tasks }: World): Promise<void> {
  const { task_id } = tasks.copy
  const { items } = await ada['custom_fields.list']({ project_id: board.project_id })
  for (const { field_id } of items) await ada['custom_fields.set']({ task_id, field_id, value: 5 })
}

/** Whether the operation, called with its sample, changes a task that existed before. */
async function changesTasks(op: AnyOperation, planted: readonly AnyOperation[] = []) {
  const w = await world({ plant: planted })
  await employ(w)
  const told = TELLING[op.name]
  const input = (await (told ?? samples[op.name])?.(w)) ?? {}
  if (!told) await fillIn(w)
  const there = await w.store.read((tx) => tx.select({ task_id: tasks.task_id }).from(tasks))
  const ids = there.map(({ task_id }) => task_id)
  const before = await stateOf(w, ids)
  await sendFor(op)(w, w.ada, op, input)
  return (await stateOf(w, ids)) !== before
}

describe('an operation that changes existing tasks declares the guard or is a listed exception', () => {
  for (const op of everyNth(operations, { sqlite: 6, postgres: 12 }))
    test(op.name, async () => {
      const isKnown = Boolean(op.guard) || op.name in EXCEPTIONS
      expect([op.name, await changesTasks(op)]).toEqual([op.name, isKnown])
    })
})

test('every exception is an existing operation without the guard', () => {
  const unguarded = operations.filter(({ guard }) => !guard).map(({ name }) => name)
  for (const name of Object.keys(EXCEPTIONS)) expect(unguarded).toContain(name)
})

test('an operation that changes tasks without the guard is detected', async () => {
  const careless = operation({
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
  expect(await changesTasks(careless, [careless])).toBe(true)
})
