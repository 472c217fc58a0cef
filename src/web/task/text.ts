import { useCallback } from 'react'
import { ask, Refused } from '../data/client.ts'
import { send } from '../data/waiting.ts'
import { complain, record, refuseUndo } from '../frame/toasts.tsx'
import { type Member, patchTask, readAgain, type Task } from './data.ts'
import { mentionsIn } from './mentions.ts'
import type { Source } from './over.ts'

/** The description as it is written, with the version to write over. */
export async function sourceOf(task_id: number): Promise<Source> {
  const task = (await ask('tasks.get', { task_id, format: 'markdown' })) as Task
  return { text: task.description ?? '', version: task.description_version }
}

export const isClash = (error: unknown) =>
  error instanceof Refused && error.status === 409 && error.details.field === 'if_version'

/** Writes a description over a version; answers the text that stands there where it is another. */
export function useSave({ task_id, project_id, ticket_number }: Task) {
  return useCallback(
    async (
      text: string,
      version: number,
      members: readonly Member[],
    ): Promise<Source | undefined> => {
      const mentions = mentionsIn(text, members)
      try {
        const { description_version } = await send('tasks.update', {
          ...{
            task_id,
            description: text,
            content_type: 'markdown',
            if_version: version,
          },
          ...(mentions.length && { mentions }),
        })
        record({
          what: `description of ${ticket_number}`,
          undo: () => descriptionBack(task_id, version, description_version),
        })
      } catch (error) {
        if (isClash(error)) return sourceOf(task_id)
        throw error
      }
      const html = text ? (await ask('drafts.preview', { text }).catch(() => undefined))?.html : ''
      if (html !== undefined)
        patchTask({ task_id, project_id }, { description: html || null, content_type: 'html' })
      readAgain(task_id)
      return undefined
    },
    [task_id, project_id, ticket_number],
  )
}

/** Versions that an undo wrote, and the version whose text they repeat. */
const repeated = new Map<string, number>()

/** Makes the text the description again that was there before, where nobody wrote another since. */
async function descriptionBack(task_id: number, before: number, saved: number): Promise<boolean> {
  if (before === saved) return true
  const { items } = await ask('tasks.versions', { task_id, limit: 50 })
  const now = items.find(({ current }) => current)?.version
  if ((repeated.get(`${task_id} ${now}`) ?? now) !== saved) return refuseUndo('description')
  const version = items.find(({ version }) => version === before)
  if (!version) {
    complain('Not undone: there was no description before, and a description cannot be emptied')
    return false
  }
  const { version_id } = version
  const { description_version } = await send('tasks.restore', { task_id, version_id })
  repeated.set(`${task_id} ${description_version}`, before)
  readAgain(task_id)
  return true
}

const BOX = /^(\s*(?:>\s*)*(?:[-*+]|\d+[.)])\s+\[)([ xX])(?=\])/gm

/** The text with one of its boxes ticked; refused where it is not sure which one is meant. */
export function ticked({ text, version }: Source, at: number, checked: boolean, html: string) {
  const boxes = [...text.matchAll(BOX)]
  if (boxes.length !== [...html.matchAll(/type="checkbox"/g)].length) throw new Error(UNSURE)
  const { index, 1: before } = boxes[at]!
  const place = index + before!.length
  return { version, text: `${text.slice(0, place)}${checked ? 'x' : ' '}${text.slice(place + 1)}` }
}

export const UNSURE = 'The text is another one by now, so this was not ticked'
