import { useMemo } from 'react'
import { useOpenTask } from '../frame/places.ts'
import { dayOf } from '../parts/zone.ts'
import { type Line, points } from './draw.ts'
import { Figure } from './figure.tsx'
import type { FlowReport, Shown } from './flow.tsx'
import { lasting, many, wholeDay } from './words.ts'

type Done = FlowReport['done'][number] & { seconds: number }

export function Cycle({ flow, look, board }: Shown) {
  const open = useOpenTask()
  const some = useMemo(
    () =>
      flow.done
        .flatMap((one): Done[] =>
          one.cycle_seconds === null ? [] : [{ ...one, seconds: one.cycle_seconds }],
        )
        .reverse(),
    [flow],
  )
  const draw = useMemo(
    () =>
      points(
        flow.days.map(({ day }) => day),
        some,
        linesOf(flow),
      ),
    [flow, some],
  )
  const pick = (at: number) => {
    const { ticket_number } = some[at]!
    if (ticket_number) open(ticket_number)
  }
  return (
    <Figure
      {...{ id: 'cycle', look, board, draw, count: some.length, onPick: pick }}
      title="Cycle time"
      meaning="From where work on a task began until it got done: a point for each, and how long half, 85 and 95 of 100 took at most."
      words={(at) => told(some[at]!)}
      hint={
        some.length
          ? `${many(some.length, 'task')}. The arrows tell of each, Enter opens it.`
          : 'No task that got done had been in work before.'
      }
      table={<Table some={some} onOpen={open} />}
    />
  )
}

const titled = ({ ticket_number, title }: Done) =>
  ticket_number ? `${ticket_number} ${title}` : 'A task that is not on this board any more'
const doneOn = ({ completed_at }: Done) => wholeDay(dayOf(new Date(completed_at)))
const told = (one: Done) => `${titled(one)}: ${lasting(one.seconds)}, done ${doneOn(one)}`

function linesOf({ cycle: { median, p85, p95 } }: FlowReport): Line[] {
  const known = [
    { share: 'Half', seconds: median },
    { share: '85 %', seconds: p85 },
    { share: '95 %', seconds: p95 },
  ]
  return known.flatMap(({ share, seconds }) =>
    seconds === null ? [] : [{ seconds, words: `${share} within ${lasting(seconds)}` }],
  )
}

interface TableProps {
  some: readonly Done[]
  onOpen(ticket: string): void
}

const Table = ({ some, onOpen }: TableProps) => (
  <table>
    <thead>
      <tr>
        <th scope="col">Task</th>
        <th scope="col">Done</th>
        <th scope="col">Cycle time</th>
        <th scope="col">Lead time</th>
      </tr>
    </thead>
    <tbody>
      {some.toReversed().map((one) => (
        <tr key={one.task_id}>
          <th scope="row" dir="auto">
            {one.ticket_number ? (
              <button type="button" className="goes" onClick={() => onOpen(one.ticket_number!)}>
                {titled(one)}
              </button>
            ) : (
              titled(one)
            )}
          </th>
          <td>{doneOn(one)}</td>
          <td className="tabular">{lasting(one.seconds)}</td>
          <td className="tabular">{lasting(one.lead_seconds)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
