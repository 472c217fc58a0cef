import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useAsk } from '../data/cache.ts'
import type { Happening } from '../data/live.ts'
import { useHappenings } from '../frame/live.ts'
import { type Actor, type ActorKey, keyOf as actorKey } from '../parts/avatar.tsx'
import { type Board, type Column, type Label, onSettled } from './data.ts'
import { readOn } from './read-on.ts'

/** A board, kept up with what happens on it by asking for the changes alone. */
export function useBoard(project_id: number) {
  const { data: board, error } = useAsk('projects.board', { project_id })
  useLeaseEnds(board, useFollow(project_id))
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

/** The server's clock may be behind by so much. */
const LATER_MS = 1000

/** A lease ends by itself or is kept longer, and nobody tells of that. */
function useLeaseEnds(board: Board | undefined, follow: () => void) {
  useEffect(() => {
    const ends = board?.cards.flatMap(({ lease }) => (lease ? Date.parse(lease.expires_at) : []))
    if (!ends?.length) return
    const left = Math.min(...ends) - Date.now()
    const timer = setTimeout(follow, Math.max(0, left) + LATER_MS)
    return () => clearTimeout(timer)
  }, [board, follow])
}

function columnsOf({ sections, cards }: Board): Column[] {
  const by = Map.groupBy(cards, ({ section_id }) => section_id)
  return sections.map((section) => {
    const own = by.get(section.section_id) ?? []
    return { ...section, cards: own, total: own.length }
  })
}

/** Asks for what changed on a board when somebody tells that something did; answers how to. */
function useFollow(project_id: number) {
  const asking = useRef(false)
  const again = useRef(false)
  const readAll = useCallback(async () => {
    again.current = true
    if (asking.current) return
    asking.current = true
    try {
      while (again.current) {
        again.current = false
        if (await readOn(project_id)) again.current = true
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
      // A task that moved to another board is told of here too, as one that left.
      if (happenings.some((one) => one.project_id === project_id)) void readAll()
    },
    [project_id, readAll],
  )
  useHappenings(heard)
  useEffect(() => onSettled(() => void readAll()), [readAll])
  useEffect(() => {
    if (left.delete(project_id)) void readAll()
    return () => void left.add(project_id)
  }, [project_id, readAll])
  return readAll
}

/** Boards that nobody looks at any more: what happens on them is read when somebody comes back. */
const left = new Set<number>()
