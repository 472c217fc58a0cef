import { useMemo, useRef, useState } from 'react'
import { useOperation } from '../../../data/cache.ts'
import { type Day, dayOf } from '../../../kit/zone.ts'
import { t } from '../../../messages/t.ts'
import { laneDefaults } from '../lanes/model.ts'
import { useLayoutControls } from '../layout-controls.ts'
import type { BoardLayoutProps } from '../layout-props.ts'
import { QuickAdd } from '../quick-add.tsx'
import { Axis, Lines } from './axis.tsx'
import { controlsOf } from './controls.ts'
import { Links, useLinks } from './links.tsx'
import { GroupHead, TaskRow } from './row.tsx'
import { type Group, type Row, rowsOf } from './rows.ts'
import { type Scale, scaleOf } from './scale.ts'
import './bar.css'
import './timeline.css'
import { HEIGHT, useTimelineViewport } from './use-viewport.ts'
import { useZoom, Zooms } from './zoom.tsx'

/** The timeline layout: tasks from their start to their due date. */
export default function TimelineView(props: BoardLayoutProps) {
  const { controls, boardQuery, active, focusTarget, onAdd } = props
  const [today] = useState(() => dayOf(new Date()))
  const [newTaskGroup, setNewTaskGroup] = useState<string>()
  const { zoom, setZoom } = useZoom(boardQuery)
  const rows = useRows(props, newTaskGroup)
  const scale = useScale(rows, zoom, today)
  const scroller = useRef<HTMLDivElement>(null)
  const viewport = useTimelineViewport({
    rows,
    scale,
    today,
    scroller,
    active,
    focusTarget,
    newTaskGroup,
  })
  const add = (group: Group | undefined) => onAdd && group && setNewTaskGroup(group.key)
  useLayoutControls(controls, controlsOf({ ...props, rows, zoom, today, viewport, add }))
  const visible = viewport.rows.getVirtualItems()
  const links = useLinks(
    rows,
    useMemo(() => visible.map(({ index }) => index), [visible]),
  )
  const months = viewport.months.getVirtualItems()
  const shape = { width: viewport.left + scale.total, '--left': `${viewport.left}px` }
  return (
    <div className="timeline fill">
      <Zooms {...{ zoom, setZoom, viewport }} />
      <div className="time-scroller" ref={scroller}>
        <div className="axis" style={shape}>
          <div className="corner" />
          <div className="axis-days">
            <Axis {...{ scale, today }} visible={months} />
          </div>
        </div>
        <div className="time-body" style={{ ...shape, height: rows.length * HEIGHT }}>
          <div className="behind">
            <Lines {...{ scale, today }} visible={months} />
            <Links {...{ rows, links, scale }} height={HEIGHT} />
          </div>
          <ul>
            {visible.map(({ index, key, start }) => (
              <li key={key} style={{ transform: `translateY(${start - viewport.margin}px)` }}>
                <RowView {...props} {...{ scale, setNewTaskGroup, add }} row={rows[index]!} />
              </li>
            ))}
          </ul>
        </div>
      </div>
    </div>
  )
}

function useRows(
  { shown, boardQuery, project_id, actors, labels, parentOf }: BoardLayoutProps,
  newTaskGroup?: string,
) {
  const { lanes, isFiltered } = boardQuery
  const { data } = useOperation('projects.members', { project_id, limit: 50 }, { enabled: !!lanes })
  const members = data?.items
  return useMemo(
    () =>
      rowsOf(
        lanes,
        { columns: shown, members: members ?? [], actors, labels, parentOf, isFiltered },
        newTaskGroup,
      ),
    [lanes, shown, members, actors, labels, parentOf, isFiltered, newTaskGroup],
  )
}

const useScale = (rows: readonly Row[], zoom: Scale['zoom'], today: Day) =>
  useMemo(
    () =>
      scaleOf(
        zoom,
        today,
        rows.flatMap((row) => (row.is === 'task' && row.days ? [row.days.from, row.days.to] : [])),
      ),
    [rows, zoom, today],
  )

interface RowProps extends BoardLayoutProps {
  row: Row
  scale: Scale
  setNewTaskGroup(group: string | undefined): void
  add(group: Group): void
}

function RowView({ row, scale, setNewTaskGroup, add, ...rest }: RowProps) {
  const { active, selectedIds, actors, labels, onOpen, onActivate, parentOf, project_id } = rest
  const { onAdd, onChange } = rest
  const onDate = (task_id: number) => onChange('due', [task_id])
  if (row.is === 'head')
    return <GroupHead group={row.group} onAdd={onAdd && (() => add(row.group))} />
  if (row.is === 'field')
    return <Field {...rest} group={row.group} setNewTaskGroup={setNewTaskGroup} />
  const { card, days, done } = row
  const isChosen = selectedIds.has(card.task_id)
  return (
    <TaskRow
      {...{ card, days, done, scale, project_id, actors, labels, onOpen, onActivate, parentOf }}
      active={card.task_id === active}
      isSelected={isChosen}
      ids={isChosen ? [...selectedIds] : [card.task_id]}
      onDate={onDate}
    />
  )
}

interface FieldProps extends BoardLayoutProps {
  group: Group
  setNewTaskGroup(group: string | undefined): void
}

/** A field for a new task of the group; in a lane it goes to the first open column. */
function Field({
  group,
  setNewTaskGroup,
  project_id,
  newTaskDefaults,
  shown,
  boardQuery,
}: FieldProps) {
  const column = group.column ?? shown.find(({ done }) => !done) ?? shown[0]!
  return (
    <div className="row-name">
      <QuickAdd
        {...{ project_id, column }}
        placeName={t('board.in_name', { name: group.name })}
        newTaskDefaults={
          group.lane && boardQuery.lanes
            ? laneDefaults(boardQuery.lanes, group.lane, newTaskDefaults)
            : newTaskDefaults
        }
        onAdded={() => {}}
        onClose={() => setNewTaskGroup(undefined)}
        onRefused={() => setNewTaskGroup(group.key)}
      />
    </div>
  )
}
