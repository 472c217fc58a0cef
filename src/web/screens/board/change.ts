import type { Input } from '../../data/client.ts'
import { sendWrite } from '../../data/write-queue.ts'
import {
  type Card,
  currentBoard,
  idsOf,
  patchCards,
  upsertCards,
  whileWriting,
} from '../../entities/board/data.ts'
import { changeText, type TaskField } from '../../entities/task/task-fields.tsx'
import { holdsFields, pickFields } from '../../kit/fields.ts'
import { refuseUndo, showError, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { loadCards } from './load-changes.ts'
import { saveEdit } from './save-edit.ts'

type ChangedFields = Omit<Input<'tasks.update_many'>, 'task_ids' | 'ticket_numbers'>

/** A change of several cards: what is written, how it looks, and how it is undone. */
export interface Change {
  message: string
  fields: ChangedFields
  /** Undefined removes the card from the board. */
  apply(card: Card): Card | undefined
  undo(card: Card): ChangedFields
  /**
   * The fields that it changes. If one has another value by the time of the undo, somebody else set
   * it.
   */
  keys?: readonly (keyof Card)[]
}

/** The most tasks that one call accepts. */
const MAX_TASKS_PER_CALL = 50

export const nameOf = (cards: readonly Card[]) =>
  cards.length === 1 ? cards[0]!.ticket_number : t('board.count_tasks', { count: cards.length })

export function currentCards(project_id: number, ids: readonly number[]): Card[] {
  // Cards that the server has not created yet cannot be changed.
  const idSet = new Set(ids.filter((id) => id > 0))
  return currentBoard(project_id)?.cards.filter(({ task_id }) => idSet.has(task_id)) ?? []
}

/** Shows a change at once and writes it; reverts if the server refuses. */
export async function changeCards(project_id: number, cards: readonly Card[], change: Change) {
  if (!cards.length) return
  const { message, fields, apply } = change
  const revert = patchCards(project_id, idsOf(cards), apply)
  const undo = () => undoChange(project_id, cards, change)
  await saveEdit({ request: write(cards, fields), revert, message, undo })
}

/**
 * Shows the message of an edit at once, so that Ctrl+Z undoes the last one first. If the server
 * refuses, it hides the message and reverts the edit.
 */
export async function reportEdit(
  request: Promise<unknown>,
  revert: () => void,
  message: string | undefined,
  undo: () => void,
) {
  const hideMessage = message && showToast(message, () => void request.then(undo, () => {}))
  try {
    await request
  } catch (error) {
    if (hideMessage) hideMessage()
    revert()
    showError(error)
  }
}

export const write = (cards: readonly Card[], fields: ChangedFields) =>
  whileWriting(idsOf(cards), async () => {
    for (let at = 0; at < cards.length; at += MAX_TASKS_PER_CALL) {
      const task_ids = cards.slice(at, at + MAX_TASKS_PER_CALL).map(({ task_id }) => task_id)
      await sendWrite('tasks.update_many', { task_ids, ...fields })
    }
  })

/**
 * Restores the earlier values, with one call for all cards that had the same. Skips cards that
 * somebody else has changed since.
 */
async function undoChange(project_id: number, cards: readonly Card[], change: Change) {
  const { apply, undo, keys = [] } = change
  const current = new Map((await loadCards(project_id, cards)).map((card) => [card.task_id, card]))
  const isUnchanged = (card: Card) => {
    const [now, written] = [current.get(card.task_id), apply(card)]
    return (
      !written ||
      (now !== undefined && holdsFields(pickFields(now, keys), pickFields(written, keys)))
    )
  }
  const [unchanged = [], changed = []] = [true, false].map((isWanted) =>
    cards.filter((card) => isUnchanged(card) === isWanted),
  )
  if (changed.length) refuseUndo(t('board.same_field_of_name', { name: nameOf(changed) }))
  if (!unchanged.length) return false
  upsertCards(
    project_id,
    unchanged.map((card) => restoreFields(current.get(card.task_id), card, keys)),
  )
  const groups = Map.groupBy(unchanged, (card) => JSON.stringify(undo(card)))
  try {
    for (const group of groups.values()) await write(group, undo(group[0]!))
  } catch (error) {
    upsertCards(project_id, [...current.values()])()
    throw error
  }
  return true
}

/** The current card with the earlier values of these fields. */
function restoreFields(now: Card | undefined, before: Card, keys: Change['keys'] = []): Card {
  if (!now) return before
  const fields = keys.filter((key) => before[key] !== undefined)
  return { ...without(now, ...keys), ...pickFields(before, fields) }
}

const without = <K extends keyof Card>(card: Card, ...names: K[]): Card => {
  const rest = { ...card }
  for (const name of names) delete (rest as Partial<Card>)[name]
  return rest
}

/** Sets a field to a number; 0 removes it. */
export const setField = (cards: readonly Card[], field: TaskField, value: number): Change => {
  const { name } = field
  return {
    message: changeText(field, value, nameOf(cards)),
    fields: { [name]: value } as ChangedFields,
    apply: (card) => (value ? { ...card, [name]: value } : without(card, name)),
    undo: (card) => ({ [name]: card[name] ?? 0 }) as ChangedFields,
    keys: [name],
  }
}

export const due = (cards: readonly Card[], due_date: string | null, dateText: string): Change => ({
  message: due_date
    ? t('board.name_due_when', { name: nameOf(cards), when: dateText })
    : t('board.removed_due_date_from_name', { name: nameOf(cards) }),
  fields: { due_date },
  // Only the server knows where the user's day ends, so it decides whether the task is overdue.
  apply: (card) => ({ ...without(card, 'due_date', 'overdue'), ...(due_date && { due_date }) }),
  undo: (card) => ({ due_date: card.due_date ?? null }),
  keys: ['due_date'],
})

export const label = (
  cards: readonly Card[],
  { label_id, name }: { label_id: number; name: string },
  on: boolean,
): Change => ({
  message: on
    ? t('board.added_name_to_name2', { name, name2: nameOf(cards) })
    : t('board.removed_name_from_name2', { name, name2: nameOf(cards) }),
  fields: on ? { add_labels: [label_id] } : { remove_labels: [label_id] },
  apply: (card) => {
    const others = (card.labels ?? []).filter((one) => one !== label_id)
    return { ...card, labels: on ? [...others, label_id] : others }
  },
  undo: (card) =>
    card.labels?.includes(label_id) ? { add_labels: [label_id] } : { remove_labels: [label_id] },
})

export const setStatus = (cards: readonly Card[], status: 'Archive' | 'Deleted'): Change => ({
  message:
    status === 'Archive'
      ? t('common.archived_title', { title: nameOf(cards) })
      : t('common.deleted_title', { title: nameOf(cards) }),
  fields: { status },
  apply: () => undefined,
  undo: () => ({ status: 'Normal' }),
})

export interface Person {
  key: string | number
  name: string
}

/** Assigns people and agents to tasks, or unassigns them, with one call per task. */
export async function assign(
  project_id: number,
  cards: readonly Card[],
  { key, name }: Person,
  on: boolean,
): Promise<void> {
  const targets = cards.filter(({ assignees = [] }) => assignees.includes(key) !== on)
  if (!targets.length) return
  const { request, revert } = setAssignee(project_id, targets, key, on)
  const message = on
    ? t('board.assigned_name_to_name2', { name: nameOf(targets), name2: name })
    : t('board.unassigned_name_from_name2', { name, name2: nameOf(targets) })
  const undo = async () => {
    const now = await loadCards(project_id, targets)
    const others = now.filter(({ assignees = [] }) => assignees.includes(key) === on)
    const reversal = setAssignee(project_id, others, key, !on)
    try {
      await reversal.request
    } catch (error) {
      reversal.revert()
      throw error
    }
    return true
  }
  await saveEdit({ request, revert, message, undo })
}

/** Assigns an agent to a new task, without an undo step of its own. */
export function assignAgent(project_id: number, task_id: number, agent_id: string) {
  const { request, revert } = setAssignee(
    project_id,
    currentCards(project_id, [task_id]),
    agent_id,
    true,
  )
  request.catch((error) => {
    revert()
    showError(error)
  })
}

function setAssignee(
  project_id: number,
  cards: readonly Card[],
  key: string | number,
  on: boolean,
) {
  const revert = patchCards(project_id, idsOf(cards), (card) => {
    const others = (card.assignees ?? []).filter((one) => one !== key)
    return { ...card, assignees: on ? [...others, key] : others }
  })
  const assignee = typeof key === 'string' ? { agent_id: key } : { user_id: key }
  const request = whileWriting(idsOf(cards), async () => {
    for (const { task_id } of cards)
      await sendWrite('tasks.assign', { task_id, ...assignee, intent: on ? 'assign' : 'unassign' })
  })
  return { request, revert }
}
