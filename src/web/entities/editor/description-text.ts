import { useCallback } from 'react'
import { callOperation } from '../../data/client.ts'
import { sendWrite } from '../../data/write-queue.ts'
import { ApiError } from '../../kit/errors.ts'
import { recordUndo, refuseUndo, showErrorToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { patchTask, reloadTask, type Task } from '../task/data.ts'
import type { Member } from '../user/members.ts'
import { mentionsIn } from './mentions.ts'
import type { Source } from './versioned-edit.ts'

/** The description as Markdown, with the version to save over. */
export async function fetchDescription(task_id: number): Promise<Source> {
  const task = (await callOperation('tasks.get', { task_id, format: 'markdown' })) as Task
  return { text: task.description ?? '', version: task.description_version }
}

export const isVersionConflict = (error: unknown) =>
  error instanceof ApiError && error.status === 409 && error.details.field === 'if_version'

/** Saves a description over a version. Returns the current text if the version is outdated. */
export function useSaveDescription({ task_id, project_id, ticket_number }: Task) {
  return useCallback(
    async (
      text: string,
      version: number,
      members: readonly Member[],
    ): Promise<Source | undefined> => {
      const mentions = mentionsIn(text, members)
      try {
        const { description_version } = await sendWrite('tasks.update', {
          ...{
            task_id,
            description: text,
            content_type: 'markdown',
            if_version: version,
          },
          ...(mentions.length && { mentions }),
        })
        recordUndo({
          what: t('editor.description_of_ticket_number', { ticket_number }),
          undo: () => undoDescription(task_id, version, description_version),
        })
      } catch (error) {
        if (isVersionConflict(error)) return fetchDescription(task_id)
        throw error
      }
      const html = text
        ? (await callOperation('drafts.preview', { text }).catch(() => undefined))?.html
        : ''
      if (html !== undefined)
        patchTask({ task_id, project_id }, { description: html || null, content_type: 'html' })
      reloadTask(task_id)
      return undefined
    },
    [task_id, project_id, ticket_number],
  )
}

/** Versions that an undo created, mapped to the version whose text they repeat. */
const restoredVersions = new Map<string, number>()

/** Restores the version before an edit, unless somebody has changed the description since. */
async function undoDescription(task_id: number, before: number, saved: number): Promise<boolean> {
  if (before === saved) return true
  const { items } = await callOperation('tasks.versions', { task_id, limit: 50 })
  const now = items.find(({ current }) => current)?.version
  if ((restoredVersions.get(`${task_id} ${now}`) ?? now) !== saved) return refuseUndo('description')
  const version = items.find(({ version }) => version === before)
  if (!version) {
    showErrorToast(t('editor.not_undone_the_task_had_no_description'))
    return false
  }
  const { version_id } = version
  const { description_version } = await sendWrite('tasks.restore', { task_id, version_id })
  restoredVersions.set(`${task_id} ${description_version}`, before)
  reloadTask(task_id)
  return true
}

const BOX = /^(\s*(?:>\s*)*(?:[-*+]|\d+[.)])\s+\[)([ xX])(?=\])/gm

/**
 * Ticks the checkbox at an index. Throws if Markdown and HTML have different numbers of boxes,
 * because then the index is ambiguous.
 */
export function withBoxTicked(
  { text, version }: Source,
  boxIndex: number,
  checked: boolean,
  html: string,
) {
  const boxes = [...text.matchAll(BOX)]
  if (boxes.length !== [...html.matchAll(/type="checkbox"/g)].length) throw new Error(TEXT_CHANGED)
  const { index, 1: before } = boxes[boxIndex]!
  const position = index + before!.length
  return {
    version,
    text: `${text.slice(0, position)}${checked ? 'x' : ' '}${text.slice(position + 1)}`,
  }
}

export const TEXT_CHANGED = t('editor.the_text_has_changed_so_the_checkbox')
