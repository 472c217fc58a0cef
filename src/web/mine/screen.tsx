import { useCallback, useMemo, useRef, useState } from 'react'
import { useAsk } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import { EVERYWHERE, hintOf } from '../frame/keys.ts'
import { useOpenTask } from '../frame/places.ts'
import { remember } from '../frame/recent.ts'
import { type Step, useNeighbours } from '../task/next.ts'
import { Add } from './add.tsx'
import { type MyTask, type Row, useMine } from './data.ts'
import { complete, rename, reopen, setDue, snooze } from './deeds.ts'
import { useRowKeys } from './keys.ts'
import { List } from './list.tsx'
import { useLook } from './look.ts'
import './mine.css'
import type { RowDeeds } from './row.tsx'
import { ShowMenu, Tabs } from './views.tsx'
import { When } from './when.tsx'

const NONE: readonly Row[] = []

/** What somebody has to do on all boards. */
export default function Mine() {
  const look = useLook()
  const { rows = NONE, list, total } = useMine(look.asked)
  const field = useRef<HTMLInputElement>(null)
  const { deeds, keys, editing, when } = useDeeds(rows, () => field.current?.focus())
  useNeighbours(useStep(rows))
  const boards = useBoards(look.grouping === 'due')
  const isEmpty = list.isSuccess && !rows.length
  return (
    <section className="mine">
      <header className="head">
        <h1>My Tasks</h1>
        <span className="count" role="status">
          {total || ''}
          <span className="unseen"> tasks</span>
        </span>
        <Tabs {...look} />
        <ShowMenu look={look} />
      </header>
      <Add view={look.view} field={field} />
      {list.isPending && <Shape />}
      {list.error && !list.data && <p className="lost">{wordsOf(list.error)}</p>}
      {isEmpty ? (
        <Empty isView={look.view !== undefined} onAdd={() => field.current?.focus()} />
      ) : (
        <List {...{ rows, list, boards, editing, deeds }} active={keys.active} asked={keys.asked} />
      )}
      {when}
    </section>
  )
}

type Asking = { what: 'snooze' | 'due'; task: MyTask; anchor: Element | null }

function useDeeds(rows: readonly Row[], add: () => void) {
  const openTask = useOpenTask()
  const [editing, setEditing] = useState<number>()
  const [asking, setAsking] = useState<Asking>()
  const chosen = {
    open({ ticket_number, title }: MyTask) {
      remember({ kind: 'task', id: ticket_number, name: title })
      openTask(ticket_number)
    },
    turn(task: MyTask) {
      if (task.done) return void reopen(task)
      keys.leave(task.task_id)
      void complete(task)
    },
    rename: (task: MyTask, title: string) => void rename(task, title),
    edit(task_id: number | undefined) {
      setEditing(task_id)
      if (task_id === undefined) keys.focusAgain()
    },
    ask(what: Asking['what'], task: MyTask) {
      const row = document.querySelector(`.mine [data-task="${task.task_id}"]`)
      setAsking({ what, task, anchor: row?.querySelector('.ends') ?? null })
    },
  }
  const keys = useRowKeys(rows, chosen, add)
  const close = () => {
    setAsking(undefined)
    keys.focusAgain()
  }
  const when = asking && (
    <When
      what={asking.what}
      anchor={asking.anchor}
      isSet={(asking.what === 'due' ? asking.task.due_date : asking.task.snoozed_until) !== null}
      onClose={close}
      onPick={(value) => {
        close()
        if (asking.what === 'due') return void setDue(asking.task, value)
        if (value) keys.leave(asking.task.task_id)
        void snooze(asking.task, value)
      }}
    />
  )
  const deeds = useSame({ ...chosen, reach: keys.setActive })
  return { deeds, keys, editing, when }
}

/** Rows stay as they are drawn while these do, so they are the same ones all the time. */
function useSame(now: RowDeeds): RowDeeds {
  const latest = useRef(now)
  latest.current = now
  const [same] = useState<RowDeeds>(() => ({
    open: (task) => latest.current.open(task),
    turn: (task) => latest.current.turn(task),
    rename: (task, title) => latest.current.rename(task, title),
    edit: (task_id) => latest.current.edit(task_id),
    ask: (what, task) => latest.current.ask(what, task),
    reach: (task_id) => latest.current.reach(task_id),
  }))
  return same
}

/** From an open task to the one below or above it. */
const useStep = (rows: readonly Row[]) =>
  useCallback<Step>(
    (ticket, by) => {
      const keys = rows.flatMap((row) => (row.kind === 'task' ? row.task.ticket_number : []))
      return keys[keys.indexOf(ticket) + by]
    },
    [rows],
  )

/** Titles of the boards, where tasks of several stand together. */
function useBoards(isMixed: boolean): ReadonlyMap<number, string> | undefined {
  const { data: me } = useAsk('user_context.get', {})
  return useMemo(
    () =>
      isMixed && me && me.boards.length > 1
        ? new Map(me.boards.map(({ project_id, title }) => [project_id, title]))
        : undefined,
    [isMixed, me],
  )
}

const Empty = ({ isView, onAdd }: { isView: boolean; onAdd(): void }) => (
  <div className="empty">
    <span className="pin" aria-hidden="true" />
    <h2>{isView ? 'Nothing in this view' : 'Nothing waits for you'}</h2>
    <p className="soft">
      {isView
        ? 'Other tasks of yours may be on other boards, or in columns that this view hides.'
        : 'Tasks that are assigned to you stand here, from all boards, those that are due first.'}
    </p>
    <button type="button" className="button plain" onClick={onAdd}>
      Add a task <kbd>{hintOf(EVERYWHERE.create)}</kbd>
    </button>
  </div>
)

const SHAPES = ['62%', '48%', '71%', '40%', '55%', '66%']

/** The shape of what comes, where that takes a while. */
const Shape = () => (
  <div className="waiting" aria-hidden="true">
    {SHAPES.map((width) => (
      <span key={width} style={{ width }} />
    ))}
  </div>
)
