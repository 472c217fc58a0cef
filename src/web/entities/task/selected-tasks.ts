import { useEffect } from 'react'

/** The tasks of a board that are selected, or the active one. */
export interface SelectedTasks {
  project_id: number
  task_ids: readonly number[]
}

let selected: SelectedTasks | undefined

export const selectedTasks = () => (selected?.task_ids.length ? selected : undefined)

/** Tells the command palette which tasks it acts on, while the screen is shown. */
export function useSelectedTasks(project_id: number, task_ids: readonly number[]) {
  useEffect(() => {
    const own = { project_id, task_ids: task_ids.filter((id) => id > 0) }
    selected = own
    return () => {
      if (selected === own) selected = undefined
    }
  })
}
