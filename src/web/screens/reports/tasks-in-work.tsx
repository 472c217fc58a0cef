import { useState } from 'react'
import { useOpenTask } from '../../entities/task/open-task.ts'
import { t } from '../../messages/t.ts'
import { formatDuration } from './format.ts'
import type { FlowReport } from './types.ts'

const INITIAL_ROWS = 10
const MAX_ROWS = 100

/** The tasks in work by age, oldest first. */
export function TasksInWork({ flow: { going, going_total, columns } }: { flow: FlowReport }) {
  const [showsAll, setShowsAll] = useState(false)
  const open = useOpenTask()
  if (!going.length) return null
  const titles = new Map(columns.map(({ section_id, title }) => [section_id, title]))
  const maxAge = going[0]!.age_seconds || 1
  const visible = going.slice(0, showsAll ? MAX_ROWS : INITIAL_ROWS)
  return (
    <section className="figure">
      <header>
        <h2>{t('common.in_progress')}</h2>
        <p className="soft">{t('reports.how_long_unfinished_tasks_have_been_in')}</p>
      </header>
      <table className="bars">
        <thead>
          <tr>
            <th scope="col">{t('reports.task')}</th>
            <th scope="col">{t('common.column')}</th>
            <th scope="col" className="wide">
              <span className="unseen">{t('reports.share')}</span>
            </th>
            <th scope="col">{t('reports.age')}</th>
          </tr>
        </thead>
        <tbody>
          {visible.map(({ task_id, ticket_number, title, section_id, age_seconds }) => (
            <tr key={task_id}>
              <th scope="row" dir="auto">
                <button type="button" className="row-link" onClick={() => open(ticket_number)}>
                  <span className="soft tabular">{ticket_number}</span> {title}
                </button>
              </th>
              <td className="soft">{titles.get(section_id)}</td>
              <td className="wide">
                <span className="bar" style={{ width: `${(age_seconds / maxAge) * 100}%` }} />
              </td>
              <td className="tabular">{formatDuration(age_seconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {!showsAll && going.length > INITIAL_ROWS && (
        <button type="button" className="button quiet" onClick={() => setShowsAll(true)}>
          {t('reports.show_more_tasks', {
            count: Math.min(going.length, MAX_ROWS) - INITIAL_ROWS,
          })}
        </button>
      )}
      {showsAll && going_total > MAX_ROWS && (
        <p className="soft">
          {t('reports.more_tasks_started_later', { count: going_total - MAX_ROWS })}
        </p>
      )}
    </section>
  )
}
