import { useMemo } from 'react'
import { useOpenTask } from '../../entities/task/open-task.ts'
import { dayOf } from '../../kit/zone.ts'
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
      meaning="The time from starting work on a task to completing it: one point for each task, with lines for the median and the 85th and 95th percentile."
      describe={(index) => describe(tasks[index]!)}
      hint={
        tasks.length
          ? `${countOf(tasks.length, 'task')}. Use the arrow keys to read each one, Enter to open it.`
          : 'No completed task was in progress before.'
      }
      table={<Table tasks={tasks} onOpen={open} />}
    />
  )
}

const titleOf = ({ ticket_number, title }: DoneTask) =>
  ticket_number ? `${ticket_number} ${title}` : 'A task that is no longer on this board'
const doneOn = ({ completed_at }: DoneTask) => fullDay(dayOf(new Date(completed_at)))
const describe = (task: DoneTask) =>
  `${titleOf(task)}: ${formatDuration(task.seconds)}, done ${doneOn(task)}`

function linesOf({ cycle: { median, p85, p95 } }: FlowReport): Line[] {
  const percentiles = [
    { share: 'Median', seconds: median },
    { share: '85th percentile', seconds: p85 },
    { share: '95th percentile', seconds: p95 },
  ]
  return percentiles.flatMap(({ share, seconds }) =>
    seconds === null ? [] : [{ seconds, label: `${share}: ${formatDuration(seconds)}` }],
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
