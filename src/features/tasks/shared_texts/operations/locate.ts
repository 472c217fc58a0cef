import { Type as t } from '@sinclair/typebox'
import type { Context, Scope } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { findPage, loadPageWithText } from '../../../pages/pages/model/index.ts'
import { locateTask, refuseDeleted, TaskId } from '../../tasks/model/index.ts'
import { markdownOf, type TextRef } from '../model/index.ts'

/** Addresses the description of a task, or a page. */
export const textAddress = (pageScope: Scope) => ({
  task_id: t.Optional({ ...TaskId, description: 'Its description' }),
  page_id: t.Optional({
    ...t.Integer({ minimum: 1, maximum: 2_147_483_647 }),
    description: 'The text of a page',
    needs: pageScope,
  }),
})

export interface TextAddress {
  task_id?: number
  page_id?: number
}

export interface LocatedText {
  ref: TextRef & { task_id: number; project_id: number }
  /** The version of the saved text. */
  version: number
  /** The saved text as markdown. */
  saved: string
}

/** Loads the text that an input addresses, if the caller can see it. Writes lock the task. */
export async function locateText(ctx: Context, address: TextAddress): Promise<LocatedText> {
  const { task_id, page_id } = address
  if ((task_id === undefined) === (page_id === undefined))
    throw fault.invalid('task_id', 'required', 'Send either task_id or page_id', task_id)
  return page_id === undefined ? locateDescription(ctx, task_id!) : locatePage(ctx, page_id)
}

async function locateDescription(ctx: Context, id: number): Promise<LocatedText> {
  const { task } = await locateTask(ctx, { task_id: id })
  if (!ctx.needs.endsWith(':read')) refuseDeleted(task)
  const { team_id, task_id, project_id, description, content_type } = task
  return {
    ref: { team_id, kind: 'task', text_id: task_id, task_id, project_id },
    version: task.description_version,
    saved: description === null ? '' : markdownOf(ctx, { text: description, type: content_type }),
  }
}

async function locatePage(ctx: Context, id: number): Promise<LocatedText> {
  const { task } = await findPage(ctx, { page_id: id })
  const { page, text } = await loadPageWithText(ctx.tx, id)
  if (page.canvas || (page.archived_at && !ctx.needs.endsWith(':read'))) throw notEditable(page)
  const { team_id, task_id, project_id } = task
  return {
    ref: { team_id, kind: 'page', text_id: page.page_id, task_id, project_id },
    version: page.version,
    saved: markdownOf(ctx, { text, type: page.content_type }),
  }
}

const notEditable = ({ page_id, canvas }: { page_id: number; canvas: boolean }) =>
  fault.conflict(
    `Page ${page_id} ${canvas ? 'is a canvas, which has one author at a time' : 'is archived'}`,
    { field: 'page_id', value: page_id },
    'Change it with pages.update',
  )
