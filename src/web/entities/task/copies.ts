import { callOperation, type Input } from '../../data/client.ts'
import { sendWrite } from '../../data/write-queue.ts'
import { pickFields } from '../../kit/fields.ts'
import { showError, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import type { Task } from './data.ts'
import { TASK_FIELDS, type TaskField } from './task-fields.tsx'

const FIELD_NAMES = TASK_FIELDS.map(({ name }) => name)
const fieldsOf = (task: Pick<Task, TaskField['name']>) => pickFields(task, FIELD_NAMES)

const createFrom = (task: Task, source: Task): Input<'tasks.create'> => ({
  ...{ project_id: task.project_id, section_id: task.section_id },
  ...{ title: t('task.title_copy', { title: task.title }), ...fieldsOf(task) },
  labels: task.labels.map(({ label_id }) => label_id),
  assignee_ids: task.assignees.flatMap(({ user_id }) => user_id ?? []),
  ...(task.due_date && { due_date: task.due_date }),
  ...(task.parent_task_id && { parent_task_id: task.parent_task_id }),
  ...(source.description && {
    description: source.description,
    content_type: source.content_type,
  }),
})

type Copied = Pick<Task, 'task_id' | 'ticket_number'> & Partial<Task>

/**
 * Creates a copy of the task: its fields, labels, assignees and description, without comments. The
 * given fields win over those on the server, which edits may not have reached yet.
 */
export async function duplicate(given: Copied, onShowTask: (ticket: string) => void) {
  const { task_id, ticket_number } = given
  try {
    const source = (await callOperation('tasks.get', { task_id })) as Task
    const created = await sendWrite('tasks.create', createFrom({ ...source, ...given }, source))
    onShowTask(created.ticket_number)
    showToast(
      t('task.duplicated_ticket_number_as_ticket_number2', {
        ticket_number,
        ticket_number2: created.ticket_number,
      }),
      () => {
        deleteTask(created.task_id)
        onShowTask(ticket_number)
      },
    )
  } catch (error) {
    showError(error)
  }
}

export const deleteTask = (task_id: number) =>
  void sendWrite('tasks.update', { task_id, status: 'Deleted' }).catch(showError)

/** Saves the task and its subtasks as a template. */
export async function makeTemplate({ task_id }: Pick<Task, 'task_id'>) {
  try {
    const created = await sendWrite('templates.create', { taskId: task_id, includeSubtasks: true })
    showToast(
      t('task.saved_the_template_name', { name: created.name }),
      () =>
        void sendWrite('templates.delete', { templateId: created.template_id }).catch(showError),
    )
  } catch (error) {
    showError(error)
  }
}
