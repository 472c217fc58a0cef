import { fault } from '../../../../kernel/fault.ts'
import { type DescriptionInput, recast } from '../../descriptions/model/index.ts'
import { shareWrite } from '../../shared_texts/model/index.ts'
import type { Task } from '../../tasks/model/index.ts'
import type { Edit } from './edit.ts'

interface Wording {
  described?: DescriptionInput
  if_version?: number
}

/** Updates the description and its version. `if_version` refuses to overwrite a newer one. */
export async function describe(edit: Edit, { described, if_version }: Wording): Promise<void> {
  const { task, ctx } = edit
  const text = described && 'text' in described ? described.text : undefined
  if (if_version !== undefined) checkVersion(task, if_version, text)
  if (!described) return
  const description = text ?? recast(ctx, task, described)
  const isNew = description !== task.description
  if (isNew) edit.changedTexts.push('description')
  edit.put('content_type', described.type)
  if (description !== null && (isNew || described.type !== task.content_type)) {
    edit.set.description = description
    edit.set.description_version = task.description_version + 1
    if (!isFromSharedText(described))
      await shareWrite(
        ctx,
        { ...task, kind: 'task', text_id: task.task_id },
        { text: task.description ?? '', type: task.content_type },
        { text: description, type: described.type },
      )
  }
}

const isFromSharedText = (described: DescriptionInput) =>
  'isShared' in described && described.isShared === true

function checkVersion(task: Task, if_version: number, description: string | undefined): void {
  if (description === undefined)
    throw fault.invalid(
      'if_version',
      'conflict',
      'if_version requires description',
      if_version,
      'Also send description, or leave out if_version',
    )
  if (if_version !== task.description_version)
    throw fault.conflict(
      `The description is at version ${task.description_version}, not ${if_version}`,
      {
        field: 'if_version',
        value: if_version,
        version: task.description_version,
        current: task.description,
        content_type: task.content_type,
      },
      'Read the current text, merge, and send its version as if_version',
    )
}
