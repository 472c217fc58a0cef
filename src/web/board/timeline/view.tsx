import { useMemo, useRef, useState } from 'react'
import { useAsk } from '../../data/cache.ts'
import { type Day, dayOf } from '../../parts/zone.ts'
import type { LaidProps } from '../laid.tsx'
import { usualIn } from '../lanes/model.ts'
import { QuickAdd } from '../quick-add.tsx'
import { useSteering } from '../steering.ts'
import { Axis, Lines } from './axis.tsx'
import { Links, useLinks } from './links.tsx'
import { GroupHead, TaskRow } from './row.tsx'
import { type Group, type Row, rowsOf } from './rows.ts'
import { type Scale, scaleOf } from './scale.ts'
import { steeringOf } from './steer.ts'
import './bar.css'
import './timeline.css'
import { HEIGHT, useSheet } from './use-sheet.ts'
import { useZoom, Zooms } from './zoom.tsx'

/** The tasks of a board along the time, from their starts to their due dates. */
export default function TimelineView(props: LaidProps) {
  const { helm, look, active, want, onAdd } = props
  const [today] = useState(() => dayOf(new Date()))
  const [typing, setTyping] = useState<string>()
  const { zoom, setZoom } = useZoom(look)
  const rows = useRows(props, typing)
  const scale = useScale(rows, zoom, today)
  const scroller = useRef<HTMLDivElement>(null)
  const sheet = useSheet({ rows, scale, today, scroller, active, want, typing })
  const add = (group: Group | undefined) => onAdd && group && setTyping(group.key)
  useSteering(helm, steeringOf({ ...props, rows, zoom, today, sheet, add }))
  const seen = sheet.rows.getVirtualItems()
  const links = useLinks(
    rows,
    useMemo(() => seen.map(({ index }) => index), [seen]),
  )
  const months = sheet.months.getVirtualItems()
  const shape = { width: sheet.left + scale.total, '--left': `${sheet.left}px` }
  return (
    <div className="timeline">
      <Zooms {...{ zoom, setZoom, sheet }} />
      <div className="time-scroller" ref={scroller}>
        <div className="axis" style={shape}>
          <div className="corner" />
          <div className="axis-days">
            <Axis {...{ scale, today }} seen={months} />
          </div>
        </div>
        <div className="time-body" style={{ ...shape, height: rows.length * HEIGHT }}>
          <div className="behind">
            <Lines {...{ scale, today }} seen={months} />
            <Links {...{ rows, links, scale }} height={HEIGHT} />
          </div>
          <ul>
            {seen.map(({ index, key, start }) => (
              <li key={key} style={{ transform: `translateY(${start - sheet.margin}px)` }}>
                <RowView {...props} {...{ scale, setTyping, add }} row={rows[index]!} />
              </li>
            ))}
          </ul>
        </div>
      </div>
    </div>
  )
}

function useRows(
  { shown, look, project_id, actors, labels, parentOf }: LaidProps,
  typing?: string,
) {
  const { lanes, isNarrow } = look
  const { data } = useAsk('projects.members', { project_id, limit: 50 }, { enabled: !!lanes })
  const members = data?.items
  return useMemo(
    () =>
      rowsOf(
        lanes,
        { columns: shown, members: members ?? [], actors, labels, parentOf, isNarrow },
        typing,
      ),
    [lanes, shown, members, actors, labels, parentOf, isNarrow, typing],
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

interface RowProps extends LaidProps {
  row: Row
  scale: Scale
  setTyping(group: string | undefined): void
  add(group: Group): void
}

function RowView({ row, scale, setTyping, add, ...rest }: RowProps) {
  const { active, chosen, actors, labels, onOpen, onReach, parentOf, project_id } = rest
  const { onAdd, onChange } = rest
  const onDate = (task_id: number) => onChange('due', [task_id])
  if (row.is === 'head')
    return <GroupHead group={row.group} onAdd={onAdd && (() => add(row.group))} />
  if (row.is === 'field') return <Field {...rest} group={row.group} setTyping={setTyping} />
  const { card, days, done } = row
  const isChosen = chosen.has(card.task_id)
  return (
    <TaskRow
      {...{ card, days, done, scale, project_id, actors, labels, onOpen, onReach, parentOf }}
      active={card.task_id === active}
      chosen={isChosen}
      ids={isChosen ? [...chosen] : [card.task_id]}
      onDate={onDate}
    />
  )
}

interface FieldProps extends LaidProps {
  group: Group
  setTyping(group: string | undefined): void
}

/** A new task of the group; of a lane, in the first column. */
function Field({ group, setTyping, project_id, usual, shown, look }: FieldProps) {
  const column = group.column ?? shown.find(({ done }) => !done) ?? shown[0]!
  return (
    <div className="row-name">
      <QuickAdd
        {...{ project_id, column }}
        place={`in ${group.name}`}
        usual={group.lane && look.lanes ? usualIn(look.lanes, group.lane, usual) : usual}
        onAdded={() => {}}
        onClose={() => setTyping(undefined)}
        onLost={() => setTyping(group.key)}
      />
    </div>
  )
}
