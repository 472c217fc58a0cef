import { useMemo } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { boardAt } from '../../entities/board/address.ts'
import type { Me } from '../../entities/user/me.ts'

/** The subject of a chat: a task, a board, or nothing. */
export interface ChatSubject {
  project_id?: number
  /** The key of a task. */
  task?: string
  /** The display name. */
  name?: string
}

const KEY = /^([A-Z][A-Z0-9]*)-\d+$/

export function aboutTask(me: Me, task: string): ChatSubject {
  const board = me.boards.find(({ key }) => key === KEY.exec(task)?.[1])
  return { task, name: task, ...(board && { project_id: board.project_id }) }
}

/** The task or board on the screen. */
export function useScreenSubject(me: Me): ChatSubject {
  const [path] = useLocation()
  const [query] = useSearchParams()
  const task = query.get('task') ?? /^\/t\/([A-Z0-9-]+)/.exec(path)?.[1]
  return useMemo(() => {
    if (task && KEY.test(task)) return aboutTask(me, task)
    const board = me.boards.find(({ project_id }) => project_id === boardAt(path))
    return board ? { project_id: board.project_id, name: board.title } : {}
  }, [me, task, path])
}

/** The subject as operation input. */
export const subjectInput = ({
  project_id,
  task,
}: ChatSubject): { project_id?: number; task?: string } =>
  task ? { task } : project_id === undefined ? {} : { project_id }
