import { useMemo, useState } from 'react'
import { cache, queryKeyOf } from '../../../data/cache.ts'
import type { Input } from '../../../data/client.ts'
import { sendWrite } from '../../../data/write-queue.ts'
import {
  type Card,
  type Column,
  currentBoard,
  patchBoard,
  type Section,
} from '../../../entities/board/data.ts'
import { showError, showToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import { reportEdit, write } from '../change.ts'
import type { ColumnActions } from './column-head.tsx'

type Fields = Omit<Input<'sections.update'>, 'project_id' | 'section_id'>
type ColumnFields = Partial<Pick<Section, 'title' | 'done' | 'hidden' | 'wip_limit' | 'color'>>

/** The fields to write, and how they look on the board. */
type ColumnEdit = [Fields, ColumnFields]

/** The column after which a new column goes; null puts it first. */
export type ColumnPosition = { after: number | null }

const refetchBoard = (project_id: number) =>
  void cache.invalidateQueries({ queryKey: queryKeyOf('projects.board', { project_id }) })

/** Saves a change of a column: shows it at once and reverts it if the server refuses. */
export function saveColumn(
  project_id: number,
  section_id: number,
  message: string | undefined,
  next: ColumnEdit,
  before: ColumnEdit,
) {
  const [fields, changed] = next
  const revert = patchBoard(project_id, (board) => ({
    ...board,
    sections: board.sections.map((section) =>
      section.section_id === section_id ? { ...section, ...changed } : section,
    ),
  }))
  const request = sendWrite('sections.update', { project_id, section_id, ...fields }).then(() => {
    // Which tasks are done or overdue may have changed.
    if (fields.is_done !== undefined) refetchBoard(project_id)
  })
  void reportEdit(request, revert, message, () =>
    saveColumn(project_id, section_id, undefined, before, next),
  )
}

export function setLimit(project_id: number, column: Section, wip_limit: number | null) {
  const { section_id, title, wip_limit: before } = column
  if (wip_limit === before) return
  const message =
    wip_limit === null
      ? t('board.removed_the_limit_of_title', { title })
      : t('board.set_the_limit_of_title_to_wip', { title, wip_limit })
  const limitEdit = (limit: number | null): ColumnEdit => [
    { wip_limit: limit },
    { wip_limit: limit },
  ]
  saveColumn(project_id, section_id, message, limitEdit(wip_limit), limitEdit(before))
}

/** Moves a column to an index, shown at once. */
function moveColumn(project_id: number, section_id: number, to: number) {
  const sections = currentBoard(project_id)?.sections ?? []
  const from = sections.findIndex((section) => section.section_id === section_id)
  const section = sections[from]
  if (!section || !sections[to] || to === from) return
  const next = sections.toSpliced(from, 1).toSpliced(to, 0, section)
  const revert = patchBoard(project_id, (board) => ({ ...board, sections: next }))
  const move_after_section_id = next[to - 1]?.section_id ?? null
  const request = sendWrite('sections.update', { project_id, section_id, move_after_section_id })
  void reportEdit(request, revert, t('board.moved_title', { title: section.title }), () =>
    moveColumn(project_id, section_id, from),
  )
}

const indexOf = (project_id: number, section_id: number) =>
  currentBoard(project_id)?.sections.findIndex((section) => section.section_id === section_id) ?? -1

export async function addColumn(project_id: number, title: string, { after }: ColumnPosition) {
  const fields = { project_id, title, after_section_id: after }
  const { section_id } = await sendWrite('sections.create', fields)
  showToast(t('board.added_title', { title }), () => {
    sendWrite('sections.delete', { project_id, section_id }).catch(showError)
  })
  return section_id
}

/**
 * Deletes a column and moves its tasks. The undo creates it again with the tasks that were shown in
 * it.
 */
export async function removeColumn(project_id: number, column: Section, to?: number) {
  const { section_id, title, done, hidden, role, wip_limit, color } = column
  const sections = currentBoard(project_id)?.sections ?? []
  const at = sections.findIndex((one) => one.section_id === section_id)
  const after_section_id = sections[at - 1]?.section_id ?? null
  const tasksBefore =
    currentBoard(project_id)?.cards.filter((card) => card.section_id === section_id) ?? []
  const restored = {
    ...{ project_id, title, is_done: done, hidden, role, wip_limit, color },
    after_section_id,
  }
  await sendWrite('sections.delete', {
    ...{ project_id, section_id },
    ...(to !== undefined && { move_tasks_to_section_id: to }),
  })
  refetchBoard(project_id)
  showToast(
    t('common.deleted_title', { title }),
    () => void recreateColumn(restored, tasksBefore).catch(showError),
  )
}

async function recreateColumn(column: Input<'sections.create'>, cards: readonly Card[]) {
  const { section_id } = await sendWrite('sections.create', column)
  if (cards.length) await write(cards, { section_id })
}

/** The actions of the columns, and which dialog is open for one. */
export function useColumns(project_id: number) {
  const [adding, setAdding] = useState<ColumnPosition>()
  const [removing, setRemoving] = useState<Column>()
  const [limiting, setLimiting] = useState<Column>()
  const [coloring, setColoring] = useState<{ column: Column; anchor: Element | null }>()
  const actions = useMemo(
    (): ColumnActions => ({
      ...columnEdits(project_id),
      ...columnMoves(project_id),
      add(column, side) {
        const sections = currentBoard(project_id)?.sections ?? []
        const at = sections.findIndex((section) => section.section_id === column.section_id)
        setAdding({ after: sections[side === 'left' ? at - 1 : at]?.section_id ?? null })
      },
      limit: setLimiting,
      pickColor: (column, anchor) => setColoring({ column, anchor }),
      remove(column) {
        if (column.total) return setRemoving(column)
        // A column that looks empty may hold archived tasks; then the user must choose where they
        // go.
        removeColumn(project_id, column).catch(() => setRemoving(column))
      },
    }),
    [project_id],
  )
  return {
    ...{ actions, adding, setAdding, removing, setRemoving, limiting, setLimiting },
    ...{ coloring, setColoring },
  }
}

/** The actions that edit a column. */
function columnEdits(project_id: number): Pick<ColumnActions, 'rename' | 'setDone' | 'setHidden'> {
  const save = (id: number, message: string, next: ColumnEdit, before: ColumnEdit) =>
    saveColumn(project_id, id, message, next, before)
  return {
    rename: ({ section_id, title: before }, title) =>
      save(
        section_id,
        t('common.renamed_to_title', { title }),
        [{ title }, { title }],
        [{ title: before }, { title: before }],
      ),
    setDone: ({ section_id, title, done: before }, done) =>
      save(
        section_id,
        done
          ? t('board.title_counts_as_done', { title })
          : t('board.title_does_not_count_as_done', { title }),
        [{ is_done: done }, { done }],
        [{ is_done: before }, { done: before }],
      ),
    setHidden: ({ section_id, title }, hidden) =>
      save(
        section_id,
        hidden ? t('common.hid_title', { title }) : t('common.showed_title', { title }),
        [{ hidden }, { hidden }],
        [{ hidden: !hidden }, { hidden: !hidden }],
      ),
  }
}

/** The actions that move a column among the others. */
const columnMoves = (project_id: number): Pick<ColumnActions, 'shift' | 'moveNextTo'> => ({
  shift: ({ section_id }, by) =>
    moveColumn(project_id, section_id, indexOf(project_id, section_id) + by),
  moveNextTo(section_id, neighbourId, isAfter) {
    const [from, to] = [indexOf(project_id, section_id), indexOf(project_id, neighbourId)]
    // Removing the column first shifts the columns after it by one.
    moveColumn(project_id, section_id, to + Number(isAfter) - Number(from < to))
  },
})
