import { useAsk } from '../data/cache.ts'
import { Icon } from '../parts/icon.tsx'
import { useChange } from './change.ts'
import type { Task } from './data.ts'
import { FindTask } from './find.tsx'
import { opener, Row } from './row.tsx'
import { TaskLink } from './task-link.tsx'

/** The task that this one is a part of. */
export function ParentRow({ task, asked }: { task: Task; asked: boolean }) {
  const { parent_task_id, project_id, task_id } = task
  const change = useChange(task)
  const { data } = useAsk(
    'tasks.get',
    { task_id: parent_task_id ?? 0, format: 'html' },
    { enabled: parent_task_id !== null },
  )
  const parent = data as Task | undefined
  if (!parent_task_id && !asked) return null
  const put = (id: number | null) => change({ parent_task_id: id }, { parent_task_id: id })
  return (
    <Row name="Parent">
      {parent && (
        <TaskLink ticket={parent.ticket_number} className="value parent">
          <span className="key">{parent.ticket_number}</span>
          <span className="name">{parent.title}</span>
        </TaskLink>
      )}
      {parent_task_id ? (
        <button type="button" className="button quiet only" onClick={() => put(null)}>
          <Icon name="close" label="Make it a task of its own" />
        </button>
      ) : (
        <FindTask
          label="Part of which task?"
          without={[task_id]}
          project_id={project_id}
          onPick={(one) => put(one.task_id)}
          trigger={opener({ name: 'Parent', value: 'Choose a task', isSet: false })}
        />
      )}
    </Row>
  )
}
