import { useLocation } from 'wouter'
import { useTask } from '../../entities/task/data.ts'
import { useTabName } from '../../kit/title.ts'
import { TaskSkeleton } from './skeleton.tsx'
import { TaskView } from './task.tsx'
import './print.css'
import '../../entities/task/task.css'

export { prefetchTask } from '../../entities/task/data.ts'

/** A task on a page of its own. */
export default function TaskPage({ ticket }: { ticket: string }) {
  const { task, error } = useTask(ticket)
  const [, go] = useLocation()
  useTabName(task && `${task.ticket_number} ${task.title}`)
  const toBoard = () => go(task ? `/projects/${task.project_id}` : '/')
  return (
    <div className="task-page fill">
      {task ? (
        <TaskView
          key={task.task_id}
          task={task}
          onShowTask={(other) => go(`/t/${other}`)}
          onDelete={toBoard}
        />
      ) : (
        <TaskSkeleton ticket={ticket} error={error} />
      )}
    </div>
  )
}
