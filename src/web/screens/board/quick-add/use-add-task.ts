import { useRef } from 'react'
import { currentBoard } from '../../../entities/board/data.ts'
import { isReadable, type TypedTask, typedTaskOf } from '../../../entities/task/understood.ts'
import { type NewTask, type NewTaskDefaults, useCreateTask } from './create-task.ts'
import type { QuickAddProps } from './quick-add-props.ts'

/** Lines whose fields are still being read; later lines wait, so that tasks keep their order. */
let reading: Promise<unknown> | undefined

/** Creates tasks from typed lines. */
export function useAddTask(
  { project_id, column, newTaskDefaults, onCreated }: QuickAddProps,
  onRefused: (line: string) => void,
) {
  const createTask = useCreateTask(project_id, onRefused)
  const lastCard = useRef<number>(undefined)
  const create = (line: string, fields: TaskFields, onDone?: NewTask['onCreated']) => {
    const { agent_ids, ...rest } = fields
    const { section_id } = column
    const input = { project_id, section_id, ...merged(project_id, newTaskDefaults, rest) }
    createTask(input, {
      ...{ line, agent_ids },
      onCard: (task_id) => {
        lastCard.current = task_id
      },
      onCreated: (task) => {
        onCreated?.(task.task_id)
        onDone?.(task)
      },
    }).catch(() => {})
  }
  const add = (line: string, onDone?: NewTask['onCreated']) => {
    if (!reading && !isReadable({ title: line })) return create(line, { title: line }, onDone)
    const read = Promise.all([typedTaskOf(project_id, line), reading])
    const current = read.then(([fields]) => create(line, fields, onDone))
    reading = current
    void current.finally(() => {
      if (reading === current) reading = undefined
    })
  }
  return { add, lastCard: () => lastCard.current }
}

type TaskFields = NewTaskDefaults & Pick<TypedTask, 'title' | 'agent_ids'>

/** The typed fields win over those of the place; labels and people are added to them. */
function merged<T extends TaskFields>(project_id: number, defaults: NewTaskDefaults, fields: T): T {
  const known = currentBoard(project_id)?.labels ?? []
  const idOf = (label: string | number) =>
    known.find(({ name }) => name === label)?.label_id ?? label
  const labels = [...new Set([...(defaults.labels ?? []), ...(fields.labels ?? [])].map(idOf))]
  const people = [...new Set([...(defaults.assignee_ids ?? []), ...(fields.assignee_ids ?? [])])]
  return {
    ...defaults,
    ...fields,
    ...(labels.length && { labels }),
    ...(people.length && { assignee_ids: people }),
  }
}
