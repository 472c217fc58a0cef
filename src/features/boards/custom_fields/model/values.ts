import { and, asc, eq } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import type { Task } from '../../../tasks/tasks/model/index.ts'
import {
  clearsField,
  type FieldInput,
  labelOf,
  type StoredValue,
  toOutput,
  toStoredValue,
} from './rules.ts'
import type { OutputValue } from './schema.ts'
import type { CustomField } from './store.ts'
import { customFields, taskFields } from './tables.ts'

export interface FieldValue {
  field: CustomField
  stored: StoredValue
}

const ofTask = ({ team_id, task_id }: Pick<Task, 'team_id' | 'task_id'>) =>
  and(eq(taskFields.team_id, team_id), eq(taskFields.task_id, task_id))

/** The custom field values of a task, sorted by field name. */
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
  return rows.map(({ field, ...stored }) => ({ field, stored }))
}

/** Replaces the value of a field; undefined clears it. */
export async function replaceValue(
  tx: Tx,
  task: Pick<Task, 'team_id' | 'task_id'>,
  { custom_field_id }: CustomField,
  stored: StoredValue | undefined,
): Promise<void> {
  const { team_id, task_id } = task
  await tx
    .delete(taskFields)
    .where(and(ofTask(task), eq(taskFields.custom_field_id, custom_field_id)))
  if (stored) await tx.insert(taskFields).values({ team_id, task_id, custom_field_id, ...stored })
}

/** Deletes all values of a task. */
export const clearValues = (tx: Tx, task: Pick<Task, 'team_id' | 'task_id'>) =>
  tx.delete(taskFields).where(ofTask(task))

/** The name of the field in changes and receipts. */
export const changeName = ({ name }: CustomField) => `custom_fields.${name}`

/** The part of an edit of a task that the values need. */
interface TaskEdit {
  ctx: { tx: Tx }
  task: Task
  record(
    field: string,
    previous: string | number | boolean | null,
    next: string | number | boolean | null,
  ): void
}

/** Sets a field of a task and records the change, if the value differs. */
export async function setValue(edit: TaskEdit, field: CustomField, value: FieldInput) {
  const { ctx, task } = edit
  const previous = (await valuesOn(ctx.tx, task)).find(
    (value) => value.field.field_id === field.field_id,
  )
  const stored = clearsField(value) ? undefined : toStoredValue(field, value)
  if (isSameValue(previous?.stored, stored)) return
  await replaceValue(ctx.tx, task, field, stored)
  edit.record(changeName(field), changeValue(field, previous?.stored), changeValue(field, stored))
}

const isSameValue = (a: StoredValue | undefined, b: StoredValue | undefined) =>
  a?.number === b?.number && a?.text === b?.text

const MAX_CHANGE_LENGTH = 200

/** A value as the change log shows it: options by label, texts truncated. */
export function changeValue({ type, options }: CustomField, stored: StoredValue | undefined) {
  if (!stored) return null
  if (type === 'select') return labelOf(options, stored.text) ?? stored.text
  return truncate(toOutput(type, stored), MAX_CHANGE_LENGTH)
}

export const truncate = <T>(value: T, limit: number): T | string =>
  typeof value === 'string' && value.length > limit
    ? `${value.slice(0, limit - 1).toWellFormed()}…`
    : value

export const MAX_LIST_LENGTH = 500

export function outputValue(
  { field, stored }: FieldValue,
  limit = Number.POSITIVE_INFINITY,
): OutputValue {
  const { field_id, name, type, options } = field
  const full = toOutput(type, stored)
  const value = truncate(full, limit)
  const label = type === 'select' ? labelOf(options, stored.text) : undefined
  return {
    field_id,
    name,
    type,
    value,
    ...(label !== undefined && { label }),
    ...(value !== full && { clipped: true }),
  }
}
