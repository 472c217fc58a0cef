import { useCallback, useEffect, useMemo, useRef } from 'react'
import { cache, useAsk } from '../data/cache.ts'
import { ask } from '../data/client.ts'
import type { Happening } from '../data/live.ts'
import { useHappenings } from '../frame/live.ts'
import { type Actor, type ActorKey, keyOf as actorKey } from '../parts/avatar.tsx'
import {
  type Board,
  boardNow,
  type Column,
  idsOf,
  type Label,
  merged,
  onSettled,
  patch,
  patchCards,
  query,
} from './data.ts'

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

function columnsOf({ sections, cards }: Board): Column[] {
  const by = Map.groupBy(cards, ({ section_id }) => section_id)
  return sections.map((section) => {
    const own = by.get(section.section_id) ?? []
    return { ...section, cards: own, total: own.length }
  })
}

/** Asks for what changed on a board when somebody tells that something did. */
function useFollow(project_id: number) {
  const asking = useRef(false)
  const again = useRef(false)
  const follow = useCallback(async () => {
    again.current = true
    if (asking.current) return
    asking.current = true
    try {
      while (again.current) {
        again.current = false
        await readOn(project_id)
      }
    } catch {
      // What could not be followed is read whole as soon as the connection is back.
      again.current = false
    } finally {
      asking.current = false
    }
  }, [project_id])
  const heard = useCallback(
    (happenings: readonly Happening[]) => {
      if (happenings.some((one) => concerns(one, project_id))) void follow()
    },
    [project_id, follow],
  )
  useHappenings(heard)
  useEffect(() => onSettled(() => void follow()), [follow])
}

async function readOn(project_id: number) {
  const since = boardNow(project_id)?.seq
  if (since === undefined) return
  const change = await ask('projects.board', { project_id, since })
  patch(project_id, (board) => merged(board, change))
  if (!isWhole(boardNow(project_id))) await cache.invalidateQueries({ queryKey: query(project_id) })
}

/** A task that moved to another board is told of there, and is gone here. */
function concerns({ project_id: at, data }: Happening, project_id: number): boolean {
  if (at === project_id) return true
  return boardNow(project_id)?.cards.some(({ task_id }) => task_id === data.task_id) ?? false
}

/** Nobody tells of the tasks of a column that was deleted one by one. */
const isWhole = (board: Board | undefined) => {
  const columns = new Set(board?.sections.map(({ section_id }) => section_id))
  return board === undefined || board.cards.every(({ section_id }) => columns.has(section_id))
}
