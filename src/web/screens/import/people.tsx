import { useDeferredValue, useState } from 'react'
import type { Preview } from '../../../import/api.ts'
import { useOperation } from '../../data/cache.ts'
import { noteOrigin, returnToOrigin } from '../../kit/field-origin.ts'
import { Icon } from '../../kit/icon.tsx'
import { PickOne } from '../../kit/pick.tsx'
import { t } from '../../messages/t.ts'
import { changePerson } from './mapping-edits.ts'
import type { MappingProps } from './mapping-props.ts'
import { Paged } from './paged.tsx'

/** With more people, a field to find them is useful. */
const MANY = 10
/** The most members that a list shows before somebody types. */
const MAX_SHOWN = 60

type User = MappingProps['mapping']['people'][number]['user_id']
interface Choice {
  value: User
  name: string
}

const REASONS = {
  'earlier import': t('import.as_in_the_earlier_import'),
  email: t('import.same_email'),
  name: t('import.same_name'),
}

interface Props extends MappingProps {
  team_id: number
  matches: Preview['people']
}

/** Who the people of the source are here: members of the team, or placeholders. */
export function People({ plan, mapping, onChange, team_id, matches }: Props) {
  const [query, setQuery] = useState('')
  const text = useDeferredValue(query.trim().toLowerCase())
  const members = useOperation('teams.members', { team_id, kind: 'person', limit: 50 })
  const choices: Choice[] = [
    { value: 'placeholder', name: t('import.placeholder') },
    ...(members.data?.items ?? []).map(({ user_id, name }) => ({ value: user_id!, name })),
  ]
  const users = new Map(mapping.people.map(({ id, user_id }) => [id, user_id]))
  const reasons = new Map(matches.map(({ id, user_id, by }) => [id, user_id !== null && by]))
  const people = plan.people.filter(({ uses }) => uses > 0)
  const found = people.filter(({ name, email = '' }) =>
    `${name} ${email}`.toLowerCase().includes(text),
  )
  if (!people.length) return null
  return (
    <section className="import-section" aria-labelledby="import-people">
      <h2 id="import-people">{t('import.people')}</h2>
      <p className="soft">{t('import.what_a_placeholder_is')}</p>
      {people.length > MANY && (
        <input
          type="search"
          onFocus={noteOrigin}
          onKeyDown={({ key, currentTarget }) =>
            key === 'Escape' && !currentTarget.value && returnToOrigin(currentTarget)
          }
          className="field"
          aria-label={t('import.find_a_person')}
          placeholder={t('import.find_a_person')}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
        />
      )}
      <Paged key={text} className="mapping-rows pairs" items={found}>
        {(person) => (
          <PersonRow
            key={person.id}
            {...{ person, choices }}
            reason={reasons.get(person.id) || undefined}
            value={users.get(person.id) ?? 'placeholder'}
            onPick={(user) => onChange(changePerson(mapping, person.id, user))}
          />
        )}
      </Paged>
    </section>
  )
}

interface PersonRowProps {
  person: MappingProps['plan']['people'][number]
  reason: keyof typeof REASONS | undefined
  choices: readonly Choice[]
  value: User
  onPick(user: User): void
}

function PersonRow({ person, reason, choices, value, onPick }: PersonRowProps) {
  const { name, email, uses } = person
  const label = t('import.who_name_is', { name })
  const picked = choices.find((choice) => choice.value === value)?.name ?? t('common.loading')
  const details = [email, t('import.count_uses', { count: uses }), reason && REASONS[reason]]
  return (
    <li>
      <div className="from">
        <span dir="auto">{name}</span>
        <span className="soft">{details.filter(Boolean).join(' · ')}</span>
      </div>
      <PickOne
        {...{ label, value, choices, onPick, limit: MAX_SHOWN }}
        trigger={
          <button
            type="button"
            className="button plain pick-person"
            aria-label={`${label}: ${picked}`}
          >
            <span className="truncate">{picked}</span>
            <Icon name="chevron" />
          </button>
        }
      />
    </li>
  )
}
