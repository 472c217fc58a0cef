import type { Plan } from '../../../import/plan.ts'
import { dueText } from '../../kit/dates.ts'
import { t } from '../../messages/t.ts'

/** A few tasks, so that somebody sees whether the files were understood. */
export function Samples({ plan: { samples } }: { plan: Plan }) {
  if (!samples.length) return null
  return (
    <section className="import-section" aria-labelledby="import-samples">
      <h2 id="import-samples">{t('import.sample_tasks')}</h2>
      <ul className="samples">
        {samples.map(({ id, key, title, board, column, due_date, ...task }) => (
          <li key={id}>
            <p dir="auto">
              {key && <span className="minor">{key} </span>}
              {title}
            </p>
            <p className="soft">
              {[
                `${board} › ${column}`,
                task.priority !== undefined && t('import.priority_name', { name: task.priority }),
                due_date && t('import.due_date', { date: dueText(due_date).short }),
                task.assignees.join(', '),
                task.labels.join(', '),
                task.comments > 0 && t('import.count_comments', { count: task.comments }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
