import { useCallback, useMemo, useRef, useState } from 'react'
import { useAsk } from '../data/cache.ts'
import { LoadError } from '../parts/load-error.tsx'
import { type Step, useNeighbours } from '../task/next.ts'
import { Add } from './add.tsx'
import { useMine } from './data.ts'
import { Empty, Shape } from './empty.tsx'
import { List } from './list.tsx'
import { useLook } from './look.ts'
import './mine.css'
import { useRows } from './rows.tsx'
import type { Row } from './shapes.ts'
import { Show } from './show.tsx'
import { Tabs } from './tabs.tsx'

const NONE: readonly Row[] = []

/** What somebody has to do on all boards. */
export default function Mine() {
  const look = useLook()
  const { rows = NONE, list, first, total, asleep, today } = useMine(look.asked, !look.isUnsure)
  const field = useRef<HTMLInputElement>(null)
  const [isShowing, setShowing] = useState(false)
  const add = () => field.current?.focus()
  const { deeds, keys, editing, picker } = useRows(rows, { add, filter: () => setShowing(true) })
  useNeighbours(useStep(rows))
  const boards = useBoards(look.wanted.grouping === 'due')
  return (
    <section className="mine">
      <header className="head">
        <h1>My Tasks</h1>
        <span className="count" role="status">
          {total || ''}
          <span className="unseen"> tasks</span>
        </span>
        <Tabs look={look} />
        <Show look={look} asleep={asleep} open={isShowing} onOpen={setShowing} />
      </header>
      <Add view={look.view} field={field} />
      {list.isPending && <Shape />}
      <LoadError of={first} what="your tasks" />
      {list.isSuccess && !rows.length && first.data !== undefined ? (
        <Empty look={look} asleep={asleep} onAdd={add} />
      ) : (
        <List
          {...{ rows, list, boards, editing, deeds, today }}
          active={keys.active}
          asked={keys.asked}
        />
      )}
      {picker}
    </section>
  )
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
