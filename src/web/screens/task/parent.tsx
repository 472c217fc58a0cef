import { useOperation } from '../../data/cache.ts'
import type { Task } from '../../entities/task/data.ts'
import { Icon } from '../../kit/icon.tsx'
import { t } from '../../messages/t.ts'
import { FindTask } from './find.tsx'
import { pickerButton, Row } from './row.tsx'
import { TaskLink } from './task-link.tsx'
import { useTaskUpdate } from './update.ts'

/** The parent task. */
export function ParentRow({ task, requested }: { task: Task; requested: boolean }) {
  const { parent_task_id, project_id, task_id } = task
  const update = useTaskUpdate(task)
  const { data } = useOperation(
    'tasks.get',
    { task_id: parent_task_id ?? 0, format: 'html' },
    { enabled: parent_task_id !== null },
  )
  const parent = data as Task | undefined
  if (!parent_task_id && !requested) return null
  const setParent = (id: number | null) => update({ parent_task_id: id }, { parent_task_id: id })
  return (
    <Row name={t('task.parent')}>
      {parent && (
        <TaskLink ticket={parent.ticket_number} className="value parent">
          <span className="key">{parent.ticket_number}</span>
          <span className="name truncate">{parent.title}</span>
        </TaskLink>
      )}
      {parent_task_id ? (
        <button type="button" className="button quiet only" onClick={() => setParent(null)}>
          <Icon name="close" label={t('task.remove_parent')} />
        </button>
      ) : (
        <FindTask
          label={t('task.which_parent_task')}
          excludedIds={[task_id]}
          project_id={project_id}
          onPick={(one) => setParent(one.task_id)}
          trigger={pickerButton({
            name: t('task.parent'),
            value: t('task.select_a_task'),
            isSet: false,
          })}
        />
      )}
    </Row>
  )
}
