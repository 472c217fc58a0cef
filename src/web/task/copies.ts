import { ask, type Input, wordsOf } from '../data/client.ts'
import { send } from '../data/waiting.ts'
import { complain, say } from '../frame/toasts.tsx'
import type { Task } from './data.ts'

export const refused = (error: unknown) => complain(wordsOf(error))

const createFrom = (task: Task, source: Task): Input<'tasks.create'> => ({
  ...{ project_id: task.project_id, section_id: task.section_id },
  ...{ title: `${task.title} (copy)`, priority: task.priority, estimate: task.estimate },
  labels: task.labels.map(({ label_id }) => label_id),
  assignee_ids: task.assignees.flatMap(({ user_id }) => user_id ?? []),
  ...(task.due_date && { due_date: task.due_date }),
  ...(task.parent_task_id && { parent_task_id: task.parent_task_id }),
  ...(source.description && {
    description: source.description,
    content_type: source.content_type,
  }),
})

/** A new task that begins as this one stands: its text, its labels, its size, not its talk. */
export async function duplicate(task: Task, onOther: (ticket: string) => void) {
  try {
    const source = (await ask('tasks.get', { task_id: task.task_id })) as Task
    const made = await send('tasks.create', createFrom(task, source))
    onOther(made.ticket_number)
    say(`Duplicated ${task.ticket_number} as ${made.ticket_number}`, () => {
      erase(made.task_id)
      onOther(task.ticket_number)
    })
  } catch (error) {
    refused(error)
  }
}

export const erase = (task_id: number) =>
  void send('tasks.update', { task_id, status: 'Deleted' }).catch(refused)

/** Keeps how this task begins, its sub-tasks too, for tasks like it. */
export async function makeTemplate({ task_id }: Task) {
  try {
    const made = await send('templates.create', { taskId: task_id, includeSubtasks: true })
    say(
      `Made the template ${made.name}`,
      () => void send('templates.delete', { templateId: made.template_id }).catch(refused),
    )
  } catch (error) {
    refused(error)
  }
}
