import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { Icon } from '../parts/icon.tsx'
import { LoadError } from '../parts/load-error.tsx'
import { useNextPage } from '../parts/next-page.ts'
import type { Day } from '../parts/zone.ts'
import type { useMine } from './data.ts'
import './list.css'
import { anchored } from '../parts/anchored.ts'
import { type RowDeeds, RowView } from './row.tsx'
import type { Group, Row } from './shapes.ts'

interface Props {
  rows: readonly Row[]
  list: ReturnType<typeof useMine>['list']
  /** Titles of the boards, where the groups are none. */
  boards: ReadonlyMap<number, string> | undefined
  active: number | undefined
  editing: Editing | undefined
  today: Day
  /** Counts up where a key asked for the focus to follow. */
  asked: number
  deeds: RowDeeds
}

/** A title that is being typed. */
export interface Editing {
  task_id: number
  text: string
}

const HEIGHTS = { group: 44, task: 36 }
/** Rows before the end at which the next page is asked for. */
const AHEAD = 20

/** Groups and their tasks; only those that can be seen are in the document. */
export function List({ rows, list, active, asked, ...rest }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = anchored(
    useVirtualizer({
      count: rows.length,
      getScrollElement: () => scroller.current,
      getItemKey: (at) => rows[at]!.key,
      estimateSize: (at) => HEIGHTS[rows[at]!.kind],
      overscan: 12,
    }),
  )
  const seen = virtual.getVirtualItems()
  const isNear = (seen.at(-1)?.index ?? 0) >= rows.length - AHEAD
  useNextPage(list, isNear)
  useFocus(scroller, { rows, active, asked }, (at) => virtual.scrollToIndex(at, { align: 'auto' }))
  return (
    <div className="todos" ref={scroller}>
      <ul style={{ height: virtual.getTotalSize() }}>
        {seen.map(({ index, key, start }) => {
          return (
            <li
              key={key}
              data-index={index}
              ref={virtual.measureElement}
              style={{ transform: `translateY(${start}px)` }}
            >
              <One {...rest} row={rows[index]!} active={active} />
            </li>
          )
        })}
      </ul>
      {list.data && <LoadError of={list} what="more tasks" />}
    </div>
  )
}

type OneProps = Pick<Props, 'boards' | 'active' | 'editing' | 'today' | 'deeds'> & { row: Row }

const One = ({ row, boards, active, editing, today, deeds }: OneProps) =>
  row.kind === 'group' ? (
    <Head {...row.group} />
  ) : (
    <RowView
      task={row.task}
      board={boards?.get(row.task.project_id)}
      active={row.key === active}
      typed={row.key === editing?.task_id ? editing.text : undefined}
      today={today}
      deeds={deeds}
    />
  )

/** Where a key asked for it, the focus goes to the task, which may have to be scrolled to first. */
function useFocus(
  scroller: RefObject<HTMLElement | null>,
  { rows, active, asked }: Pick<Props, 'rows' | 'active' | 'asked'>,
  show: (at: number) => void,
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a key takes the focus along
  useEffect(() => {
    const at = rows.findIndex(({ key }) => key === active)
    if (at < 0 || !asked) return
    show(at)
    const frame = requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-task="${active}"] .what`)?.focus(),
    )
    return () => cancelAnimationFrame(frame)
  }, [asked])
}

/** That some are late is said in words, unless the title does. */
function Head({ project_id, title, total, overdue }: Omit<Group, 'key'>) {
  const isLate = !project_id && overdue > 0 && overdue === total
  return (
    <h2 className={isLate ? 'late' : ''}>
      {project_id ? <Link href={`/projects/${project_id}`}>{title}</Link> : title}
      <span className="count">{total}</span>
      {overdue > 0 && !isLate && (
        <span className="meta late">
          <Icon name="calendar" />
          {overdue} overdue
        </span>
      )}
    </h2>
  )
}
