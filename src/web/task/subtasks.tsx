import { Icon } from '../parts/icon.tsx'
import { LoadError } from '../parts/load-error.tsx'
import { type Child, useAdd, useChildren, useTick } from './children.ts'
import type { Task } from './data.ts'
import { Part } from './part.tsx'
import { TaskLine } from './task-link.tsx'
import { useTyped } from './typed.ts'

/** Sub-tasks, and one more by a title and Enter. */
export function Subtasks({ task, asked }: { task: Task; asked: boolean }) {
  const has = task.subtask_count > 0
  const { list, children } = useChildren(task, has || asked)
  const tick = useTick(task)
  if (!has && !asked && !children.length) return <LoadError of={list} what="sub-tasks" />
  const done = children.filter((one) => one.done).length
  const said = `${done} of ${children.length} done`
  return (
    <Part title="Sub-tasks" count={children.length ? said : ''} asked={asked}>
      {children.length > 0 && (
        <progress className="share" value={done} max={children.length} aria-label={said} />
      )}
      <LoadError of={list} what="sub-tasks" />
      <ul className="others">
        {children.map((child) => (
          <TaskLine
            key={child.task_id}
            {...{ ticket_number: child.ticket_number, title: child.title }}
            {...{ section: child.section, done: child.done }}
            mark={<Tick child={child} onTick={() => tick(child)} />}
          />
        ))}
      </ul>
      <AddSubtask task={task} />
    </Part>
  )
}

const Tick = ({ child, onTick }: { child: Child; onTick(): void }) => (
  <label className="tick">
    <input
      type="checkbox"
      className="box"
      aria-label={`${child.ticket_number} is done`}
      checked={child.done}
      disabled={child.task_id < 0}
      onChange={onTick}
    />
  </label>
)

function AddSubtask({ task }: { task: Task }) {
  const { task_id, project_id } = task
  const { text, type, draft } = useTyped(`${task_id}:subtask`)
  const { act, busy } = useAdd(task, (lost) => type(text || lost))
  return (
    <form
      className="add-line"
      onSubmit={(event) => {
        event.preventDefault()
        if (!text.trim()) return
        act({ project_id, parent_task_id: task_id, title: text.trim() })
        type('')
        draft.drop()
      }}
    >
      <Icon name="plus" />
      <input
        dir="auto"
        aria-label="New sub-task"
        placeholder="Add a sub-task"
        maxLength={500}
        value={text}
        aria-busy={busy}
        onChange={(event) => type(event.target.value)}
      />
    </form>
  )
}
