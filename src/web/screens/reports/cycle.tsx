import { useMemo } from 'react'
import { useOpenTask } from '../../entities/task/open-task.ts'
import { dayOf } from '../../kit/zone.ts'
import { t } from '../../messages/t.ts'
import { type Line, points } from './charts.ts'
import { Figure } from './figure.tsx'
import { formatDuration, fullDay } from './format.ts'
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
      title={t('reports.cycle_time')}
      explanation={t('reports.the_time_from_starting_work_on_a')}
      describe={(index) => describe(tasks[index]!)}
      hint={
        tasks.length
          ? t('reports.count_use_the_arrow_keys_to_read', { count: tasks.length })
          : t('reports.no_completed_task_was_in_progress_before')
      }
      table={<Table tasks={tasks} onOpen={open} />}
    />
  )
}

const titleOf = ({ ticket_number, title }: DoneTask) =>
  ticket_number ? `${ticket_number} ${title}` : t('reports.a_task_that_is_no_longer_on')
const doneOn = ({ completed_at }: DoneTask) => fullDay(dayOf(new Date(completed_at)))
const describe = (task: DoneTask) =>
  t('reports.title_duration_done_doneon', {
    title: titleOf(task),
    duration: formatDuration(task.seconds),
    doneOn: doneOn(task),
  })

function linesOf({ cycle: { median, p85, p95 } }: FlowReport): Line[] {
  const percentiles = [
    { label: t('reports.median'), seconds: median },
    { label: t('reports.n85th_percentile'), seconds: p85 },
    { label: t('reports.n95th_percentile'), seconds: p95 },
  ]
  return percentiles.flatMap(({ label, seconds }) =>
    seconds === null ? [] : [{ seconds, label: `${label}: ${formatDuration(seconds)}` }],
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
        <th scope="col">{t('reports.task')}</th>
        <th scope="col">{t('common.done')}</th>
        <th scope="col">{t('reports.cycle_time')}</th>
        <th scope="col">{t('reports.lead_time')}</th>
      </tr>
    </thead>
    <tbody>
      {tasks.toReversed().map((task) => (
        <tr key={task.task_id}>
          <th scope="row" dir="auto">
            {task.ticket_number ? (
              <button
                type="button"
                className="row-link"
                onClick={() => onOpen(task.ticket_number!)}
              >
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
