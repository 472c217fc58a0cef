import { useState } from 'react'
import { Link } from 'wouter'
import { agoText } from '../../kit/dates.ts'
import { t } from '../../messages/t.ts'
import { type Activity, type Fold, summariesOf, textOf } from './activity.ts'
import type { Row } from './comments.ts'

export const keyOf = ({ rows: [first] }: Activity) => `${first!.type} ${first!.created_at}`

/** Consecutive activity, hidden until somebody asks for it. */
export function FoldedActivity({ entries }: Fold) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return entries.map((entry) => <ActivityLine key={keyOf(entry)} {...entry} />)
  return (
    <li className="activity-line">
      <button type="button" className="button quiet" onClick={() => setOpen(true)}>
        {t('task.show_count_more_changes', { count: entries.length })}
      </button>
    </li>
  )
}

/** What somebody did in one go, as one line, which opens into its changes. */
export function ActivityLine(activity: Activity) {
  const [isOpen, setOpen] = useState(false)
  const { rows } = activity
  const summaries = summariesOf(activity)
  if (isOpen) return rows.map((row) => <Line key={row.created_at} row={row} text={textOf(row)} />)
  const text = summaries
    .map(({ text, times }) => (times > 1 ? t('task.text_count_times', { text, times }) : text))
    .join('; ')
  return (
    <Line row={rows.at(-1)!} text={text}>
      {rows.length > summaries.length && (
        <button type="button" className="button quiet" onClick={() => setOpen(true)}>
          {t('task.show_all_count', { count: rows.length })}
        </button>
      )}
    </Line>
  )
}

interface LineProps {
  row: Row
  text: string | undefined
  children?: React.ReactNode
}

function Line({ row: { actor, run_id, rule, created_at }, text, children }: LineProps) {
  const { short, full } = agoText(created_at)
  return (
    <li className="activity-line">
      <span>
        <b>{actor?.name}</b> {run_id ? <Link href={`/runs/${run_id}`}>{text}</Link> : text}
        {rule && ` ${t('task.by_the_rule', { rule })}`}
      </span>{' '}
      <time dateTime={created_at} title={full}>
        {short}
      </time>
      {children}
    </li>
  )
}
