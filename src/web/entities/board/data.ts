import { replaceEqualDeep } from '@tanstack/react-query'
import { cache, queryKeyOf } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { keyOf as actorKey } from '../user/actor.ts'

export type Board = Output<'projects.board'>
export type Card = Board['cards'][number]
export type Section = Board['sections'][number]
export type Label = Board['labels'][number]

export interface Column extends Section {
  /** The cards that the filter leaves. */
  cards: readonly Card[]
  /** All cards of the column, including filtered ones. */
  total: number
}

export const boardKey = (project_id: number) => queryKeyOf('projects.board', { project_id })

export const idsOf = (cards: readonly Card[]): ReadonlySet<number> =>
  new Set(cards.map(({ task_id }) => task_id))

/**
 * Reuses the objects of unchanged cards, so that only changed cards render again. React Query's
 * default compares by index: one card that moves would replace all cards that it passes.
 */
function keepUnchanged(before: Board, after: Board): Board {
  const cardsById = new Map(before.cards.map((card) => [card.task_id, card]))
  const cards = after.cards.map((card) => replaceEqualDeep(cardsById.get(card.task_id), card))
  const rest = replaceEqualDeep({ ...before, cards: [] }, { ...after, cards: [] })
  return { ...rest, cards }
}

const isBoard = (answer: unknown): answer is Board => Object(answer).cards !== undefined
cache.setQueryDefaults(['projects.board'], {
  // Also called with the result of a `select`.
  structuralSharing: (before, after) =>
    isBoard(before) && isBoard(after)
      ? keepUnchanged(before, after)
      : replaceEqualDeep(before, after),
})

/** Applies a change to the cached board; returns a function that reverts it. */
export function patchBoard(project_id: number, change: (board: Board) => Board): () => void {
  const key = boardKey(project_id)
  const before = cache.getQueryData<Board>(key)
  if (!before) return () => {}
  cache.setQueryData<Board>(key, change(before))
  return () => void cache.invalidateQueries({ queryKey: key })
}

export function patchCards(
  project_id: number,
  ids: ReadonlySet<number>,
  change: (card: Card) => Card | undefined,
) {
  const before = currentBoard(project_id)?.cards.filter(({ task_id }) => ids.has(task_id)) ?? []
  const refetch = patchBoard(project_id, (board) => ({
    ...board,
    cards: sortCards(
      board.cards.flatMap((card) => (ids.has(card.task_id) ? (change(card) ?? []) : card)),
    ),
  }))
  return () => {
    // Reverts at once, even while the server is unreachable.
    upsertCards(project_id, before)
    refetch()
  }
}

/** Inserts or replaces cards. */
export function upsertCards(project_id: number, cards: readonly Card[]) {
  const ids = idsOf(cards)
  return patchBoard(project_id, (board) => ({
    ...board,
    cards: sortCards([...board.cards.filter(({ task_id }) => !ids.has(task_id)), ...cards]),
  }))
}

/** The cached board. */
export const currentBoard = (project_id: number) => cache.getQueryData<Board>(boardKey(project_id))

export const parentIn = (project_id: number, { parent_task_id }: Card) =>
  parent_task_id === undefined
    ? undefined
    : currentBoard(project_id)?.cards.find(({ task_id }) => task_id === parent_task_id)

/**
 * The number of writes in flight per card: a read meanwhile may return an older card than the one
 * shown.
 */
const writeCounts = new Map<number, number>()
/** For each read in flight, the cards written at any time since it began. */
const activeReads = new Set<Set<number>>()
const settledListeners = new Set<() => void>()
let hasSkippedCards = false

/** Calls the listener when cards that a read had to skip can be read again. */
export function onWritesSettled(listener: () => void): () => void {
  settledListeners.add(listener)
  return () => void settledListeners.delete(listener)
}

/** Protects cards from being overwritten by reads until the write is done. */
export async function whileWriting<T>(ids: Iterable<number>, write: () => Promise<T>): Promise<T> {
  const taskIds = [...ids]
  for (const id of taskIds) {
    writeCounts.set(id, (writeCounts.get(id) ?? 0) + 1)
    for (const stale of activeReads) stale.add(id)
  }
  try {
    return await write()
  } finally {
    for (const id of taskIds) {
      const count = writeCounts.get(id)! - 1
      if (count) writeCounts.set(id, count)
      else writeCounts.delete(id)
    }
    if (hasSkippedCards) for (const listener of settledListeners) listener()
    hasSkippedCards = false
  }
}

/**
 * Applies the changes of a board; returns true if some cards were read too early and can be read
 * again.
 */
export async function applyChanges(
  project_id: number,
  read: () => Promise<Board>,
): Promise<boolean> {
  const stale = new Set(writeCounts.keys())
  activeReads.add(stale)
  try {
    const change = await read()
    patchBoard(project_id, (board) => mergeChanges(board, change, stale))
    return change.cards.some(({ task_id }) => stale.has(task_id) && !writeCounts.has(task_id))
  } finally {
    activeReads.delete(stale)
  }
}

/** Merges changes into the board. Skipped cards are read again later. */
function mergeChanges(board: Board, change: Board, stale: ReadonlySet<number>): Board {
  if (change.whole) return change
  const changed = new Map(
    change.cards.flatMap((card) => (stale.has(card.task_id) ? [] : [[card.task_id, card]])),
  )
  const isComplete = changed.size === change.cards.length
  hasSkippedCards ||= !isComplete
  const removed = new Set([...change.gone, ...arrivedPlaceholders(board, changed)])
  const remaining = board.cards.filter(
    ({ task_id }) => !changed.has(task_id) && !removed.has(task_id),
  )
  const actors = new Map(
    [...board.actors, ...change.actors].map((actor) => [actorKey(actor), actor]),
  )
  return {
    ...change,
    seq: isComplete ? change.seq : board.seq,
    actors: [...actors.values()],
    cards: changed.size ? sortCards([...remaining, ...changed.values()]) : remaining,
  }
}

/** The ids of placeholders whose task has arrived, which can be before the response to its request. */
function arrivedPlaceholders({ cards }: Board, changed: ReadonlyMap<number, Card>): Set<number> {
  const placeholders = cards.filter(({ task_id }) => task_id < 0)
  const arrived = new Set<number>()
  if (!placeholders.length) return arrived
  const knownIds = idsOf(cards)
  for (const { task_id, title, section_id } of changed.values()) {
    const placeholder = placeholders.find(
      (one) => one.title === title && one.section_id === section_id && !arrived.has(one.task_id),
    )
    if (placeholder && !knownIds.has(task_id)) arrived.add(placeholder.task_id)
  }
  return arrived
}

const sortCards = (cards: Card[]) =>
  cards.sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : a.task_id - b.task_id))

export const taskCountIn = (columns: readonly Column[]) =>
  columns.reduce((sum, { total }) => sum + total, 0)
