import { useMemo } from 'react'
import { useOpenTask } from '../frame/places.ts'
import { dayOf } from '../parts/zone.ts'
import { type Line, points } from './charts.ts'
import { Figure } from './figure.tsx'
import { countOf, formatDuration, fullDay } from './format.ts'
import type { FlowProps, FlowReport } from './types.ts'

type DoneTask = FlowReport['done'][number] & { seconds: number }

export function Cycle({ flow, state, board }: FlowProps) {
  const open = useOpenTask()
  const tasks = useMemo(
    () =>
      flow.done
        .flatMap((task): DoneTask[] =>
          task.cycle_seconds === null ? [] : [{ ...task, seconds: task.cycle_seconds }],
        )
        .reverse(),
    [flow],
  )
  const draw = useMemo(
    () =>
      points(
        flow.days.map(({ day }) => day),
        tasks,
        linesOf(flow),
      ),
    [flow, tasks],
  )
  const pick = (index: number) => {
    const { ticket_number } = tasks[index]!
    if (ticket_number) open(ticket_number)
  }
  return (
    <Figure
      {...{ id: 'cycle', state, board, draw, count: tasks.length, onPick: pick }}
      title="Cycle time"
      meaning="From where work on a task began until it got done: a point for each, and how long half, 85 and 95 of 100 took at most."
      describe={(index) => describe(tasks[index]!)}
      hint={
        tasks.length
          ? `${countOf(tasks.length, 'task')}. The arrows tell of each, Enter opens it.`
          : 'No task that got done had been in work before.'
      }
      table={<Table tasks={tasks} onOpen={open} />}
    />
  )
}

const titleOf = ({ ticket_number, title }: DoneTask) =>
  ticket_number ? `${ticket_number} ${title}` : 'A task that is not on this board any more'
const doneOn = ({ completed_at }: DoneTask) => fullDay(dayOf(new Date(completed_at)))
const describe = (task: DoneTask) =>
  `${titleOf(task)}: ${formatDuration(task.seconds)}, done ${doneOn(task)}`

function linesOf({ cycle: { median, p85, p95 } }: FlowReport): Line[] {
  const percentiles = [
    { share: 'Half', seconds: median },
    { share: '85 %', seconds: p85 },
    { share: '95 %', seconds: p95 },
  ]
  return percentiles.flatMap(({ share, seconds }) =>
    seconds === null ? [] : [{ seconds, label: `${share} within ${formatDuration(seconds)}` }],
  )
}

interface TableProps {
  tasks: readonly DoneTask[]
  onOpen(ticket: string): void
}

const Table = ({ tasks, onOpen }: TableProps) => (
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
      {tasks.toReversed().map((task) => (
        <tr key={task.task_id}>
          <th scope="row" dir="auto">
            {task.ticket_number ? (
              <button type="button" className="goes" onClick={() => onOpen(task.ticket_number!)}>
                {titleOf(task)}
              </button>
            ) : (
              titleOf(task)
            )}
          </th>
          <td>{doneOn(task)}</td>
          <td className="tabular">{formatDuration(task.seconds)}</td>
          <td className="tabular">{formatDuration(task.lead_seconds)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
