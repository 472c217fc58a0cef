import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { Icon } from '../../kit/icon.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { useNextPage } from '../../kit/next-page.ts'
import type { Day } from '../../kit/zone.ts'
import { t } from '../../messages/t.ts'
import type { useMyTasks } from './data.ts'
import './list.css'
import { withoutScrollAdjustment } from '../../kit/virtualizer.ts'
import { type RowActions, RowView } from './row.tsx'
import type { Group, Row } from './types.ts'

interface Props {
  rows: readonly Row[]
  list: ReturnType<typeof useMyTasks>['list']
  /** The boards' titles, unless the list is grouped by board. */
  boards: ReadonlyMap<number, string> | undefined
  active: number | undefined
  editing: Editing | undefined
  today: Day
  /** Whether the tasks may be assigned to others, who are then shown. */
  showsAssignees: boolean
  /** Increments when a shortcut moves the focus to the active task. */
  focusRequest: number
  actions: RowActions
}

/** A title that is being edited. */
export interface Editing {
  task_id: number
  text: string
}

const HEIGHTS = { group: 44, task: 36 }
/** The number of rows before the end at which the next page loads. */
const PREFETCH_ROWS = 20

/** The virtualized list of groups and tasks. */
export function List({ rows, list, active, focusRequest, ...rest }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = withoutScrollAdjustment(
    useVirtualizer({
      count: rows.length,
      getScrollElement: () => scroller.current,
      getItemKey: (index) => rows[index]!.key,
      estimateSize: (index) => HEIGHTS[rows[index]!.kind],
      overscan: 12,
    }),
  )
  const visible = virtual.getVirtualItems()
  const isNear = (visible.at(-1)?.index ?? 0) >= rows.length - PREFETCH_ROWS
  useNextPage(list, isNear)
  useFocus(scroller, { rows, active, focusRequest }, (index) =>
    virtual.scrollToIndex(index, { align: 'auto' }),
  )
  return (
    <div className="todos scroller" ref={scroller}>
      <ul style={{ height: virtual.getTotalSize() }}>
        {visible.map(({ index, key, start }) => {
          return (
            <li
              key={key}
              data-index={index}
              ref={virtual.measureElement}
              style={{ transform: `translateY(${start}px)` }}
            >
              <ListItem {...rest} row={rows[index]!} active={active} />
            </li>
          )
        })}
      </ul>
      {list.data && <LoadError of={list} what={t('mine.more_tasks')} />}
    </div>
  )
}

type ListItemProps = Pick<
  Props,
  'boards' | 'active' | 'editing' | 'today' | 'showsAssignees' | 'actions'
> & { row: Row }

const ListItem = ({ row, boards, active, editing, ...rest }: ListItemProps) =>
  row.kind === 'group' ? (
    <GroupHeader {...row.group} title={DUE_GROUPS[row.key] ?? row.group.title} />
  ) : (
    <RowView
      task={row.task}
      board={boards?.get(row.task.project_id)}
      active={row.key === active}
      draftTitle={row.key === editing?.task_id ? editing.text : undefined}
      {...rest}
    />
  )

/** Focuses the active task after a shortcut, scrolling to it first. */
function useFocus(
  scroller: RefObject<HTMLElement | null>,
  { rows, active, focusRequest }: Pick<Props, 'rows' | 'active' | 'focusRequest'>,
  scrollTo: (at: number) => void,
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a shortcut moves the focus
  useEffect(() => {
    const index = rows.findIndex(({ key }) => key === active)
    if (index < 0 || !focusRequest) return
    scrollTo(index)
    const frame = requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-task="${active}"] .row-title`)?.focus(),
    )
    return () => cancelAnimationFrame(frame)
  }, [focusRequest])
}

/** The server names the groups by due date in English. */
const DUE_GROUPS: Record<string, string> = {
  overdue: t('common.overdue'),
  today: t('common.today'),
  this_week: t('mine.this_week'),
  later: t('mine.later'),
  none: t('common.no_due_date'),
  done: t('common.done'),
}

/** The overdue count is shown unless the whole group is overdue. */
function GroupHeader({ project_id, title, total, overdue }: Omit<Group, 'key'>) {
  const isLate = !project_id && overdue > 0 && overdue === total
  return (
    <h2 className={isLate ? 'late' : ''}>
      {project_id ? <Link href={`/projects/${project_id}`}>{title}</Link> : title}
      <span className="count">{total}</span>
      {overdue > 0 && !isLate && (
        <span className="meta late">
          <Icon name="calendar" />
          {t('mine.overdue_overdue', { overdue })}
        </span>
      )}
    </h2>
  )
}
