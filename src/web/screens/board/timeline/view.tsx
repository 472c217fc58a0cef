import { useMemo, useRef, useState } from 'react'
import { useOperation } from '../../../data/cache.ts'
import { type Day, dayOf } from '../../../kit/zone.ts'
import { useTaskColors } from '../colors/use-task-colors.ts'
import type { Days } from '../dates.ts'
import { useCollapsedLanes } from '../lanes/use-collapsed-lanes.ts'
import { useLayoutControls } from '../layout-controls.ts'
import type { BoardLayoutProps } from '../layout-props.ts'
import { Axis, Lines } from './axis.tsx'
import { controlsOf } from './controls.ts'
import { Links, useLinks } from './links.tsx'
import { type NewTask, Rows } from './row-views.tsx'
import { type Group, type Row, rowsOf } from './rows.ts'
import { scaleOf } from './scale.ts'
import { useTimelineGestures } from './use-gestures.ts'
import './bar.css'
import './timeline.css'
import { HEIGHT, useTimelineViewport } from './use-viewport.ts'
import { useZoom, Zooms } from './zoom.tsx'

/** The timeline layout: tasks from their start to their due date. */
export default function TimelineView(props: BoardLayoutProps) {
  const { controls, boardQuery, active, focusTarget, onAdd } = props
  const [today] = useState(() => dayOf(new Date()))
  const [newTask, setNewTask] = useState<NewTask>()
  const newTaskGroup = newTask?.group
  const colors = useTaskColors(props)
  const { width, zoom, setZoom, zoomBy } = useZoom(boardQuery)
  const { rows, toggle } = useRows(props, newTaskGroup)
  const scale = useScale(rows, width, today)
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
  useTimelineGestures(scroller, (factor, clientX) => {
    viewport.anchorAt(clientX)
    zoomBy(factor)
  })
  const add = (group: Group | undefined, days?: Days) =>
    onAdd && group && setNewTask({ group: group.key, days })
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
      <Zooms
        {...{ zoom, viewport, colors }}
        setZoom={(next) => {
          viewport.anchorAt(undefined)
          setZoom(next)
        }}
      />
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
          <Rows
            {...props}
            {...{ rows, visible, scale, newTask, setNewTask, add, toggle, colors }}
            margin={viewport.margin}
          />
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
  const { collapsed, toggle } = useCollapsedLanes(`timeline:${project_id}:${lanes ?? 'column'}`)
  const rows = useMemo(
    () =>
      rowsOf(
        lanes,
        { columns: shown, members: members ?? [], actors, labels, parentOf, isFiltered },
        newTaskGroup,
        collapsed,
      ),
    [lanes, shown, members, actors, labels, parentOf, isFiltered, newTaskGroup, collapsed],
  )
  return { rows, toggle }
}

const useScale = (rows: readonly Row[], width: number, today: Day) =>
  useMemo(
    () =>
      scaleOf(
        width,
        today,
        rows.flatMap((row) => (row.is === 'task' && row.days ? [row.days.from, row.days.to] : [])),
      ),
    [rows, width, today],
  )
