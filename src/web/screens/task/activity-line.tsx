import { Suspense, useState } from 'react'
import { Link } from 'wouter'
import type { NamedRule } from '../../../kernel/board-rules.ts'
import { agoText } from '../../kit/dates.ts'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { rich, t } from '../../messages/t.ts'
import { type Activity, type Fold, summariesOf, textOf } from './activity.ts'
import type { Row } from './comments.ts'

const NamedRuleText = lazyComponent(() => import('../../entities/task/rule/named-rule.tsx'))

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

function Line({ row, text, children }: LineProps) {
  const { actor, run_id, created_at } = row
  const { short, full } = agoText(created_at)
  return (
    <li className="activity-line">
      <span>
        <b>{actor?.name}</b> {run_id ? <Link href={`/runs/${run_id}`}>{text}</Link> : text}
        {row.rule && <ByRule {...row} rule={row.rule} />}
      </span>{' '}
      <time dateTime={created_at} title={full}>
        {short}
      </time>
      {children}
    </li>
  )
}

/** Changes of earlier releases have only the English sentence of the rule. */
function ByRule({ rule: sentence, rule_definition }: Row & { rule: string }) {
  const rule = rule_definition ? (
    <Suspense fallback="…">
      <NamedRuleText rule={rule_definition as unknown as NamedRule} />
    </Suspense>
  ) : (
    sentence
  )
  return <> {rich('task.by_the_rule', { rule })}</>
}
