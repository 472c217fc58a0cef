import { useLocation } from 'wouter'
import { useTabName } from '../frame/title.ts'
import { askForTask, useTask } from './data.ts'
import { Shape } from './shape.tsx'
import { TaskView } from './task.tsx'
import './print.css'
import './task.css'

/** A task with the whole screen to itself. */
export default function TaskPage({ ticket }: { ticket: string }) {
  const { task, error } = useTask(ticket)
  const [, go] = useLocation()
  useTabName(task && `${task.ticket_number} ${task.title}`)
  const toBoard = () => go(task ? `/projects/${task.project_id}` : '/')
  return (
    <div className="task-page">
      {task ? (
        <TaskView
          key={task.task_id}
          task={task}
          onOther={(other) => go(`/t/${other}`)}
          onGone={toBoard}
        />
      ) : (
        <Shape ticket={ticket} error={error} />
      )}
    </div>
  )
}

TaskPage.begin = (path: string) => askForTask(decodeURIComponent(path.split('/')[2]!))
