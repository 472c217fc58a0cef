import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { patchCards } from '../board/data.ts'
import { cache } from '../data/cache.ts'
import { showAbove } from '../frame/above.ts'
import { openChatSoon } from '../frame/asking.ts'
import { say } from '../frame/toasts.tsx'
import { from } from '../pages/from.ts'
import { newPath } from '../pages/new-path.ts'
import { Icon } from '../parts/icon.tsx'
import { type Deed, Menu } from '../parts/menu.tsx'
import { useChange } from './change.ts'
import { duplicate, makeTemplate } from './copies.ts'
import { type Task, useMaySetToWork, useMe } from './data.ts'
import { useFields } from './fields.tsx'
import { Move } from './move.tsx'
import { toInbox } from './to-inbox.ts'
import { WhoseInbox } from './whose-inbox.tsx'

export type Extra =
  | 'subtask'
  | 'relation'
  | 'file'
  | 'page'
  | 'parent'
  | 'start'
  | 'repeat'
  | 'snooze'
  | 'field'
  | 'run'

interface Props {
  task: Task
  onAdd(what: Extra): void
  onGone(): void
  /** Shows another task in the place of this one. */
  onOther(ticket: string): void
}

/** All that can be done with a task as a whole. */
export function TaskMenu({ task, onAdd, onGone, onOther }: Props) {
  const [moving, setMoving] = useState(false)
  const [telling, setTelling] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const storing = useStoring(task, onGone)
  const hasFields = useEmptyFields(task)
  const mayRun = useMaySetToWork(task.project_id)
  const added = ADDED.filter(([what]) => what !== 'run' || mayRun)
  const [, go] = useLocation()
  const write = () => go(newPath(task.ticket_number, 'page'), { state: from() })
  const inboxes = useInboxes(task, () => setTelling(true))
  return (
    <>
      <Menu
        label="About this task"
        trigger={
          <button type="button" ref={button} className="button quiet only">
            <Icon name="dots" label={`More about ${task.ticket_number}`} />
          </button>
        }
        groups={[
          added.map(([what, name, icon]) => ({
            ...{ name, icon },
            run: () => (what === 'write' ? write() : onAdd(what)),
          })),
          [...DATED, ...(hasFields ? [FIELD] : [])].map(([what, name, icon]) => ({
            ...{ name, icon, run: () => onAdd(what) },
          })),
          [askAbout(task)],
          copiesOf(task, onOther, () => setMoving(true)),
          inboxes,
          storing,
        ]}
      />
      {telling && <WhoseInbox {...{ task, button }} onClose={() => setTelling(false)} />}
      {moving && <Move task={task} onClose={() => setMoving(false)} {...{ button, onOther }} />}
    </>
  )
}

const ADDED = [
  ['subtask', 'Add a sub-task', 'subtasks'],
  ['relation', 'Add a relation', 'link'],
  ['file', 'Attach a file', 'clip'],
  ['write', 'Write a page', 'page'],
  ['page', 'Show pages', 'page'],
  ['parent', 'Make it part of a task', 'arrow'],
  ['run', 'Set an agent to work…', 'agent'],
] as const
const DATED = [
  ['start', 'Start date', 'calendar'],
  ['repeat', 'Repeat', 'repeat'],
  ['snooze', 'Snooze', 'bell'],
] as const

const FIELD = ['field', 'Add a field', 'plus'] as const

/** Whether the board has fields that this task has nothing in. */
const useEmptyFields = ({ project_id, custom_fields }: Task) =>
  (useFields(project_id)?.length ?? 0) > custom_fields.length

const askAbout = ({ ticket_number: task }: Task): Deed => ({
  ...{ name: 'Ask about this task', icon: 'spark' },
  run: () => openChatSoon({ task }),
})

function copiesOf(task: Task, onOther: (ticket: string) => void, move: () => void): Deed[] {
  const { ticket_number } = task
  const copy = (words: string, what: string) => {
    void navigator.clipboard.writeText(words)
    say(`Copied ${what}`)
  }
  const link = `${location.origin}/t/${ticket_number}`
  return [
    { name: 'Copy link', icon: 'link', run: () => copy(link, 'the link') },
    { name: 'Copy key', icon: 'copy', run: () => copy(ticket_number, ticket_number) },
    { name: 'Duplicate', icon: 'plus', run: () => void duplicate(task, onOther) },
    { name: 'Make a template', icon: 'page', run: () => void makeTemplate(task) },
    { name: 'New from a template…', icon: 'page', run: () => showAbove('templates') },
    { name: 'Move to another board', icon: 'board', run: move },
  ]
}

const MANAGES: ReadonlySet<string> = new Set(['owner', 'admin'])

/** Into one's own inbox; whoever manages the team puts it into those of others as well. */
function useInboxes(task: Task, ask: () => void): Deed[] {
  const me = useMe()
  if (!me || task.status === 'Deleted') return []
  const { user_id = 0 } = me.profile
  const board = me.boards.find(({ project_id }) => project_id === task.project_id)
  const role = me.teams.find(({ team_id }) => team_id === board?.team_id)?.role ?? ''
  return [
    { name: 'Put into my inbox', icon: 'inbox', run: () => void toInbox(task, user_id) },
    ...(MANAGES.has(role)
      ? [{ name: 'Put into somebody’s inbox…', icon: 'mine' as const, run: ask }]
      : []),
  ]
}

const SAID = { Normal: 'Restored', Archive: 'Archived', Deleted: 'Deleted' } as const

/** Archived or deleted, it leaves the board at once, and comes back with an undo. */
export function useStore(task: Task) {
  const change = useChange(task)
  const { ticket_number, project_id, task_id } = task
  const again = () => cache.invalidateQueries({ queryKey: ['projects.board', { project_id }] })
  return (status: Task['status']) => {
    const back =
      status === 'Normal' ? again : patchCards(project_id, new Set([task_id]), () => undefined)
    const words = `${SAID[status]} ${ticket_number}`
    change({ status }, { status }, { words, lost: back, undone: again })
  }
}

function useStoring(task: Task, onGone: () => void): Deed[] {
  const store = useStore(task)
  const remove = () => {
    onGone()
    store('Deleted')
  }
  return [
    task.status === 'Archive'
      ? { name: 'Take it out of the archive', icon: 'archive', run: () => store('Normal') }
      : { name: 'Archive', icon: 'archive', run: () => store('Archive') },
    task.status === 'Deleted'
      ? { name: 'Restore', icon: 'back', run: () => store('Normal') }
      : { name: 'Delete', icon: 'trash', grave: true, run: remove },
  ]
}
