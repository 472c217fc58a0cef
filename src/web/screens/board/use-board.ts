import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useOperation } from '../../data/cache.ts'
import type { Change } from '../../data/change-stream.ts'
import { useChanges } from '../../data/live.ts'
import { type Board, type Column, type Label, onWritesSettled } from '../../entities/board/data.ts'
import { type Actor, type ActorKey, keyOf as actorKey } from '../../entities/user/actor.ts'
import { loadChanges } from './load-changes.ts'

/** Loads a board and keeps it current by loading only the changes. */
export function useBoard(project_id: number) {
  const { data: board, error } = useOperation('projects.board', { project_id })
  useLeaseEnds(board, useChangeFeed(project_id))
  const columns = useMemo(() => (board ? columnsOf(board) : []), [board])
  const actors = useMemo(
    () => new Map<ActorKey, Actor>(board?.actors.map((actor) => [actorKey(actor), actor])),
    [board],
  )
  const labels = useMemo(
    () => new Map<number, Label>(board?.labels.map((label) => [label.label_id, label])),
    [board],
  )
  return { board, error, columns, actors, labels }
}

/** How far the server's clock may be behind. */
const CLOCK_SKEW_MS = 1000

/** A lease expires or is extended without a change event. */
function useLeaseEnds(board: Board | undefined, refresh: () => void) {
  useEffect(() => {
    const expiries = board?.cards.flatMap(({ lease }) =>
      lease ? Date.parse(lease.expires_at) : [],
    )
    if (!expiries?.length) return
    const remaining = Math.min(...expiries) - Date.now()
    const timer = setTimeout(refresh, Math.max(0, remaining) + CLOCK_SKEW_MS)
    return () => clearTimeout(timer)
  }, [board, refresh])
}

function columnsOf({ sections, cards }: Board): Column[] {
  const cardsBySection = Map.groupBy(cards, ({ section_id }) => section_id)
  return sections.map((section) => {
    const columnCards = cardsBySection.get(section.section_id) ?? []
    return { ...section, cards: columnCards, total: columnCards.length }
  })
}

/** Loads the changes of a board when an event arrives; returns a function that does so. */
function useChangeFeed(project_id: number) {
  const isLoading = useRef(false)
  const isStale = useRef(false)
  const refresh = useCallback(async () => {
    isStale.current = true
    if (isLoading.current) return
    isLoading.current = true
    try {
      while (isStale.current) {
        isStale.current = false
        if (await loadChanges(project_id)) isStale.current = true
      }
    } catch {
      // After a failure the whole board is loaded when the connection is back.
      isStale.current = false
    } finally {
      isLoading.current = false
    }
  }, [project_id])
  const onChanges = useCallback(
    (changes: readonly Change[]) => {
      // A task that moves to another board emits an event here too, as one that left.
      if (changes.some((change) => change.project_id === project_id)) void refresh()
    },
    [project_id, refresh],
  )
  useChanges(onChanges)
  useEffect(() => onWritesSettled(() => void refresh()), [refresh])
  useEffect(() => {
    if (unwatchedBoards.delete(project_id)) void refresh()
    return () => void unwatchedBoards.add(project_id)
  }, [project_id, refresh])
  return refresh
}

/** Boards that were left: their changes are loaded when the user comes back. */
const unwatchedBoards = new Set<number>()
