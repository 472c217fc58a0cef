import { id, int, table, text, time, uniqueIndex } from '../../../../store/columns.ts'

/**
 * Everyone who can act. People and agents share one id space, so an author is a single column. The
 * system actor has a row as well, for scheduled changes.
 */
export const actors = table(
  'actors',
  { exported: true },
  {
    actor_id: id('actor_id'),
    kind: text('kind').$type<'person' | 'agent' | 'system'>().notNull(),
    /** The public id of an agent. People are identified by actor_id, shown as user_id. */
    agent_id: text('agent_id'),
    name: text('name').notNull(),
    /** An https URL, or a reference to an uploaded picture: see picture.ts. */
    avatar: text('avatar'),
    created_at: time('created_at').notNull(),
  },
  (t) => [uniqueIndex('actors_agent').on(t.agent_id)],
)

export const people = table(
  'people',
  { exported: true },
  {
    actor_id: int('actor_id')
      .primaryKey()
      .references(() => actors.actor_id),
    /** Lower case. */
    email: text('email').notNull(),
    password_hash: text('password_hash'),
    time_zone: text('time_zone').notNull(),
    locale: text('locale').notNull(),
    default_project_id: int('default_project_id'),
    created_at: time('created_at').notNull(),
    /** Since then the person cannot sign in, and their credentials are not accepted. */
    deactivated_at: time('deactivated_at'),
  },
  (t) => [uniqueIndex('people_email').on(t.email)],
)
