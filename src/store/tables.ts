import type { Recipients } from '../kernel/caller.ts'
import { id, index, int, json, long, longId, primaryKey, table, text, time } from './columns.ts'

/** Everything that happened, in order. Whatever reacts to a write follows this table. */
export const changes = table(
  'changes',
  {
    seq: longId('seq'),
    type: text('type').notNull(),
    team_id: int('team_id'),
    project_id: int('project_id'),
    task_id: int('task_id'),
    actor_id: int('actor_id').notNull(),
    data: json<Record<string, unknown>>('data').notNull(),
    /** Whom it concerned when it was written. Never shown. */
    recipients: json<Recipients>('recipients'),
    created_at: time('created_at').notNull(),
  },
  (t) => [index('changes_task').on(t.team_id, t.task_id, t.created_at, t.seq)],
)

/**
 * Who was given access to what, and lost it: those changes once more, with the credential they were
 * made with. They are few, so that reading them costs no index on the change log itself.
 */
export const audit = table(
  'audit',
  {
    audit_id: id('audit_id'),
    type: text('type').notNull(),
    team_id: int('team_id'),
    project_id: int('project_id'),
    actor_id: int('actor_id').notNull(),
    /** As in a caller: `key:7`. Null where nobody had to show one. */
    credential: text('credential'),
    /** The client's network address; null where nothing came over the network. */
    address: text('address'),
    /** The person whose access it is about; null in the copies that the teams of theirs keep. */
    subject_id: int('subject_id'),
    data: json<Record<string, unknown>>('data').notNull(),
    created_at: time('created_at').notNull(),
  },
  (t) => [
    index('audit_team').on(t.team_id, t.created_at, t.audit_id),
    index('audit_subject').on(t.subject_id, t.created_at, t.audit_id),
  ],
)

/** How far each follower has read. */
export const followers = table('followers', {
  name: text('name').primaryKey(),
  seq: long('seq').notNull(),
})

/** First answers, given again to a retry with the same key. */
export const answers = table(
  'answers',
  {
    actor_id: int('actor_id').notNull(),
    key: text('key').notNull(),
    digest: text('digest').notNull(),
    /** Null where the answer held a secret. */
    answer: json<unknown>('answer'),
    created_at: time('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.actor_id, t.key] }), index('answers_age').on(t.created_at)],
)

/** A row for each thing that is done once but has no row of its own to be held. */
export const locks = table('locks', { name: text('name').primaryKey() })

/** How far work has come that goes through all rows once; a database that is restored has none. */
export const sweeps = table('sweeps', {
  name: text('name').primaryKey(),
  upto: int('upto').notNull(),
})

/**
 * A team whose rows are being imported. They are written in small transactions while nobody is a
 * member of it, and one last transaction publishes them all.
 */
export const imports = table('imports', {
  team_id: int('team_id').primaryKey(),
  /** A published one is done but for the change log, which names its tasks afterwards. */
  state: text('state').$type<'staged' | 'published' | 'discarded'>().notNull(),
  /** Whoever works on it moves this on; once it is past, a server takes over. */
  expires_at: time('expires_at').notNull(),
  /** In whose name the change log tells of it; null before it is published. */
  actor_id: int('actor_id'),
  /** The change log has named the tasks up to this one, and ends with the last. */
  upto: int('upto').notNull(),
  last: int('last').notNull(),
})

/** People and agents who came with an import, and go again if that is discarded. */
export const importedActors = table(
  'imported_actors',
  { team_id: int('team_id').notNull(), actor_id: int('actor_id').notNull() },
  (t) => [primaryKey({ columns: [t.team_id, t.actor_id] })],
)
