import { bool, int, json, table, text, time } from '../../../../store/columns.ts'
import { teams } from '../../teams/model/index.ts'

/** The rules of a team for its members: joining, sign-in, language. No row means the defaults. */
export const teamPolicies = table(
  'team_policies',
  {
    exported: 'each server has its own ways to sign in',
    unstaged: 'no import carries them',
  },
  {
    team_id: int('team_id')
      .primaryKey()
      .references(() => teams.team_id),
    guests_allowed: bool('guests_allowed').notNull(),
    /** Only addresses of these domains may join; null: all. */
    email_domains: json<string[] | null>('email_domains'),
    second_factor_required: bool('second_factor_required').notNull(),
    /** Most days that a browser session, a key or a token may last; null: no own limit. */
    session_days: int('session_days'),
    token_days: int('token_days'),
    /** The language of members who have chosen none. */
    locale: text('locale'),
    updated_at: time('updated_at').notNull(),
  },
)
