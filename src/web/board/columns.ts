import { useMemo, useState } from 'react'
import { cache, keyOf } from '../data/cache.ts'
import { type Input, wordsOf } from '../data/client.ts'
import { send } from '../data/waiting.ts'
import { complain, say } from '../frame/toasts.tsx'
import { told, write } from './change.ts'
import type { ColumnDeeds } from './column-head.tsx'
import { boardNow, type Card, type Column, patch, type Section } from './data.ts'

type Fields = Omit<Input<'sections.update'>, 'project_id' | 'section_id'>
type Shown = Partial<Pick<Section, 'title' | 'done' | 'hidden' | 'wip_limit'>>

/** What is written of a column, and how that looks. */
type Turn = [Fields, Shown]

/** Where a new column is to stand: after this one; nothing: first. */
export type Spot = { after: number | null }

const reread = (project_id: number) =>
  void cache.invalidateQueries({ queryKey: keyOf('projects.board', { project_id }) })

/** Shown at once, and as it was where the server refuses. */
function put(
  project_id: number,
  section_id: number,
  words: string | undefined,
  now: Turn,
  before: Turn,
) {
  const [fields, shown] = now
  const back = patch(project_id, (board) => ({
    ...board,
    sections: board.sections.map((one) =>
      one.section_id === section_id ? { ...one, ...shown } : one,
    ),
  }))
  const made = send('sections.update', { project_id, section_id, ...fields }).then(() => {
    // Which tasks are late or done may be another matter now.
    if (fields.is_done !== undefined) reread(project_id)
  })
  void told(made, back, words, () => put(project_id, section_id, undefined, before, now))
}

export function setLimit(project_id: number, column: Section, wip_limit: number | null) {
  const { section_id, title, wip_limit: before } = column
  if (wip_limit === before) return
  const words =
    wip_limit === null ? `No limit for ${title}` : `${title} is for ${wip_limit} at most`
  const turn = (limit: number | null): Turn => [{ wip_limit: limit }, { wip_limit: limit }]
  put(project_id, section_id, words, turn(wip_limit), turn(before))
}

/** To this place among all of them, shown at once. */
function moveTo(project_id: number, section_id: number, to: number) {
  const sections = boardNow(project_id)?.sections ?? []
  const at = sections.findIndex((one) => one.section_id === section_id)
  const moved = sections[at]
  if (!moved || !sections[to] || to === at) return
  const next = sections.toSpliced(at, 1).toSpliced(to, 0, moved)
  const back = patch(project_id, (board) => ({ ...board, sections: next }))
  const move_after_section_id = next[to - 1]?.section_id ?? null
  const made = send('sections.update', { project_id, section_id, move_after_section_id })
  void told(made, back, `Moved ${moved.title}`, () => moveTo(project_id, section_id, at))
}

const placeOf = (project_id: number, section_id: number) =>
  boardNow(project_id)?.sections.findIndex((one) => one.section_id === section_id) ?? -1

export async function addColumn(project_id: number, title: string, { after }: Spot) {
  try {
    const made = await send('sections.create', { project_id, title, after_section_id: after })
    const { section_id } = made
    const refused = (error: unknown) => complain(wordsOf(error))
    say(`Added ${title}`, () => {
      send('sections.delete', { project_id, section_id }).catch(refused)
    })
    return section_id
  } catch (error) {
    complain(wordsOf(error))
    return undefined
  }
}

/** Its tasks go where they are sent; made again, it gets those back that were seen in it. */
export async function removeColumn(project_id: number, column: Section, to?: number) {
  const { section_id, title, done, hidden, role, wip_limit } = column
  const sections = boardNow(project_id)?.sections ?? []
  const at = sections.findIndex((one) => one.section_id === section_id)
  const after_section_id = sections[at - 1]?.section_id ?? null
  const held = boardNow(project_id)?.cards.filter((card) => card.section_id === section_id) ?? []
  const again = { project_id, title, is_done: done, hidden, role, wip_limit, after_section_id }
  const refused = (error: unknown) => complain(wordsOf(error))
  await send('sections.delete', {
    ...{ project_id, section_id },
    ...(to !== undefined && { move_tasks_to_section_id: to }),
  })
  reread(project_id)
  say(`Deleted ${title}`, () => void makeAgain(again, held).catch(refused))
}

async function makeAgain(column: Input<'sections.create'>, held: readonly Card[]) {
  const { section_id } = await send('sections.create', column)
  if (held.length) await write(held, { section_id })
}

/** What can be done with the columns, and which of it is being asked about. */
export function useColumns(project_id: number) {
  const [adding, setAdding] = useState<Spot>()
  const [removing, setRemoving] = useState<Column>()
  const [limiting, setLimiting] = useState<Column>()
  const deeds = useMemo((): ColumnDeeds => {
    const turn = (id: number, words: string, now: Turn, before: Turn) =>
      put(project_id, id, words, now, before)
    return {
      rename: ({ section_id, title: before }, title) =>
        turn(
          section_id,
          `Renamed to ${title}`,
          [{ title }, { title }],
          [{ title: before }, { title: before }],
        ),
      setDone: ({ section_id, title, done: before }, done) =>
        turn(
          section_id,
          done ? `${title} counts as done` : `${title} does not count as done`,
          [{ is_done: done }, { done }],
          [{ is_done: before }, { done: before }],
        ),
      setHidden: ({ section_id, title }, hidden) =>
        turn(
          section_id,
          `${hidden ? 'Hid' : 'Showed'} ${title}`,
          [{ hidden }, { hidden }],
          [{ hidden: !hidden }, { hidden: !hidden }],
        ),
      add(column, side) {
        const sections = boardNow(project_id)?.sections ?? []
        const at = sections.findIndex((one) => one.section_id === column.section_id)
        setAdding({ after: sections[side === 'left' ? at - 1 : at]?.section_id ?? null })
      },
      shift: ({ section_id }, by) =>
        moveTo(project_id, section_id, placeOf(project_id, section_id) + by),
      put(section_id, beside, isAfter) {
        const [from, to] = [placeOf(project_id, section_id), placeOf(project_id, beside)]
        // Without the one that is taken, those behind it stand one further to the front.
        moveTo(project_id, section_id, to + Number(isAfter) - Number(from < to))
      },
      limit: setLimiting,
      remove(column) {
        if (column.total) return setRemoving(column)
        // Archived tasks may be in it too; then somebody must say where they go.
        removeColumn(project_id, column).catch(() => setRemoving(column))
      },
    }
  }, [project_id])
  return { deeds, adding, setAdding, removing, setRemoving, limiting, setLimiting }
}
