import { replaceEqualDeep } from '@tanstack/react-query'
import { cache, keyOf } from '../data/cache.ts'
import type { Output } from '../data/client.ts'
import { keyOf as actorKey } from '../parts/avatar.tsx'

export type Board = Output<'projects.board'>
export type Card = Board['cards'][number]
export type Section = Board['sections'][number]
export type Label = Board['labels'][number]

export interface Column extends Section {
  /** Those that are shown. */
  cards: readonly Card[]
  /** How many there are, the ones left out by a filter included. */
  total: number
}

export const query = (project_id: number) => keyOf('projects.board', { project_id })

export const idsOf = (cards: readonly Card[]): ReadonlySet<number> =>
  new Set(cards.map(({ task_id }) => task_id))

/**
 * A card that is as it was is the one it was, wherever it stands now: only others are drawn anew.
 * By place instead, one card that moves would make others of all that it passes.
 */
function steady(before: Board, after: Board): Board {
  const known = new Map(before.cards.map((card) => [card.task_id, card]))
  const cards = after.cards.map((card) => replaceEqualDeep(known.get(card.task_id), card))
  const rest = replaceEqualDeep({ ...before, cards: [] }, { ...after, cards: [] })
  return { ...rest, cards }
}

const isBoard = (answer: unknown): answer is Board => Object(answer).cards !== undefined
cache.setQueryDefaults(['projects.board'], {
  // Also called with what somebody chose of a board.
  structuralSharing: (before, after) =>
    isBoard(before) && isBoard(after) ? steady(before, after) : replaceEqualDeep(before, after),
})

/** Shows a change of the board, and answers how it is taken back. */
export function patch(project_id: number, change: (board: Board) => Board): () => void {
  const key = query(project_id)
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
  const before = boardNow(project_id)?.cards.filter(({ task_id }) => ids.has(task_id)) ?? []
  const reread = patch(project_id, (board) => ({
    ...board,
    cards: sorted(
      board.cards.flatMap((card) => (ids.has(card.task_id) ? (change(card) ?? []) : card)),
    ),
  }))
  return () => {
    // As it was at once, also where nobody can be asked how it is.
    putCards(project_id, before)
    reread()
  }
}

/** Cards as they are given, whether or not they were there. */
export function putCards(project_id: number, cards: readonly Card[]) {
  const ids = idsOf(cards)
  return patch(project_id, (board) => ({
    ...board,
    cards: sorted([...board.cards.filter(({ task_id }) => !ids.has(task_id)), ...cards]),
  }))
}

/** The board as it is shown now. */
export const boardNow = (project_id: number) => cache.getQueryData<Board>(query(project_id))

export const parentIn = (project_id: number, { parent_task_id }: Card) =>
  parent_task_id === undefined
    ? undefined
    : boardNow(project_id)?.cards.find(({ task_id }) => task_id === parent_task_id)

/** Cards that are being written: what is read of them meanwhile may be older than what is shown. */
const writing = new Map<number, number>()
/** Of each reading that is under way, what was being written at any time since it began. */
const readings = new Set<Set<number>>()
const settled = new Set<() => void>()
let isBehind = false

/** Called when what was left out of a reading can be read. */
export function onSettled(heard: () => void): () => void {
  settled.add(heard)
  return () => void settled.delete(heard)
}

/** Keeps the cards as they are shown until the server has made what is shown. */
export async function whileWriting<T>(ids: Iterable<number>, write: () => Promise<T>): Promise<T> {
  const some = [...ids]
  for (const id of some) {
    writing.set(id, (writing.get(id) ?? 0) + 1)
    for (const stale of readings) stale.add(id)
  }
  try {
    return await write()
  } finally {
    for (const id of some) {
      const left = writing.get(id)! - 1
      if (left) writing.set(id, left)
      else writing.delete(id)
    }
    if (isBehind) for (const tell of settled) tell()
    isBehind = false
  }
}

/** Shows what changed; true where some of it was read too early, and can be read by now. */
export async function follow(project_id: number, read: () => Promise<Board>): Promise<boolean> {
  const stale = new Set(writing.keys())
  readings.add(stale)
  try {
    const change = await read()
    patch(project_id, (board) => merged(board, change, stale))
    return change.cards.some(({ task_id }) => stale.has(task_id) && !writing.has(task_id))
  } finally {
    readings.delete(stale)
  }
}

/** The board with what changed on it; what is left out now is asked for again. */
function merged(board: Board, change: Board, stale: ReadonlySet<number>): Board {
  if (change.whole) return change
  const fresh = new Map(
    change.cards.flatMap((card) => (stale.has(card.task_id) ? [] : [[card.task_id, card]])),
  )
  const isAll = fresh.size === change.cards.length
  isBehind ||= !isAll
  const gone = new Set(change.gone)
  const kept = board.cards.filter(({ task_id }) => !fresh.has(task_id) && !gone.has(task_id))
  const actors = new Map([...board.actors, ...change.actors].map((one) => [actorKey(one), one]))
  return {
    ...change,
    seq: isAll ? change.seq : board.seq,
    actors: [...actors.values()],
    cards: fresh.size ? sorted([...kept, ...fresh.values()]) : kept,
  }
}

const sorted = (cards: Card[]) =>
  cards.sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : a.task_id - b.task_id))

export const tasksIn = (columns: readonly Column[]) =>
  columns.reduce((sum, { total }) => sum + total, 0)
