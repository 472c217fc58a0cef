import type { RefObject } from 'react'
import { patchCards } from '../board/data.ts'
import { cache } from '../data/cache.ts'
import { send } from '../data/waiting.ts'
import { say } from '../frame/toasts.tsx'
import { PickOne } from '../parts/pick.tsx'
import { refused } from './copies.ts'
import { type Task, useMe } from './data.ts'

interface Props {
  task: Task
  button: RefObject<HTMLButtonElement | null>
  onClose(): void
  /** Shows it under the key that it has there. */
  onOther(ticket: string): void
}

/** To another board, where it has another key. */
export function Move({ task, button, onClose, onOther }: Props) {
  const boards = useMe()?.boards ?? []
  const { task_id, project_id, section_id, ticket_number } = task
  const move = async (to: number, section?: number) => {
    const made = await send('tasks.move', {
      ...{ task_id, target_project_id: to },
      ...(section !== undefined && { target_section_id: section }),
    })
    cache.removeQueries({ queryKey: ['number', ticket_number] })
    onOther(made.ticket_number)
    return made.ticket_number
  }
  const put = async (to: number) => {
    const back = patchCards(project_id, new Set([task_id]), () => undefined)
    try {
      const key = await move(to)
      const { title } = boards.find((one) => one.project_id === to)!
      say(
        `Moved ${ticket_number} to ${title}, where it is ${key}`,
        () => void move(project_id, section_id).catch(refused),
      )
    } catch (error) {
      back()
      refused(error)
    }
  }
  return (
    <PickOne
      label="Move to which board?"
      value={null}
      choices={boards
        .filter((one) => one.project_id !== project_id)
        .map((one) => ({ value: one.project_id, name: one.title }))}
      open
      onOpen={(open) => !open && onClose()}
      anchor={button.current}
      empty="There is no other board"
      onPick={(to) => void put(to)}
    />
  )
}
