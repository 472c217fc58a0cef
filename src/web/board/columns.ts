import { useMemo, useState } from 'react'
import { cache, keyOf } from '../data/cache.ts'
import { type Input, wordsOf } from '../data/client.ts'
import { send } from '../data/waiting.ts'
import { complain, say } from '../frame/toasts.tsx'
import type { ColumnDeeds } from './column-head.tsx'
import { boardNow, type Column, patch, type Section } from './data.ts'

type Fields = Omit<Input<'sections.update'>, 'project_id' | 'section_id'>
type Shown = Partial<Pick<Section, 'title' | 'done' | 'hidden'>>

/** Where a new column is to stand: after this one; nothing: first. */
export type Spot = { after: number | null }

const reread = (project_id: number) =>
  void cache.invalidateQueries({ queryKey: keyOf('projects.board', { project_id }) })

/** Shown at once, and as it was where the server refuses. */
async function put(project_id: number, section_id: number, fields: Fields, shown: Shown) {
  const back = patch(project_id, (board) => ({
    ...board,
    sections: board.sections.map((one) =>
      one.section_id === section_id ? { ...one, ...shown } : one,
    ),
  }))
  try {
    await send('sections.update', { project_id, section_id, ...fields })
    // Which tasks are late or done may be another matter now.
    if (fields.is_done !== undefined) reread(project_id)
    return true
  } catch (error) {
    back()
    complain(wordsOf(error))
    return false
  }
}

async function shift(project_id: number, { section_id, title }: Section, by: 1 | -1) {
  const sections = boardNow(project_id)?.sections ?? []
  const at = sections.findIndex((one) => one.section_id === section_id)
  if (at < 0 || !sections[at + by]) return
  const next = [...sections]
  const [moved] = next.splice(at, 1)
  next.splice(at + by, 0, moved!)
  const back = patch(project_id, (board) => ({ ...board, sections: next }))
  const move_after_section_id = next[at + by - 1]?.section_id ?? null
  try {
    await send('sections.update', { project_id, section_id, move_after_section_id })
    say(`Moved ${title}`, () => void shift(project_id, moved!, by === 1 ? -1 : 1))
  } catch (error) {
    back()
    complain(wordsOf(error))
  }
}

export async function addColumn(project_id: number, title: string, { after }: Spot) {
  try {
    await send('sections.create', { project_id, title, after_section_id: after })
    return true
  } catch (error) {
    complain(wordsOf(error))
    return false
  }
}

/** Without tasks it can be made again; with tasks they go where they are sent. */
export async function removeColumn(project_id: number, column: Section, to?: number) {
  const { section_id, title, done, hidden, role } = column
  const sections = boardNow(project_id)?.sections ?? []
  const at = sections.findIndex((one) => one.section_id === section_id)
  const after_section_id = sections[at - 1]?.section_id ?? null
  const again = { project_id, title, is_done: done, hidden, role, after_section_id }
  const refused = (error: unknown) => complain(wordsOf(error))
  await send('sections.delete', {
    ...{ project_id, section_id },
    ...(to !== undefined && { move_tasks_to_section_id: to }),
  })
  reread(project_id)
  if (to !== undefined) return say(`Deleted ${title}`)
  say(`Deleted ${title}`, () => void send('sections.create', again).catch(refused))
}

/** What can be done with the columns, and which of it is being asked about. */
export function useColumns(project_id: number) {
  const [adding, setAdding] = useState<Spot>()
  const [removing, setRemoving] = useState<Column>()
  const deeds = useMemo(
    (): ColumnDeeds => ({
      rename({ section_id, title: before }, title) {
        void put(project_id, section_id, { title }, { title }).then(
          (yes) =>
            yes &&
            say(`Renamed to ${title}`, () =>
              put(project_id, section_id, { title: before }, { title: before }),
            ),
        )
      },
      setDone({ section_id, title, done: before }, done) {
        const words = done ? `${title} counts as done` : `${title} does not count as done`
        void put(project_id, section_id, { is_done: done }, { done }).then(
          (yes) =>
            yes &&
            say(words, () => put(project_id, section_id, { is_done: before }, { done: before })),
        )
      },
      setHidden({ section_id, title }, hidden) {
        void put(project_id, section_id, { hidden }, { hidden }).then(
          (yes) =>
            yes &&
            say(`${hidden ? 'Hid' : 'Showed'} ${title}`, () =>
              put(project_id, section_id, { hidden: !hidden }, { hidden: !hidden }),
            ),
        )
      },
      add(column, side) {
        const sections = boardNow(project_id)?.sections ?? []
        const at = sections.findIndex((one) => one.section_id === column.section_id)
        setAdding({ after: sections[side === 'left' ? at - 1 : at]?.section_id ?? null })
      },
      shift: (column, by) => void shift(project_id, column, by),
      remove(column) {
        if (column.total) return setRemoving(column)
        // Archived tasks may be in it too; then somebody must say where they go.
        removeColumn(project_id, column).catch(() => setRemoving(column))
      },
    }),
    [project_id],
  )
  return { deeds, adding, setAdding, removing, setRemoving }
}
