import { t } from '../../messages/t.ts'

interface Props {
  title: string
  tasks: readonly { ticket_number: string; title: string }[]
}

const MAX_TASKS = 3

/** The tasks that somebody works on. */
export const WorkList = ({ title, tasks }: Props) => (
  <div className="preview-work">
    <p className="soft">{title}</p>
    {tasks.length ? (
      <ul>
        {tasks.slice(0, MAX_TASKS).map((one) => (
          <li key={one.ticket_number}>
            <span className="key soft">{one.ticket_number}</span>
            <span className="truncate" dir="auto">
              {one.title}
            </span>
          </li>
        ))}
      </ul>
    ) : (
      <p>{t('preview.nothing_at_the_moment')}</p>
    )}
  </div>
)
