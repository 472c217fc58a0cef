import { Link } from 'wouter'
import { errorText } from '../../kit/errors.ts'
import { RecoveryAction } from '../../kit/recovery-action.tsx'
import { t } from '../../messages/t.ts'

interface Props {
  state: 'active' | 'inactive' | 'archived'
  canCreate: boolean
}

/** The empty state, with the next step. */
export function Empty({ state, canCreate }: Props) {
  if (state !== 'active')
    return (
      <p className="agents-none">
        {state === 'inactive'
          ? t('agents.no_agents_are_switched_off_an_agent')
          : t('agents.no_archived_agents_an_archived_agent_has')}
      </p>
    )
  return (
    <div className="agents-none">
      <h2>{t('agents.no_agents_yet')}</h2>
      <p className="soft">{t('agents.claude_code_cursor_and_any_other_mcp')}</p>
      {canCreate ? (
        <Link href="/agents?connect=" className="button plain">
          {t('common.connect_your_agent')}
        </Link>
      ) : (
        <p>{t('agents.ask_a_member_of_the_team_to')}</p>
      )}
    </div>
  )
}

const ROWS = [1, 2, 3, 4]

/** A placeholder while the content loads. */
export const ListSkeleton = () => (
  <div className="agents-shape" role="status">
    <span className="unseen">{t('common.loading')}</span>
    {ROWS.map((row) => (
      <i key={row} />
    ))}
  </div>
)

interface MissingProps {
  kind: 'agent' | 'run'
  error: Error
  isUnknown: boolean
}

export const Missing = ({ kind, error, isUnknown }: MissingProps) => (
  <div className="agents-none" role="alert">
    <h1>
      {isUnknown
        ? t('agents.what_not_found', { what: kind })
        : t('agents.could_not_load_the_what', { what: kind })}
    </h1>
    <p>{isUnknown ? t('agents.it_may_have_been_deleted_or_you') : errorText(error)}</p>
    <RecoveryAction {...{ isUnknown, error }} />
  </div>
)
