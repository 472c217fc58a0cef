import { useDraftText } from '../../entities/editor/draft-text.ts'
import { assignAgents } from '../../entities/task/assign-agents.ts'
import type { Task } from '../../entities/task/data.ts'
import { escapeInTitle } from '../../entities/task/escape.ts'
import { ParsedChips } from '../../entities/task/parsed-title.tsx'
import { TitleField } from '../../entities/task/title-field.tsx'
import { typedTaskOf } from '../../entities/task/understood.ts'
import { Form } from '../../kit/form.tsx'
import { Icon } from '../../kit/icon.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { t } from '../../messages/t.ts'
import { type Child, useAddChild, useChildren, useToggleDone } from './children.ts'
import { DetailSection } from './detail-section.tsx'
import { TaskLine } from './task-link.tsx'

/** The subtasks, and a field that adds one. */
export function Subtasks({ task, requested }: { task: Task; requested: boolean }) {
  const hasSubtasks = task.subtask_count > 0
  const { list, children } = useChildren(task, hasSubtasks || requested)
  const tick = useToggleDone(task)
  if (!hasSubtasks && !requested && !children.length)
    return <LoadError of={list} what={t('task.subtasks')} />
  const done = children.filter((one) => one.done).length
  const progress = t('task.done_of_count_done', { done, count: children.length })
  return (
    <DetailSection
      title={t('common.subtasks')}
      count={children.length ? progress : ''}
      requested={requested}
    >
      {children.length > 0 && (
        <progress className="share" value={done} max={children.length} aria-label={progress} />
      )}
      <LoadError of={list} what={t('task.subtasks')} />
      <ul className="others">
        {children.map((child) => (
          <TaskLine
            key={child.task_id}
            {...{ ticket_number: child.ticket_number, title: child.title }}
            {...{ section: child.section, done: child.done }}
            mark={<Tick child={child} onTick={tick && (() => tick(child))} />}
          />
        ))}
      </ul>
      <AddSubtask task={task} />
    </DetailSection>
  )
}

interface TickProps {
  child: Child
  onTick: (() => void) | undefined
}

const Tick = ({ child, onTick }: TickProps) => (
  <label className="tick">
    <input
      type="checkbox"
      className="box"
      aria-label={t('task.ticket_number_is_done', { ticket_number: child.ticket_number })}
      checked={child.done}
      disabled={child.task_id < 0 || !onTick}
      onChange={onTick}
    />
  </label>
)

function AddSubtask({ task }: { task: Task }) {
  const { task_id, project_id } = task
  const { text, type, draft } = useDraftText(`${task_id}:subtask`)
  const { mutate, busy } = useAddChild(task, (title) => type(text || title))
  const add = async (line: string) => {
    const { agent_ids = [], ...fields } = await typedTaskOf(project_id, line)
    mutate(
      { project_id, parent_task_id: task_id, ...fields },
      { onSuccess: (created) => assignAgents(created.task_id, agent_ids) },
    )
  }
  return (
    <Form
      className="add-line"
      onSubmit={() => {
        if (!text.trim()) return
        void add(text.trim())
        type('')
        draft.discard()
      }}
    >
      <Icon name="plus" />
      <TitleField
        label={t('task.new_subtask')}
        placeholder={t('task.add_a_subtask')}
        value={text}
        isBusy={busy}
        project_id={project_id}
        onChange={type}
      >
        <ParsedChips
          {...{ title: text, project_id }}
          keepsBoard
          onKeep={(part) => type(escapeInTitle(text, part))}
        />
      </TitleField>
    </Form>
  )
}
