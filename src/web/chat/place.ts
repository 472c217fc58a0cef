import { useMemo } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { boardAt, type Me } from '../frame/places.ts'

/** What a conversation is about: a task, a board, or nothing. */
export interface About {
  project_id?: number
  /** The key of a task. */
  task?: string
  /** For people. */
  name?: string
}

const KEY = /^([A-Z][A-Z0-9]*)-\d+$/

export function aboutTask(me: Me, task: string): About {
  const board = me.boards.find(({ key }) => key === KEY.exec(task)?.[1])
  return { task, name: task, ...(board && { project_id: board.project_id }) }
}

/** What is on the screen. */
export function useHere(me: Me): About {
  const [path] = useLocation()
  const [query] = useSearchParams()
  const task = query.get('task') ?? /^\/t\/([A-Z0-9-]+)/.exec(path)?.[1]
  return useMemo(() => {
    if (task && KEY.test(task)) return aboutTask(me, task)
    const board = me.boards.find(({ project_id }) => project_id === boardAt(path))
    return board ? { project_id: board.project_id, name: board.title } : {}
  }, [me, task, path])
}

/** What the server is told of it. */
export const sentOf = ({ project_id, task }: About): { project_id?: number; task?: string } =>
  task ? { task } : project_id === undefined ? {} : { project_id }
