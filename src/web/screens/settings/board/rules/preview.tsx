import { useState } from 'react'
import { Link } from 'wouter'
import { callOperation, type Output } from '../../../../data/client.ts'
import type { Definition } from '../../../../entities/task/rule/types.ts'
import { agoText } from '../../../../kit/dates.ts'
import { errorText } from '../../../../kit/errors.ts'
import { Icon } from '../../../../kit/icon.tsx'
import { t } from '../../../../messages/t.ts'

interface Props {
  project_id: number
  definition: Definition
}

type Result = Output<'rules.preview'>

/** Tests a rule on what happened on the board, and changes nothing. */
export function Preview({ project_id, definition }: Props) {
  const [tested, setTested] = useState<{ of: Definition; result?: Result; error?: string }>()
  const [isBusy, setBusy] = useState(false)
  const test = async () => {
    setBusy(true)
    await callOperation('rules.preview', { project_id, ...definition, limit: 10 }).then(
      (result) => setTested({ of: definition, result }),
      (error) => setTested({ of: definition, error: errorText(error) }),
    )
    setBusy(false)
  }
  const shown = tested?.of === definition ? tested : undefined
  return (
    <section className="rule-preview" aria-label={t('rules.test')}>
      <button type="button" className="button quiet" disabled={isBusy} onClick={() => void test()}>
        <Icon name="play" />
        {t('rules.test_on_recent_changes')}
      </button>
      <div role="status">
        {shown?.error && <p className="form-error">{shown.error}</p>}
        {shown?.result && <Results {...shown.result} />}
      </div>
    </section>
  )
}

const Results = ({ tested, matched, rows }: Result) => (
  <>
    <p className="soft">{t('rules.tested_matched', { tested, matched })}</p>
    <ul>
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are never reordered
        <li key={at}>
          <Icon name={row.matches ? 'check' : 'close'} />
          <Link href={`/t/${row.ticket_number}`}>{row.ticket_number}</Link>
          <span className="title" dir="auto">
            {row.title}
          </span>
          <span className="soft">
            {row.matches ? t('rules.would_act') : t('rules.does_not_match')}
            {row.at && `, ${agoText(row.at).short}`}
          </span>
        </li>
      ))}
    </ul>
  </>
)
