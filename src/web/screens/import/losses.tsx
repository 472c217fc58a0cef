import type { Plan } from '../../../import/plan.ts'
import { locale } from '../../kit/locale.ts'
import { t } from '../../messages/t.ts'
import { Paged } from './paged.tsx'

/** The mapping below is more important than a long list. */
const FEW = 5

/** What an import leaves out, and why. */
export function Losses({ plan: { lost, unknown } }: { plan: Plan }) {
  return (
    <section className="import-section" aria-labelledby="import-losses">
      <h2 id="import-losses">{t('import.not_imported')}</h2>
      {!lost.length && !unknown.length && <p className="soft">{t('import.nothing_is_lost')}</p>}
      <Paged className="losses" items={lost} first={FEW} label={t('import.not_imported')}>
        {({ what, why, count }) => (
          <li key={`${what} ${why}`}>
            <span className="count tabular">{count.toLocaleString(locale)}</span>
            <div>
              <code>{what}</code>
              <p className="soft">{why}</p>
            </div>
          </li>
        )}
      </Paged>
      {unknown.length > 0 && (
        <details>
          <summary>{t('import.count_unknown_fields', { count: unknown.length })}</summary>
          <p className="soft">{t('import.unknown_fields_are_left_out')}</p>
          <Paged className="losses" items={unknown}>
            {({ field, count }) => (
              <li key={field}>
                <span className="count tabular">{count.toLocaleString(locale)}</span>
                <code>{field}</code>
              </li>
            )}
          </Paged>
        </details>
      )}
    </section>
  )
}
