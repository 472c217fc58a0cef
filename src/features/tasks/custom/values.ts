import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../../kernel/caller.ts'
import {
  type CustomField,
  customFields,
  type FieldType,
  fieldsOf,
  type Kept,
  labelOf,
  meaningOf,
} from '../../custom_fields/index.ts'
import { folded, type Project } from '../../projects/index.ts'
import type { Task } from '../address.ts'
import type { Edit } from '../edit.ts'
import { taskFields } from '../tables.ts'

export interface FieldValue {
  field: CustomField
  kept: Kept
}

const ofTask = ({ team_id, task_id }: Pick<Task, 'team_id' | 'task_id'>) =>
  and(eq(taskFields.team_id, team_id), eq(taskFields.task_id, task_id))

/** What a task has in the custom fields of its board, by their names. */
export async function valuesOn(
  tx: Tx,
  task: Pick<Task, 'team_id' | 'task_id'>,
): Promise<FieldValue[]> {
  const rows = await tx
    .select({ field: customFields, number: taskFields.number, text: taskFields.text })
    .from(taskFields)
    .innerJoin(customFields, eq(customFields.custom_field_id, taskFields.custom_field_id))
    .where(ofTask(task))
    .orderBy(asc(customFields.name), asc(customFields.custom_field_id))
  return rows.map(({ field, ...kept }) => ({ field, kept }))
}

/** Puts a value in the place of the one before; nothing clears the field. */
export async function replaceValue(
  tx: Tx,
  task: Pick<Task, 'team_id' | 'task_id'>,
  { custom_field_id }: CustomField,
  kept: Kept | undefined,
): Promise<void> {
  const { team_id, task_id } = task
  await tx
    .delete(taskFields)
    .where(and(ofTask(task), eq(taskFields.custom_field_id, custom_field_id)))
  if (kept) await tx.insert(taskFields).values({ team_id, task_id, custom_field_id, ...kept })
}

/** On another board its fields of the same name and type take the values; the rest is left. */
export async function carryValues(edit: Edit, target: Project): Promise<void> {
  const { ctx, task } = edit
  if (target.project_id === task.project_id) return
  const before = await valuesOn(ctx.tx, task)
  if (!before.length) return
  const there = await fieldsOf(ctx.tx, target)
  const old = before.map(({ field }) => field.custom_field_id)
  await ctx.tx.delete(taskFields).where(and(ofTask(task), inArray(taskFields.custom_field_id, old)))
  for (const { field, kept } of before) {
    const like = there.find((one) => one.folded === field.folded && one.type === field.type)
    const same = like && alike(field, kept, like)
    if (same) await replaceValue(ctx.tx, task, like, same)
    else edit.tell(nameIn(field), toldOf(field, kept), null)
  }
}

/** The same value there; of a select the option that reads the same. */
function alike(field: CustomField, kept: Kept, like: CustomField): Kept | undefined {
  if (field.type !== 'select') return kept
  const label = labelOf(field.options, kept.text)
  const option = like.options?.find((one) => label && folded(one.label) === folded(label))
  return option && { number: null, text: option.option_id }
}

/** How a change and a receipt call the field. */
export const nameIn = ({ name }: CustomField) => `custom_fields.${name}`

const MOST_TOLD = 200

/** A value as a change tells it: by its label, and never at length. */
export function toldOf({ type, options }: CustomField, kept: Kept | undefined) {
  if (!kept) return null
  if (type === 'select') return labelOf(options, kept.text) ?? kept.text
  return shortened(meaningOf(type, kept), MOST_TOLD)
}

export const shortened = <T>(value: T, most: number): T | string =>
  typeof value === 'string' && value.length > most
    ? `${value.slice(0, most - 1).toWellFormed()}…`
    : value

/** A value as it stands in a task. */
export interface ShownValue {
  field_id: string
  name: string
  type: FieldType
  value: string | number | boolean
  /** Of the option that a select has. */
  label?: string
  /** Only its beginning is shown. */
  clipped?: boolean
}

export const MOST_SHOWN = 500

export function shownValue(
  { field, kept }: FieldValue,
  most = Number.POSITIVE_INFINITY,
): ShownValue {
  const { field_id, name, type, options } = field
  const whole = meaningOf(type, kept)
  const value = shortened(whole, most)
  const label = type === 'select' ? labelOf(options, kept.text) : undefined
  return {
    ...{ field_id, name, type, value },
    ...(label !== undefined && { label }),
    ...(value !== whole && { clipped: true }),
  }
}
