import { sql } from 'drizzle-orm'
import { id, index, int, json, table, text, time, uniqueIndex } from '../../../../store/columns.ts'
import { actors } from '../../people/model/index.ts'

export type AccountEmailKind = 'password' | 'sign-in' | NoticeKind

/** Emails without a link that signs in. */
export type NoticeKind = 'new device' | 'channel off'

/** Emails about an account: links to sign in or to set a password, and notices. */
export const accountEmails = table(
  'account_emails',
  { exported: 'their links belong to this server' },
  {
    email_id: id('email_id'),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    kind: text('kind').$type<AccountEmailKind>().notNull(),
    /** Hash of the secret in the link; null for a notice. */
    hash: text('hash'),
    /** What the email shows, such as the browser of a sign-in, and where its link leads. */
    data: json<Record<string, string>>('data').notNull(),
    created_at: time('created_at').notNull(),
    expires_at: time('expires_at').notNull(),
    used_at: time('used_at'),
    /** When it is to be sent next; null once it was sent or refused. */
    due_at: time('due_at'),
    attempts: int('attempts').notNull().default(0),
  },
  (t) => [
    uniqueIndex('account_emails_hash').on(t.hash),
    index('account_emails_actor').on(t.actor_id),
    index('account_emails_due').on(t.due_at).where(sql`due_at is not null`),
  ],
)
