import { type Static, Type as t } from '@sinclair/typebox'
import { readWords } from '../../../../content/index.ts'
import type { Context } from '../../../../kernel/caller.ts'
import { leaseInput, operation } from '../../../../kernel/operation.ts'
import {
  type CustomField,
  FieldId,
  findField,
  lockField,
  setValue,
} from '../../../boards/custom_fields/model/index.ts'
import type { Project } from '../../../boards/projects/model/index.ts'
import { findBoardActor } from '../../../identity/members/model/index.ts'
import type { ActorRow } from '../../../identity/people/model/index.ts'
import { isIndexedColumn } from '../../../search/text_index/model/index.ts'
import { assigneesOf, checkMayAssignAgent } from '../../assignees/model/index.ts'
import { Edit, revision, save, setAssignees, updateTask } from '../../edits/model/index.ts'
import { fieldInputs, pickFields } from '../../fields/model/index.ts'
import { TaskReceipt } from '../../records/model/index.ts'
import { type Located, locateTask } from '../model/address.ts'
import { faultInField, resolveTaskIds, withTaskInFault } from '../model/references.ts'
import { TaskId } from '../model/schema.ts'

/** The most tasks of one call: as many rows as a paste from a spreadsheet may have. */
const MAX_CHANGES = 500

const { title, section_id, parent_task_id, due_date, labels } = revision
const CustomValue = t.Union([
  t.String({ maxLength: 20_000 }),
  t.Number(),
  t.Boolean(),
  t.Null({ description: 'Clears the field' }),
])

const TaskChange = t.Object(
  {
    task_id: TaskId,
    title,
    section_id,
    parent_task_id,
    ...pickFields('update_many', fieldInputs),
    due_date,
    labels,
    assignees: t.Optional(
      t.Array(t.Union([t.Integer({ minimum: 1 }), t.String({ minLength: 1, maxLength: 50 })]), {
        maxItems: 100,
        description: 'User ids and agent UUIDs; replaces all assignees',
      }),
    ),
    custom_fields: t.Optional(
      t.Array(
        t.Object({ field_id: FieldId, value: CustomValue }, { additionalProperties: false }),
        {
          maxItems: 50,
        },
      ),
    ),
  },
  { additionalProperties: false },
)
type TaskChange = Static<typeof TaskChange>

/** Cells of a table: a paste, a fill or an undo is one write, so that it never applies in part. */
export const updateEach = operation({
  name: 'tasks.update_each',
  summary: 'Change several tasks, each in its own way: all or none',
  needs: 'tasks:write',
  on: { rest: 'PATCH /api/v1/tasks/each' },
  input: t.Object({
    changes: t.Array(TaskChange, { minItems: 1, maxItems: MAX_CHANGES }),
    ...leaseInput,
  }),
  output: t.Array(TaskReceipt, { description: 'In the order of the request' }),
  guard: {
    by: 'lease',
    tasks: ({ changes }, ctx) => resolveTasks(ctx, changes),
  },
  async run({ changes }, ctx) {
    await resolveTasks(ctx, changes)
    const receipts: TaskReceipt[] = []
    for (const [at, change] of changes.entries()) {
      const located = await locateTask(ctx, change)
      receipts.push(
        await withTaskInFault(located.task, () => updateOne(ctx, located, change)).catch(
          (error) => {
            throw faultInField(error, fieldOf(error, at))
          },
        ),
      )
    }
    return receipts
  },
})

const resolveTasks = (ctx: Context, changes: readonly TaskChange[]) =>
  resolveTaskIds(
    ctx,
    { task_ids: changes.map(({ task_id }) => task_id) },
    (at) => `changes.${at}.task_id`,
  )

const fieldOf = (error: { details?: { field?: unknown } }, at: number) =>
  [`changes.${at}`, error.details?.field].filter(Boolean).join('.')

async function updateOne(
  ctx: Context,
  located: Located,
  { task_id, assignees, custom_fields, ...changes }: TaskChange,
): Promise<TaskReceipt> {
  if (isIndexedColumn(changes)) readWords(ctx, located.task)
  const receipt = await updateTask(ctx, located, changes)
  const changed = [...receipt.changed]
  if (assignees) changed.push(...(await replaceAll(ctx, { task_id }, assignees)))
  for (const { field_id, value } of custom_fields ?? []) {
    const { task, project } = await locateTask(ctx, { task_id })
    const edit = new Edit(ctx, task)
    await setValue(edit, await lockedField(ctx, project, field_id), value)
    await save(edit)
    changed.push(...edit.changed)
  }
  return { ...receipt, changed }
}

const lockedField = async (
  ctx: Context,
  project: Project,
  field_id: string,
): Promise<CustomField> => lockField(ctx.tx, await findField(ctx, project, field_id))

/** Replaces people and agents. Agents are accepted only if the caller may assign them. */
async function replaceAll(
  ctx: Context,
  address: { task_id: number },
  keys: readonly (number | string)[],
): Promise<string[]> {
  const { task, project } = await locateTask(ctx, address)
  const before = await assigneesOf(ctx.tx, task)
  const after: ActorRow[] = []
  for (const [at, key] of keys.entries()) {
    const field = `assignees.${at}`
    const holder = before.find((actor) => keyOf(actor) === key)
    if (!holder && typeof key === 'string') await checkMayAssignAgent(ctx, project, key)
    after.push(holder ?? (await findBoardActor(ctx, project, key, field)))
  }
  for (const { actor_id, agent_id } of before)
    if (agent_id !== null && !after.some((actor) => actor.actor_id === actor_id))
      await checkMayAssignAgent(ctx, project, agent_id)
  return (await setAssignees(ctx, task, before, after)).changed
}

const keyOf = ({ actor_id, agent_id }: ActorRow) => agent_id ?? actor_id
