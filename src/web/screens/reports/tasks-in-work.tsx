import { useState } from 'react'
import { useOpenTask } from '../../entities/task/open-task.ts'
import { countOf, formatDuration } from './format.ts'
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
        <h2>In progress</h2>
        <p className="soft">How long unfinished tasks have been in progress, oldest first.</p>
      </header>
      <table className="bars">
        <thead>
          <tr>
            <th scope="col">Task</th>
            <th scope="col">Column</th>
            <th scope="col" className="wide">
              <span className="unseen">Share</span>
            </th>
            <th scope="col">Age</th>
          </tr>
        </thead>
        <tbody>
          {visible.map(({ task_id, ticket_number, title, section_id, age_seconds }) => (
            <tr key={task_id}>
              <th scope="row" dir="auto">
                <button type="button" className="goes" onClick={() => open(ticket_number)}>
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
          Show {countOf(Math.min(going.length, MAX_ROWS) - INITIAL_ROWS, 'more task')}
        </button>
      )}
      {showsAll && going_total > MAX_ROWS && (
        <p className="soft">{countOf(going_total - MAX_ROWS, 'more task')}, started later.</p>
      )}
    </section>
  )
}
