import { Link } from 'wouter'
import type { Me } from '../entities/user/me.ts'
import { t } from '../messages/t.ts'

interface Props {
  teams: NonNullable<Me['teams_requiring_second_factor']>
}

/** Says which teams are closed until the user has a second factor. */
export default function SecondFactorNotice({ teams }: Props) {
  const names = teams.map(({ name }) => name).join(', ')
  return (
    <div className="offline" role="status">
      <span className="words">
        {t('shell.teams_require_a_second_factor', { names, count: teams.length })}
      </span>
      <Link href="/settings/security" className="button quiet underlined">
        {t('shell.add_a_second_factor')}
      </Link>
    </div>
  )
}
