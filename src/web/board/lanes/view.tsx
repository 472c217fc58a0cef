import { useMemo, useRef, useState } from 'react'
import { useAsk } from '../../data/cache.ts'
import { give } from '../change.ts'
import { useDropsOfColumns } from '../drag.ts'
import type { LaidProps } from '../laid.tsx'
import { useSteering } from '../steering.ts'
import { LaneHead } from './head.tsx'
import { Heads } from './heads.tsx'
import './lanes.css'
import { CardsLine, type CellProps, EndLine, type Typing } from './line.tsx'
import { type Line, linesOf, useShut } from './lines.ts'
import { type Lane, lanesOf } from './model.ts'
import { useEntered, useReachedIn } from './reach.ts'
import { placeOf, steeringOf } from './steer.ts'
import { useGrid } from './use-grid.ts'

/** Whom, what or which task a board is split by: rows that cross its columns. */
export default function LanesView(props: LaidProps) {
  const { shown, look, own, project_id, active, want, helm, onAdd, onMove } = props
  const kind = look.lanes!
  const scroller = useRef<HTMLDivElement>(null)
  const lanes = useLanes(props)
  const { shut, turn } = useShut(`lanes:${project_id}:${kind}`)
  const lines = useMemo(() => linesOf(lanes, shut), [lanes, shut])
  const open = useMemo(() => lanes.filter(({ key }) => !shut.has(key)), [lanes, shut])
  const [near, enter] = useState<string>()
  const [typing, setTyping] = useState<Typing>()
  const place = useMemo(() => placeOf(open, active, near), [open, active, near])
  const here = place && open[place.lane]!.key
  const grid = useGrid(lines, shown.length, scroller, typing)
  const add = (lane: Lane, section_id: number) => {
    if (onAdd) setTyping({ lane: lane.key, section_id })
  }
  useSteering(helm, steeringOf({ kind, lanes: open, all: lanes, place, shown, onMove, enter, add }))
  useEntered(scroller, enter)
  useReachedIn({ lines, place, here, active, want, grid, scroller })
  useDropsOfColumns(scroller, own.deeds.put)
  const onMade = givingOn(project_id)
  const cell: CellProps = { ...props, kind, here, typing, setTyping, onMade }
  const addTo = onAdd && open[0] && ((id: number) => add(open[place?.lane ?? 0]!, id))
  return (
    <div className="board lanes" ref={scroller}>
      <Heads {...{ grid, shown }} deeds={own.deeds} onAdd={addTo} />
      <ul style={{ height: grid.rows.getTotalSize(), width: grid.width }}>
        {grid.rows.getVirtualItems().map(({ index, key, start }) => {
          const isStuck = index === grid.stuck.current
          const y = start - grid.rows.options.scrollMargin
          return (
            <li
              key={key}
              ref={grid.rows.measureElement}
              data-index={index}
              className={`lane-${lines[index]!.is}${isStuck ? ' stuck' : ''}`}
              style={{ ...grid.template, ...(!isStuck && { transform: `translateY(${y}px)` }) }}
            >
              <LineView line={lines[index]!} {...{ cell, grid }} onTurn={turn} />
            </li>
          )
        })}
      </ul>
    </div>
  )
}

interface LineProps {
  line: Line
  cell: CellProps
  grid: ReturnType<typeof useGrid>
  onTurn(key: string): void
}

function LineView({ line, cell, grid: { seen }, onTurn }: LineProps) {
  const { lane } = line
  if (line.is === 'head')
    return <LaneHead {...{ lane, seen, onTurn }} isShut={line.isShut} shown={cell.shown} />
  if (line.is === 'cards') return <CardsLine {...cell} {...{ lane, seen }} row={line.row} />
  return <EndLine {...cell} {...{ lane, seen }} />
}

function useLanes({ shown, look, project_id, actors, labels, parentOf }: LaidProps) {
  const { data } = useAsk('projects.members', { project_id, limit: 50 })
  const { lanes: kind, isNarrow, me } = look
  const members = useMemo(
    () => data?.items.toSorted((a, b) => Number(b.user_id === me) - Number(a.user_id === me)),
    [data, me],
  )
  return useMemo(
    () =>
      lanesOf(kind!, {
        ...{ columns: shown, members: members ?? [], actors, labels, parentOf, isNarrow },
      }),
    [kind, shown, members, actors, labels, parentOf, isNarrow],
  )
}

/** A person has a new task at once; an agent is given it as soon as it is there. */
const givingOn =
  (project_id: number) =>
  ({ actor }: Lane) => {
    const { agent_id } = actor ?? {}
    return agent_id ? (task_id: number) => give(project_id, task_id, agent_id) : undefined
  }
