import { useCallback, useMemo, useRef, useState } from 'react'
import { useOperation } from '../../data/cache.ts'
import { type Step, useNeighbours } from '../../entities/task/neighbours.ts'
import { ListSkeleton } from '../../kit/list-skeleton.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { t } from '../../messages/t.ts'
import { AddTask } from './add.tsx'
import { useMyTasks } from './data.ts'
import { Empty } from './empty.tsx'
import { List } from './list.tsx'
import { useViewState } from './view-state.ts'
import './mine.css'
import { useRows } from './rows.tsx'
import { Tabs } from './tabs.tsx'
import type { Row } from './types.ts'
import { ViewControls } from './view-controls.tsx'

const NONE: readonly Row[] = []

/** The My Tasks screen. */
export default function MyTasks() {
  const viewState = useViewState()
  const {
    rows = NONE,
    list,
    total,
    snoozedCount,
    today,
  } = useMyTasks(viewState.listQuery, !viewState.isUnsure)
  const field = useRef<HTMLInputElement>(null)
  const [isViewOpen, setViewOpen] = useState(false)
  const add = () => field.current?.focus()
  const { actions, keys, editing, picker } = useRows(rows, { add, filter: () => setViewOpen(true) })
  useNeighbours(useStep(rows))
  const boards = useBoards(viewState.options.grouping === 'due')
  const isEmpty = list.isSuccess && !rows.length
  return (
    <section className="mine fill">
      <header className="head">
        <h1>{t('mine.my_tasks')}</h1>
        <span className="count" role="status">
          {total || ''}
          <span className="unseen"> {t('common.tasks_inline')}</span>
        </span>
        <Tabs viewState={viewState} />
        <ViewControls
          viewState={viewState}
          snoozedCount={snoozedCount}
          open={isViewOpen}
          onOpen={setViewOpen}
        />
      </header>
      <AddTask view={viewState.view} field={field} />
      {list.isPending && <ListSkeleton />}
      {!list.data && <LoadError of={list} what={t('mine.your_tasks')} />}
      {isEmpty && <Empty viewState={viewState} snoozedCount={snoozedCount} onAdd={add} />}
      {list.data && !isEmpty && (
        <List
          {...{ rows, list, boards, editing, actions, today }}
          active={keys.active}
          showsAssignees={viewState.options.involvement !== 'assigned'}
          focusRequest={keys.focusRequest}
        />
      )}
      {picker}
    </section>
  )
}

/** The previous or next task of the list. */
const useStep = (rows: readonly Row[]) =>
  useCallback<Step>(
    (ticket, by) => {
      const keys = rows.flatMap((row) => (row.kind === 'task' ? row.task.ticket_number : []))
      return keys[keys.indexOf(ticket) + by]
    },
    [rows],
  )

/** The boards' titles if the list mixes several boards. */
function useBoards(isMixed: boolean): ReadonlyMap<number, string> | undefined {
  const { data: me } = useOperation('user_context.get', {})
  return useMemo(
    () =>
      isMixed && me && me.boards.length > 1
        ? new Map(me.boards.map(({ project_id, title }) => [project_id, title]))
        : undefined,
    [isMixed, me],
  )
}
