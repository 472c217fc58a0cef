import { Link } from 'wouter'
import { useOperation } from '../../../../data/cache.ts'
import type { Output } from '../../../../data/client.ts'
import { ACTION_LABELS } from '../../../../entities/task/rule/names.ts'
import { agoText } from '../../../../kit/dates.ts'
import { Icon } from '../../../../kit/icon.tsx'
import { LoadError } from '../../../../kit/load-error.tsx'
import { t } from '../../../../messages/t.ts'

type Execution = Output<'rules.executions'>['items'][number]

/** What a rule did lately, or why not. */
export function RuleLog({ rule_id }: { rule_id: string }) {
  const log = useOperation('rules.executions', { rule_id, limit: 20 })
  const { data } = log
  if (!data) return <LoadError of={log} what={t('rules.log')} />
  return (
    <section className="rule-log" aria-label={t('rules.log')}>
      {!data.items.length && <p className="soft">{t('rules.it_has_not_run_yet')}</p>}
      <ul>
        {data.items.map((one) => (
          <li key={one.execution_id}>
            <Icon {...MARKS[one.state as keyof typeof MARKS]} />
            {one.ticket_number && <Link href={`/t/${one.ticket_number}`}>{one.ticket_number}</Link>}
            <span className="title" dir="auto">
              {detailsOf(one)}
            </span>
            <span className="soft">{agoText(one.at).short}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const MARKS = {
  queued: { name: 'clock', label: t('rules.waiting') },
  done: { name: 'check', label: t('common.done') },
  skipped: { name: 'close', label: t('rules.skipped') },
  failed: { name: 'alert', label: t('common.failed') },
} as const

const detailsOf = ({ reason, results }: Execution) =>
  reason ??
  results
    .map(({ do: deed, error }) => {
      const label = ACTION_LABELS[deed as keyof typeof ACTION_LABELS] ?? deed
      return error ? `${label}: ${error}` : label
    })
    .join(', ')
