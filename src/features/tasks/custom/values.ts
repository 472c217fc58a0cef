import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../../kernel/caller.ts'
import {
  type CustomField,
  customFields,
  type FieldType,
  fieldsOf,
  labelOf,
  type StoredValue,
  toOutput,
} from '../../custom_fields/index.ts'
import { foldName, type Project } from '../../projects/index.ts'
import type { Task } from '../address.ts'
import type { Edit } from '../edit.ts'
import { taskFields } from '../tables.ts'

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

/** Moves the values to fields of the target board with the same name and type; drops the others. */
export async function carryValues(edit: Edit, target: Project): Promise<void> {
  const { ctx, task } = edit
  if (target.project_id === task.project_id) return
  const before = await valuesOn(ctx.tx, task)
  if (!before.length) return
  const targetFields = await fieldsOf(ctx.tx, target)
  const old = before.map(({ field }) => field.custom_field_id)
  await ctx.tx.delete(taskFields).where(and(ofTask(task), inArray(taskFields.custom_field_id, old)))
  for (const { field, stored } of before) {
    const match = targetFields.find(
      ({ folded, type }) => folded === field.folded && type === field.type,
    )
    const value = match && equivalentValue(field, stored, match)
    if (value) await replaceValue(ctx.tx, task, match, value)
    else edit.record(changeName(field), changeValue(field, stored), null)
  }
}

/** The corresponding value in the target field; for a select, the option with the same label. */
function equivalentValue(
  field: CustomField,
  stored: StoredValue,
  target: CustomField,
): StoredValue | undefined {
  if (field.type !== 'select') return stored
  const label = labelOf(field.options, stored.text)
  const option = target.options?.find(
    (option) => label && foldName(option.label) === foldName(label),
  )
  return option && { number: null, text: option.option_id }
}

/** The name of the field in changes and receipts. */
export const changeName = ({ name }: CustomField) => `custom_fields.${name}`

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

/** A value in the output of a task. */
export interface OutputValue {
  field_id: string
  name: string
  type: FieldType
  value: string | number | boolean
  /** The label of the chosen option of a select. */
  label?: string
  /** True if the value is truncated. */
  clipped?: boolean
}

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
    ...{ field_id, name, type, value },
    ...(label !== undefined && { label }),
    ...(value !== full && { clipped: true }),
  }
}
