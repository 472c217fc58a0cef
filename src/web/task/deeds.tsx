import { useRef, useState } from 'react'
import { patchCards } from '../board/data.ts'
import { cache } from '../data/cache.ts'
import { ask, wordsOf } from '../data/client.ts'
import { complain, say } from '../frame/toasts.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { PickOne } from '../parts/pick.tsx'
import { useChange } from './change.ts'
import { type Task, useMe } from './data.ts'

export type Extra = 'subtask' | 'relation' | 'file' | 'parent' | 'start' | 'repeat' | 'snooze'

interface Props {
  task: Task
  onAdd(what: Extra): void
  onGone(): void
  /** Shows another task in the place of this one. */
  onOther(ticket: string): void
}

const refused = (error: Error) => complain(wordsOf(error))

/** All that can be done with a task as a whole. */
export function TaskMenu({ task, onAdd, onGone, onOther }: Props) {
  const [moving, setMoving] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { ticket_number, task_id } = task
  const put = useStatus(task, onGone)
  const copy = (words: string, what: string) => {
    void navigator.clipboard.writeText(words)
    say(`Copied ${what}`)
  }
  const template = () =>
    ask('templates.create', { taskId: task_id, includeSubtasks: true }).then(
      ({ name, template_id }) =>
        say(
          `Made the template ${name}`,
          () => void ask('templates.delete', { templateId: template_id }).catch(refused),
        ),
      refused,
    )
  return (
    <>
      <Menu
        label="About this task"
        trigger={
          <button type="button" ref={button} className="button quiet only">
            <Icon name="dots" label={`More about ${ticket_number}`} />
          </button>
        }
        groups={[
          [
            { name: 'Add a sub-task', icon: 'subtasks', run: () => onAdd('subtask') },
            { name: 'Add a relation', icon: 'link', run: () => onAdd('relation') },
            { name: 'Attach a file', icon: 'clip', run: () => onAdd('file') },
            { name: 'Make it part of a task', icon: 'arrow', run: () => onAdd('parent') },
          ],
          [
            { name: 'Start date', icon: 'calendar', run: () => onAdd('start') },
            { name: 'Repeat', icon: 'repeat', run: () => onAdd('repeat') },
            { name: 'Snooze', icon: 'bell', run: () => onAdd('snooze') },
          ],
          [
            {
              name: 'Copy link',
              icon: 'link',
              run: () => copy(`${location.origin}/t/${ticket_number}`, 'the link'),
            },
            { name: 'Copy key', icon: 'copy', run: () => copy(ticket_number, ticket_number) },
            { name: 'Duplicate', icon: 'plus', run: () => void duplicate(task, onOther) },
            { name: 'Make a template', icon: 'page', run: () => void template() },
            { name: 'Move to another board', icon: 'board', run: () => setMoving(true) },
          ],
          [
            task.status === 'Archive'
              ? { name: 'Take it out of the archive', icon: 'archive', run: () => put('Normal') }
              : { name: 'Archive', icon: 'archive', run: () => put('Archive') },
            { name: 'Delete', icon: 'trash', grave: true, run: () => put('Deleted') },
          ],
        ]}
      />
      <Move task={task} open={moving} onOpen={setMoving} anchor={button} onOther={onOther} />
    </>
  )
}

const SAID = { Normal: 'Restored', Archive: 'Archived', Deleted: 'Deleted' } as const

/** Archived or deleted, it leaves the board at once, and comes back with an undo. */
function useStatus(task: Task, onGone: () => void) {
  const change = useChange(task)
  const { ticket_number, project_id, task_id } = task
  return (status: Task['status']) => {
    const before = task.status
    if (status !== 'Normal') patchCards(project_id, new Set([task_id]), () => undefined)
    if (status === 'Deleted') onGone()
    change({ status }, { status }, () =>
      say(`${SAID[status]} ${ticket_number}`, () =>
        change({ status: before }, { status: before }, () =>
          cache.invalidateQueries({ queryKey: ['projects.board', { project_id }] }),
        ),
      ),
    )
  }
}

/** A new task that begins as this one stands: its text, its labels, its size, not its talk. */
async function duplicate(task: Task, onOther: (ticket: string) => void) {
  try {
    const source = (await ask('tasks.get', { task_id: task.task_id })) as Task
    const people = task.assignees.flatMap(({ user_id }) => user_id ?? [])
    const made = await ask('tasks.create', {
      ...{ project_id: task.project_id, section_id: task.section_id },
      ...{ title: `${task.title} (copy)`, priority: task.priority, estimate: task.estimate },
      labels: task.labels.map(({ label_id }) => label_id),
      assignee_ids: people,
      ...(task.due_date && { due_date: task.due_date }),
      ...(task.parent_task_id && { parent_task_id: task.parent_task_id }),
      ...(source.description && {
        description: source.description,
        content_type: source.content_type,
      }),
    })
    onOther(made.ticket_number)
    say(
      `Duplicated ${task.ticket_number} as ${made.ticket_number}`,
      () =>
        void ask('tasks.update', { task_id: made.task_id, status: 'Deleted' }).then(
          () => onOther(task.ticket_number),
          refused,
        ),
    )
  } catch (error) {
    complain(wordsOf(error))
  }
}

interface MoveProps extends Pick<Props, 'task' | 'onOther'> {
  open: boolean
  onOpen(open: boolean): void
  anchor: React.RefObject<HTMLButtonElement | null>
}

function Move({ task, open, onOpen, anchor, onOther }: MoveProps) {
  const boards = useMe()?.boards ?? []
  const { task_id, project_id, section_id } = task
  const move = (to: number, section?: number) =>
    ask('tasks.move', {
      ...{ task_id, target_project_id: to },
      ...(section !== undefined && { target_section_id: section }),
    })
  const put = (to: number) => {
    const { title } = boards.find((one) => one.project_id === to)!
    move(to).then((made) => {
      cache.removeQueries({ queryKey: ['number', task.ticket_number] })
      onOther(made.ticket_number)
      say(
        `Moved ${task.ticket_number} to ${title}, where it is ${made.ticket_number}`,
        () =>
          void move(project_id, section_id).then(
            ({ ticket_number }) => onOther(ticket_number),
            refused,
          ),
      )
    }, refused)
  }
  if (!open) return null
  return (
    <PickOne
      label="Move to which board?"
      value={null}
      choices={boards
        .filter((one) => one.project_id !== project_id)
        .map((one) => ({ value: one.project_id, name: one.title }))}
      open={open}
      onOpen={onOpen}
      anchor={anchor.current}
      empty="There is no other board"
      onPick={put}
    />
  )
}
