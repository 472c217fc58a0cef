import { useState } from 'react'
import { useOpenTask } from '../frame/places.ts'
import type { FlowReport } from './flow.tsx'
import { lasting, many } from './words.ts'

const FEW = 10
const MOST = 100

/** What is being worked on, and for how long. */
export function Going({ flow: { going, going_total, columns } }: { flow: FlowReport }) {
  const [isWhole, setWhole] = useState(false)
  const open = useOpenTask()
  if (!going.length) return null
  const titles = new Map(columns.map(({ section_id, title }) => [section_id, title]))
  const most = going[0]!.age_seconds || 1
  const shown = going.slice(0, isWhole ? MOST : FEW)
  return (
    <section className="figure">
      <header>
        <h2>In work</h2>
        <p className="soft">How long ago work began on what is not done yet, the oldest first.</p>
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
          {shown.map(({ task_id, ticket_number, title, section_id, age_seconds }) => (
            <tr key={task_id}>
              <th scope="row" dir="auto">
                <button type="button" className="goes" onClick={() => open(ticket_number)}>
                  <span className="soft tabular">{ticket_number}</span> {title}
                </button>
              </th>
              <td className="soft">{titles.get(section_id)}</td>
              <td className="wide">
                <span className="bar" style={{ width: `${(age_seconds / most) * 100}%` }} />
              </td>
              <td className="tabular">{lasting(age_seconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {!isWhole && going.length > FEW && (
        <button type="button" className="button quiet" onClick={() => setWhole(true)}>
          Show {many(Math.min(going.length, MOST) - FEW, 'task')} more
        </button>
      )}
      {isWhole && going_total > MOST && (
        <p className="soft">{many(going_total - MOST, 'task')} more are younger.</p>
      )}
    </section>
  )
}
