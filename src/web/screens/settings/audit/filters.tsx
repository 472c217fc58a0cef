import { useOperation } from '../../../data/cache.ts'
import { t } from '../../../messages/t.ts'
import type { AuditFilters } from './audit-filters.ts'
import { KINDS } from './texts.ts'

/** The filters of the log: person, kind and dates. */
export function Filters({
  filters,
  team_id,
}: {
  filters: AuditFilters
  team_id: number | undefined
}) {
  const { person, kind, from, to, setParam, clear, isNarrow } = filters
  return (
    <fieldset className="filters">
      <legend className="unseen">{t('common.filters')}</legend>
      {team_id !== undefined && (
        <PersonSelect team_id={team_id} person={person} onPick={(id) => setParam('who', id)} />
      )}
      <select
        className="field"
        aria-label={t('settings.event_type')}
        value={kind}
        onChange={({ target }) => setParam('kind', target.value)}
      >
        <option value="">{t('settings.all_events')}</option>
        {Object.entries(KINDS).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <label>
        <span>{t('settings.from')}</span>
        <input
          type="date"
          className="field"
          value={from}
          max={to || undefined}
          onChange={({ target }) => setParam('from', target.value)}
        />
      </label>
      <label>
        <span>{t('settings.to')}</span>
        <input
          type="date"
          className="field"
          value={to}
          min={from || undefined}
          onChange={({ target }) => setParam('to', target.value)}
        />
      </label>
      {isNarrow && (
        <button type="button" className="button quiet" onClick={clear}>
          {t('common.clear')}
        </button>
      )}
    </fieldset>
  )
}

interface PersonSelectProps {
  team_id: number
  person: string
  onPick(id: string): void
}

function PersonSelect({ team_id, person, onPick }: PersonSelectProps) {
  const { data } = useOperation('teams.members', { team_id, kind: 'person', limit: 50 })
  const people = data?.items ?? []
  const isKnown = !person || people.some(({ user_id }) => String(user_id) === person)
  return (
    <select
      className="field"
      aria-label={t('settings.person')}
      value={person}
      onChange={({ target }) => onPick(target.value)}
    >
      <option value="">{t('settings.everybody')}</option>
      {people.map(({ user_id, name }) => (
        <option key={user_id} value={user_id}>
          {name}
        </option>
      ))}
      {!isKnown && <option value={person}>{t('common.former_member')}</option>}
    </select>
  )
}
