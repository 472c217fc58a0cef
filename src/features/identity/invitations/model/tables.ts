import type { Role } from '../../../../kernel/caller.ts'
import { id, index, int, table, text, time, uniqueIndex } from '../../../../store/columns.ts'
import { actors } from '../../people/model/index.ts'
import { teams } from '../../teams/model/index.ts'

export const invitations = table(
  'invitations',
  { exported: 'their links lead to the server that created them' },
  {
    invitation_id: id('invitation_id'),
    team_id: int('team_id')
      .notNull()
      .references(() => teams.team_id),
    /** The board that the invited person is added to besides the team. */
    project_id: int('project_id'),
    email: text('email').notNull(),
    role: text('role').$type<Role>().notNull(),
    hash: text('hash').notNull(),
    invited_by: int('invited_by')
      .notNull()
      .references(() => actors.actor_id),
    /** The bearer credential it was created with. It is revoked when that credential ends. */
    credential_id: int('credential_id'),
    created_at: time('created_at').notNull(),
    expires_at: time('expires_at').notNull(),
    accepted_at: time('accepted_at'),
    revoked_at: time('revoked_at'),
    /** Hash of the emailed link. It differs from the shown link and is the same at each attempt. */
    mail_hash: text('mail_hash'),
    mail_due_at: time('mail_due_at'),
    mail_attempts: int('mail_attempts').notNull().default(0),
    mailed_at: time('mailed_at'),
    mail_error: text('mail_error'),
  },
  (t) => [
    uniqueIndex('invitations_hash').on(t.hash),
    uniqueIndex('invitations_mail_hash').on(t.mail_hash),
    index('invitations_team').on(t.team_id, t.created_at),
    index('invitations_email').on(t.email, t.created_at),
    index('invitations_mail_due').on(t.mail_due_at),
    index('invitations_credential').on(t.credential_id),
  ],
)
