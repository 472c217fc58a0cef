import {
  type CustomField,
  changeName,
  changeValue,
  clearValues,
  fieldsOf,
  labelOf,
  replaceValue,
  type StoredValue,
  valuesOn,
} from '../../../boards/custom_fields/model/index.ts'
import { foldName, type Project } from '../../../boards/projects/model/index.ts'
import type { Edit } from './edit.ts'

/** Moves the values to fields of the target board with the same name and type; drops the others. */
export async function carryValues(edit: Edit, target: Project): Promise<void> {
  const { ctx, task } = edit
  if (target.project_id === task.project_id) return
  const before = await valuesOn(ctx.tx, task)
  if (!before.length) return
  const targetFields = await fieldsOf(ctx.tx, target)
  await clearValues(ctx.tx, task)
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
