import { useQueries } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { cache } from '../data/cache.ts'
import { ask, type Output } from '../data/client.ts'
import type { Happening } from '../data/live.ts'
import { useHappenings } from '../frame/live.ts'
import type { Me } from '../frame/places.ts'

type Board = Output<'projects.board'>

/** A task that an agent has taken. */
export interface Held {
  task_id: number
  ticket_number: string
  title: string
  /** UUID of the agent. */
  holder: string
  expires_at: string
}

interface Kept {
  seq: number
  held: readonly Held[]
}

const keyOf = (project_id: number) => ['held', project_id] as const

const heldOn = ({ cards }: Board): Held[] =>
  cards.flatMap(({ lease, task_id, ticket_number, title }) =>
    typeof lease?.holder === 'string'
      ? { ...{ task_id, ticket_number, title }, holder: lease.holder, expires_at: lease.expires_at }
      : [],
  )

/** What is taken on a board; asked again, only what changed since is read. */
async function read(project_id: number): Promise<Kept> {
  const before = cache.getQueryData<Kept>(keyOf(project_id))
  const board = await ask('projects.board', {
    project_id,
    ...(before && { since: before.seq }),
  })
  const changed = new Set([...board.gone, ...board.cards.map(({ task_id }) => task_id)])
  const kept = board.whole ? [] : (before?.held ?? []).filter((one) => !changed.has(one.task_id))
  return { seq: board.seq, held: [...kept, ...heldOn(board)] }
}

const CONCERNS = /^(lease|task)\./
const AFTER_MS = 1000

/** All tasks that agents have taken on these boards, kept up with what happens there. */
export function useHeld(boards: Me['boards']): readonly Held[] {
  const heard = useCallback((happenings: readonly Happening[]) => {
    const ids = happenings.flatMap(({ type, project_id }) =>
      CONCERNS.test(type) && project_id !== null ? project_id : [],
    )
    for (const id of new Set(ids)) void cache.invalidateQueries({ queryKey: keyOf(id) })
  }, [])
  useHappenings(heard)
  const held = useQueries({
    queries: boards.map(({ project_id }) => ({
      queryKey: keyOf(project_id),
      queryFn: () => read(project_id),
      // A happening while one was elsewhere was not heard here.
      refetchOnMount: 'always' as const,
    })),
    combine: (found) => found.flatMap(({ data }) => data?.held ?? []),
  })
  useEnds(held)
  return held.filter(({ expires_at }) => Date.parse(expires_at) > Date.now())
}

/** A lease ends by itself, and nobody tells of that; one that was renewed is read again. */
function useEnds(held: readonly Held[]) {
  const [, setTurn] = useState(0)
  const ends = held.map(({ expires_at }) => Date.parse(expires_at)).filter((at) => at > Date.now())
  const next = ends.length ? Math.min(...ends) : undefined
  useEffect(() => {
    if (next === undefined) return
    const timer = setTimeout(
      () => {
        setTurn((turn) => turn + 1)
        void cache.invalidateQueries({ queryKey: ['held'] })
      },
      next - Date.now() + AFTER_MS,
    )
    return () => clearTimeout(timer)
  }, [next])
}
