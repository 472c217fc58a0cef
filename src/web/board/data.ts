import { useCallback, useEffect, useMemo, useRef } from 'react'
import { cache, keyOf, useAsk } from '../data/cache.ts'
import { ask, type Output } from '../data/client.ts'
import type { Happening } from '../data/live.ts'
import { useHappenings } from '../frame/live.ts'
import { type Actor, type ActorKey, keyOf as actorKey } from '../parts/avatar.tsx'

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

const query = (project_id: number) => keyOf('projects.board', { project_id })

/** A board, kept up with what happens on it by asking for the changes alone. */
export function useBoard(project_id: number) {
  const { data: board, error } = useAsk('projects.board', { project_id })
  useFollow(project_id)
  useLeaseEnds(board)
  const columns = useMemo(() => (board ? columnsOf(board) : []), [board])
  const actors = useMemo(
    () => new Map<ActorKey, Actor>(board?.actors.map((one) => [actorKey(one), one])),
    [board],
  )
  const labels = useMemo(
    () => new Map<number, Label>(board?.labels.map((one) => [one.label_id, one])),
    [board],
  )
  return { board, error, columns, actors, labels }
}

function useFollow(project_id: number) {
  const asking = useRef(false)
  const again = useRef(false)
  const follow = useCallback(
    async (happenings: readonly Happening[]) => {
      if (!happenings.some((one) => concerns(one, project_id))) return
      again.current = true
      if (asking.current) return
      asking.current = true
      try {
        while (again.current) {
          again.current = false
          const since = cache.getQueryData<Board>(query(project_id))?.seq
          if (since === undefined) break
          const change = await ask('projects.board', { project_id, since })
          patch(project_id, (board) => merged(board, change))
          if (!isWhole(cache.getQueryData<Board>(query(project_id))))
            await cache.invalidateQueries({ queryKey: query(project_id) })
        }
      } catch {
        // What could not be followed is read whole as soon as the connection is back.
        again.current = false
      } finally {
        asking.current = false
      }
    },
    [project_id],
  )
  useHappenings(follow)
}

/** A task that moved to another board is told of there, and is gone here. */
function concerns({ project_id: at, data }: Happening, project_id: number): boolean {
  if (at === project_id) return true
  const board = cache.getQueryData<Board>(query(project_id))
  return board?.cards.some(({ task_id }) => task_id === data.task_id) ?? false
}

/** Nobody tells of the tasks of a column that was deleted one by one. */
const isWhole = (board: Board | undefined) => {
  const columns = new Set(board?.sections.map(({ section_id }) => section_id))
  return board === undefined || board.cards.every(({ section_id }) => columns.has(section_id))
}

/** A lease ends by itself, and nobody tells of that. */
function useLeaseEnds(board: Board | undefined) {
  useEffect(() => {
    const held = board?.cards.filter(({ lease }) => lease) ?? []
    if (!board || !held.length) return
    const ends = Math.min(...held.map(({ lease }) => Date.parse(lease!.expires_at)))
    const timer = setTimeout(
      () => {
        const now = Date.now()
        const over = held.filter(({ lease }) => Date.parse(lease!.expires_at) <= now)
        patchCards(board.project_id, idsOf(over), ({ lease: _, ...card }) => card)
      },
      Math.max(0, ends - Date.now()) + 50,
    )
    return () => clearTimeout(timer)
  }, [board])
}

export const idsOf = (cards: readonly Card[]): ReadonlySet<number> =>
  new Set(cards.map(({ task_id }) => task_id))

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

export function merged(board: Board, change: Board): Board {
  if (change.whole) return change
  const fresh = new Map(change.cards.map((card) => [card.task_id, card]))
  const gone = new Set(change.gone)
  const kept = board.cards.filter(({ task_id }) => !fresh.has(task_id) && !gone.has(task_id))
  const actors = new Map([...board.actors, ...change.actors].map((one) => [actorKey(one), one]))
  return {
    ...change,
    actors: [...actors.values()],
    cards: fresh.size ? sorted([...kept, ...fresh.values()]) : kept,
  }
}

const sorted = (cards: Card[]) =>
  cards.sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : a.task_id - b.task_id))

function columnsOf({ sections, cards }: Board): Column[] {
  const by = Map.groupBy(cards, ({ section_id }) => section_id)
  return sections.map((section) => {
    const own = by.get(section.section_id) ?? []
    return { ...section, cards: own, total: own.length }
  })
}
