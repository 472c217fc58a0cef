import { id, index, int, table, text, time } from '../../../../store/columns.ts'
import { actors } from '../../people/model/index.ts'

/** How a person proved who they are. */
export type SignInMethod =
  | 'password'
  | 'passkey'
  | 'email'
  | 'issuer'
  | 'invitation'
  | 'setup'
  | 'recovery'
export type SecondFactor = 'passkey' | 'app' | 'recovery code'

/** Sign-ins of people in browsers. A session keeps its sign-in when its secret is replaced. */
export const signIns = table(
  'sign_ins',
  { exported: 'sessions stay on their server' },
  {
    sign_in_id: id('sign_in_id'),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    method: text('method').$type<SignInMethod>().notNull(),
    second_factor: text('second_factor').$type<SecondFactor>(),
    /** The OpenID Connect issuer that the person signed in through, and who they are there. */
    issuer: text('issuer'),
    subject: text('subject'),
    /** The id that the issuer gave to its session, for its logout requests. */
    issuer_session: text('issuer_session'),
    /** Encrypted. The issuer wants it back when the person signs out. */
    id_token: text('id_token'),
    created_at: time('created_at').notNull(),
    /** When the person last proved who they are, for actions that ask for it again. */
    verified_at: time('verified_at').notNull(),
  },
  (t) => [
    index('sign_ins_actor').on(t.actor_id),
    index('sign_ins_subject').on(t.issuer, t.subject),
    index('sign_ins_issuer_session').on(t.issuer, t.issuer_session),
  ],
)
