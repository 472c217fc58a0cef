import { generateKeyBetween } from 'fractional-indexing'
import { sendWrite } from '../../../data/write-queue.ts'
import {
  type Board,
  type Card,
  currentBoard,
  patchCards,
  whileWriting,
} from '../../../entities/board/data.ts'
import { refuseUndo } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import { nameOf } from '../change.ts'
import { loadCards } from '../load-changes.ts'
import { saveEdit } from '../save-edit.ts'
import type { CellEdit } from './cell-edit.ts'
import { currentDetails, patchDetails, refreshDetails } from './details.ts'
import { isSameValue, type TaskChange } from './types.ts'

/** Shows the new values at once and writes them together: all or none, and one step to undo. */
export async function writeCells(
  project_id: number,
  requested: readonly CellEdit[],
  message = messageOf(requested),
) {
  const edits = requested.filter(
    ({ card, before, value }) => card.task_id > 0 && !isSameValue(before, value),
  )
  if (!edits.length) return
  const revert = apply(project_id, edits)
  await saveEdit({
    ...{ request: write(edits), revert, message },
    undo: () => undoCells(project_id, edits),
  })
}

function messageOf(edits: readonly CellEdit[]): string {
  const fields = new Set(edits.map(({ field }) => field.label))
  const name = nameOf([...new Map(edits.map(({ card }) => [card.task_id, card])).values()])
  return fields.size === 1
    ? t('table.changed_label_of_name', { label: [...fields][0]!, name })
    : t('table.changed_count_cells_of_name', { count: edits.length, name })
}

const byTask = (edits: readonly CellEdit[]) => Map.groupBy(edits, ({ card }) => card.task_id)

/** One change for each task; the values of custom fields are one list. */
function changesOf(edits: readonly CellEdit[]): TaskChange[] {
  return [...byTask(edits)].map(([task_id, own]) => {
    const parts = own.map(({ field, value }) => field.toChange!(value))
    const custom_fields = parts.flatMap((part) => part.custom_fields ?? [])
    return {
      ...Object.assign({}, ...parts),
      task_id,
      ...(custom_fields.length && { custom_fields }),
    }
  })
}

const write = (edits: readonly CellEdit[]) =>
  whileWriting(byTask(edits).keys(), () =>
    sendWrite('tasks.update_each', { changes: changesOf(edits) }, { line: 'cells' }),
  )

/** Shows the values; returns a function that shows the earlier ones. */
function apply(project_id: number, edits: readonly CellEdit[]): () => void {
  const edited = byTask(edits)
  const board = currentBoard(project_id)
  const revertCards = patchCards(project_id, new Set(edited.keys()), (card) =>
    edited.get(card.task_id)!.reduce((card, edit) => withValue(card, edit, board), card),
  )
  const hasDetails = edits.some(({ field }) => field.custom)
  const revertDetails = hasDetails
    ? patchDetails(project_id, (details) => {
        const own = edited.get(details.task_id)?.filter(({ field }) => field.custom)
        if (!own?.length) return details
        const values = { ...details.values }
        for (const { field, value } of own)
          if (value === null || value === '') delete values[field.custom!.field_id]
          else values[field.custom!.field_id] = value as string | number | boolean
        return { ...details, values }
      })
    : () => {}
  return () => {
    revertCards()
    revertDetails()
  }
}

function withValue(card: Card, { field, value }: CellEdit, board: Board | undefined): Card {
  const next = field.patch?.(card, value) ?? card
  if (next.section_id === card.section_id) return next
  // The server puts a task that enters a column below all others.
  const last = board?.cards.findLast(({ section_id }) => section_id === next.section_id)
  return { ...next, rank: generateKeyBetween(last?.rank ?? null, null) }
}

/** Restores the earlier values of cells that nobody else has changed since. */
async function undoCells(project_id: number, edits: readonly CellEdit[]) {
  const cards = [...new Map(edits.map(({ card }) => [card.task_id, card])).values()]
  const current = new Map((await loadCards(project_id, cards)).map((card) => [card.task_id, card]))
  if (edits.some(({ field }) => field.custom)) await refreshDetails(project_id)
  const details = currentDetails(project_id)
  const isUnchanged = ({ card: { task_id }, field, value }: CellEdit) => {
    const card = current.get(task_id)
    return (
      card !== undefined && isSameValue(field.read({ card, details: details.get(task_id) }), value)
    )
  }
  const unchanged = edits.filter(isUnchanged)
  const changed = edits.filter((edit) => !isUnchanged(edit))
  if (changed.length)
    refuseUndo(t('board.same_field_of_name', { name: nameOf(changed.map(({ card }) => card)) }))
  if (!unchanged.length) return false
  const reversed = unchanged.map(({ before, value, ...edit }) => ({
    ...{ ...edit, before: value, value: before },
    card: current.get(edit.card.task_id)!,
  }))
  const revert = apply(project_id, reversed)
  try {
    await write(reversed)
  } catch (error) {
    revert()
    throw error
  }
  return true
}
