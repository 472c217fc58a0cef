import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useRef } from 'react'
import { Icon } from '../parts/icon.tsx'
import type { Group, Row, useMine } from './data.ts'
import './list.css'
import { type RowDeeds, RowView } from './row.tsx'

interface Props {
  rows: readonly Row[]
  list: ReturnType<typeof useMine>['list']
  /** Titles of the boards, where the groups are none. */
  boards: ReadonlyMap<number, string> | undefined
  active: number | undefined
  editing: number | undefined
  /** Counts up where a key asked for the focus to follow. */
  asked: number
  deeds: RowDeeds
}

const HEIGHTS = { group: 44, task: 36 }
/** Rows before the end at which the next page is asked for. */
const AHEAD = 20

/** Groups and their tasks; only those that can be seen are in the document. */
export function List({ rows, list, boards, active, editing, asked, deeds }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (at) => rows[at]!.key,
    estimateSize: (at) => HEIGHTS[rows[at]!.kind],
    overscan: 12,
  })
  const seen = virtual.getVirtualItems()
  const { hasNextPage, isFetching, fetchNextPage } = list
  const isNear = (seen.at(-1)?.index ?? 0) >= rows.length - AHEAD
  useEffect(() => {
    if (isNear && hasNextPage && !isFetching) void fetchNextPage()
  }, [isNear, hasNextPage, isFetching, fetchNextPage])
  useFocus(scroller, { rows, active, asked }, (at) => virtual.scrollToIndex(at, { align: 'auto' }))
  return (
    <div className="todos" ref={scroller}>
      <ul style={{ height: virtual.getTotalSize() }}>
        {seen.map(({ index, key, start }) => {
          const row = rows[index]!
          return (
            <li
              key={key}
              data-index={index}
              ref={virtual.measureElement}
              style={{ transform: `translateY(${start}px)` }}
            >
              {row.kind === 'group' ? (
                <Head {...row.group} />
              ) : (
                <RowView
                  task={row.task}
                  board={boards?.get(row.task.project_id)}
                  active={row.key === active}
                  editing={row.key === editing}
                  deeds={deeds}
                />
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

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

const Head = ({ key: _, ...group }: Group) => (
  <h2 className={group.overdue && group.overdue === group.total ? 'late' : ''}>
    {group.title}
    <span className="count">{group.total}</span>
    {group.overdue > 0 && group.overdue < group.total && (
      <span className="meta late">
        <Icon name="calendar" />
        {group.overdue} overdue
      </span>
    )}
  </h2>
)
