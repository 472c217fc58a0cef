import { useCallback } from 'react'
import { ask, Refused } from '../data/client.ts'
import { send } from '../data/waiting.ts'
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
export function useSave({ task_id, project_id }: Task) {
  return useCallback(
    async (
      text: string,
      version: number,
      members: readonly Member[],
    ): Promise<Source | undefined> => {
      const mentions = mentionsIn(text, members)
      try {
        await send('tasks.update', {
          ...{
            task_id,
            description: text,
            content_type: 'markdown',
            if_version: version,
          },
          ...(mentions.length && { mentions }),
        })
      } catch (error) {
        if (isClash(error)) return sourceOf(task_id)
        throw error
      }
      const html = text ? (await ask('drafts.preview', { text }).catch(() => undefined))?.html : ''
      if (html !== undefined) patchTask({ task_id, project_id }, { description: html || null })
      readAgain(task_id)
      return undefined
    },
    [task_id, project_id],
  )
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
