import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useOperation } from '../../../data/cache.ts'
import { assignAgent } from '../change.ts'
import { useColumnDrops } from '../drag/drag.ts'
import { useLayoutControls } from '../layout-controls.ts'
import type { BoardLayoutProps } from '../layout-props.ts'
import { LaneHead } from './head.tsx'
import { Heads } from './heads.tsx'
import './lanes.css'
import { controlsOf, type LanePosition, lanePositionOf } from './controls.ts'
import { useFocusCardInLane, useFocusedLane } from './focus.ts'
import { CardsLine, type CellProps, type NewTaskCell } from './line.tsx'
import { type Line, linesOf, MAX_CARDS } from './lines.ts'
import { type Lane, lanesOf } from './model.ts'
import { useCollapsedLanes } from './use-collapsed-lanes.ts'
import { type Grid, useGrid } from './use-grid.ts'

/** The swimlane layout: rows by assignee, label or parent that cross the columns. */
export default function LanesView(props: BoardLayoutProps) {
  const { shown, columnState, project_id, active, focusTarget, controls, onAdd, onMove } = props
  const kind = props.boardQuery.lanes!
  const scroller = useRef<HTMLDivElement>(null)
  const [newTaskCell, setNewTaskCell] = useState<NewTaskCell>()
  const { lanes, openLanes, lines, toggle, expand } = useLanes(props, newTaskCell)
  const { lanePosition, activeLane, setLastLane } = useActivePlace(openLanes, active)
  useExpandActive(openLanes, lanePosition, expand)
  const grid = useGrid(lines, shown.length, scroller, newTaskCell)
  const add = (lane: Lane, section_id: number) => {
    if (onAdd) setNewTaskCell({ lane: lane.key, section_id })
  }
  useLayoutControls(
    controls,
    controlsOf({
      kind,
      lanes: openLanes,
      allLanes: lanes,
      lanePosition,
      shown,
      onMove,
      activateLane: setLastLane,
      add,
    }),
  )
  useFocusedLane(scroller, setLastLane)
  useFocusCardInLane({ lines, lanePosition, activeLane, active, focusTarget, grid, scroller })
  useColumnDrops(scroller, columnState.actions.moveNextTo)
  const assignAgentTo = agentAssigner(project_id)
  const cell: CellProps = {
    ...props,
    kind,
    activeLane,
    newTaskCell,
    setNewTaskCell,
    onCreated: assignAgentTo,
    expand,
  }
  const addTo =
    onAdd && openLanes[0] && ((id: number) => add(openLanes[lanePosition?.lane ?? 0]!, id))
  return (
    <div className="board lanes" ref={scroller}>
      <Heads {...{ grid, shown }} actions={columnState.actions} onAdd={addTo} />
      <Lines {...{ lines, cell, grid }} onToggle={toggle} />
    </div>
  )
}

interface LinesProps {
  lines: readonly Line[]
  cell: CellProps
  grid: Grid
  onToggle(key: string): void
}

/** The visible lines of all lanes. */
const Lines = ({ lines, cell, grid, onToggle }: LinesProps) => (
  <ul style={{ height: grid.rows.getTotalSize(), width: grid.width }}>
    {grid.rows.getVirtualItems().map(({ index, key, start }) => {
      const isSticky = index === grid.stickyIndex.current
      const y = start - grid.rows.options.scrollMargin
      return (
        <li
          key={key}
          ref={grid.rows.measureElement}
          data-index={index}
          className={`lane-${lines[index]!.is}${isSticky ? ' stuck' : ''}`}
          style={{ ...grid.template, ...(!isSticky && { transform: `translateY(${y}px)` }) }}
        >
          <LineView line={lines[index]!} {...{ cell, grid, onToggle }} />
        </li>
      )
    })}
  </ul>
)

interface LineProps extends Omit<LinesProps, 'lines'> {
  line: Line
}

function LineView({ line, cell, grid: { visible }, onToggle }: LineProps) {
  const { lane } = line
  if (line.is === 'head')
    return <LaneHead {...{ lane, visible, onToggle, cell }} isCollapsed={line.isCollapsed} />
  return <CardsLine {...cell} {...{ lane, visible }} part={line.part} />
}

/** The place of the active card. If several lanes show it, the lane that was active last counts. */
function useActivePlace(openLanes: readonly Lane[], active: number | undefined) {
  const [lastLane, setLastLane] = useState<string>()
  const lanePosition = useMemo(
    () => lanePositionOf(openLanes, active, lastLane),
    [openLanes, active, lastLane],
  )
  return {
    lanePosition,
    activeLane: lanePosition && openLanes[lanePosition.lane]!.key,
    setLastLane,
  }
}

/** Shows all cards of a lane when the keys or a link reach one that is not shown. */
function useExpandActive(
  openLanes: readonly Lane[],
  lanePosition: LanePosition | undefined,
  expand: (lane: Lane) => void,
) {
  const lane = lanePosition && openLanes[lanePosition.lane]
  const isHidden = lanePosition !== undefined && lanePosition.row >= MAX_CARDS
  useLayoutEffect(() => {
    if (lane && isHidden) expand(lane)
  }, [lane, isHidden, expand])
}

/** The lanes of the board, which of them are open, and the lines that draw them. */
function useLanes(props: BoardLayoutProps, newTaskCell: NewTaskCell | undefined) {
  const lanes = useAllLanes(props)
  const { collapsed, toggle } = useCollapsedLanes(
    `lanes:${props.project_id}:${props.boardQuery.lanes!}`,
  )
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set())
  const expand = useCallback(
    ({ key }: Lane) =>
      setExpanded((before) => (before.has(key) ? before : new Set([...before, key]))),
    [],
  )
  // Only an empty lane opens for a new task; other lanes must not be drawn again.
  const newTaskLane = lanes.find(({ key, total }) => key === newTaskCell?.lane && !total)?.key
  const lines = useMemo(
    () => linesOf(lanes, { collapsed, expanded, newTaskLane }),
    [lanes, collapsed, expanded, newTaskLane],
  )
  const openLanes = useMemo(
    () => lanes.filter(({ key }) => !collapsed.has(key)),
    [lanes, collapsed],
  )
  return { lanes, openLanes, lines, toggle, expand }
}

function useAllLanes(props: BoardLayoutProps) {
  const { shown, boardQuery, project_id, actors, labels, parentOf } = props
  const { data } = useOperation('projects.members', { project_id, limit: 50 })
  const { lanes: kind, isFiltered, me } = boardQuery
  const members = useMemo(
    () => data?.items.toSorted((a, b) => Number(b.user_id === me) - Number(a.user_id === me)),
    [data, me],
  )
  return useMemo(
    () =>
      lanesOf(kind!, {
        ...{ columns: shown, members: members ?? [], actors, labels, parentOf, isFiltered },
      }),
    [kind, shown, members, actors, labels, parentOf, isFiltered],
  )
}

/** People are assigned when a task is created; an agent is assigned right after. */
const agentAssigner =
  (project_id: number) =>
  ({ actor }: Lane) => {
    const { agent_id } = actor ?? {}
    return agent_id ? (task_id: number) => assignAgent(project_id, task_id, agent_id) : undefined
  }
