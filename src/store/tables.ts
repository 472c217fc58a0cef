import type { Recipients } from '../kernel/caller.ts'
import { id, index, int, json, long, longId, primaryKey, table, text, time } from './columns.ts'

/** The change log: everything that happened, in order. Followers of this table react to writes. */
export const changes = table(
  'changes',
  {
    exported: 'refers to rows by the ids of their server',
    unstaged: 'written once the import is published',
  },
  {
    seq: longId('seq'),
    type: text('type').notNull(),
    team_id: int('team_id'),
    project_id: int('project_id'),
    task_id: int('task_id'),
    actor_id: int('actor_id').notNull(),
    data: json<Record<string, unknown>>('data').notNull(),
    /** Recipients at the time of the change. Never shown. */
    recipients: json<Recipients>('recipients'),
    created_at: time('created_at').notNull(),
  },
  (t) => [index('changes_task').on(t.team_id, t.task_id, t.created_at, t.seq)],
)

/**
 * Copies of the changes to access rights and credentials, with the credential that made each. A
 * small table of its own, so that the change log needs no index for them.
 */
export const audit = table(
  'audit',
  {
    exported: 'refers to credentials and people of its server',
    unstaged: 'an import is not a change of access',
  },
  {
    audit_id: id('audit_id'),
    type: text('type').notNull(),
    team_id: int('team_id'),
    project_id: int('project_id'),
    actor_id: int('actor_id').notNull(),
    /** As in `Caller.credential`: `key:7`. Null if the change needed no credential. */
    credential: text('credential'),
    /** The client's network address; null if the call did not come over the network. */
    address: text('address'),
    /** The person whose access changed; null in the copies for that person's teams. */
    subject_id: int('subject_id'),
    data: json<Record<string, unknown>>('data').notNull(),
    created_at: time('created_at').notNull(),
  },
  (t) => [
    index('audit_team').on(t.team_id, t.created_at, t.audit_id),
    index('audit_subject').on(t.subject_id, t.created_at, t.audit_id),
  ],
)

/** The position of each follower in the change log. */
export const followers = table(
  'followers',
  { exported: 'positions in that change log' },
  {
    name: text('name').primaryKey(),
    seq: long('seq').notNull(),
  },
)

/** Results of first requests, returned to retries with the same idempotency key. */
export const answers = table(
  'answers',
  { exported: 'kept for a day, for retries on their server' },
  {
    actor_id: int('actor_id').notNull(),
    key: text('key').notNull(),
    digest: text('digest').notNull(),
    /** Null if the result holds a secret. */
    answer: json<unknown>('answer'),
    created_at: time('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.actor_id, t.key] }), index('answers_age').on(t.created_at)],
)

/** Rows that serve as named locks, for work that has no row of its own to lock. */
export const locks = table(
  'locks',
  { exported: 'coordinate the servers of one database' },
  { name: text('name').primaryKey() },
)

/** Progress of jobs that process all rows once. A restored database starts them again. */
export const sweeps = table(
  'sweeps',
  {
    exported: 'start again on a restored database',
    unsaved: 'their progress would be wrong for restored rows',
  },
  {
    name: text('name').primaryKey(),
    upto: int('upto').notNull(),
  },
)

/**
 * A team that is being imported. Its rows are written in small transactions while the team has no
 * members, and one last transaction publishes all of them.
 */
export const imports = table(
  'imports',
  {
    exported: 'ends with the process that imports',
    unsaved: 'a backup holds only what is published',
  },
  {
    team_id: int('team_id').primaryKey(),
    /** After `published`, only the entries of the change log for its tasks remain to be written. */
    state: text('state').$type<'staged' | 'published' | 'discarded'>().notNull(),
    /** The importing process extends this; once it has passed, a server takes over. */
    expires_at: time('expires_at').notNull(),
    /** The actor of the entries in the change log; null before the import is published. */
    actor_id: int('actor_id'),
    /** The change log has entries for the tasks up to this one; `last` is the last task. */
    upto: int('upto').notNull(),
    last: int('last').notNull(),
  },
)

/** People and agents created by an import; they are deleted if it is discarded. */
export const importedActors = table(
  'imported_actors',
  { exported: 'depends on the import', unsaved: 'a backup holds only what is published' },
  { team_id: int('team_id').notNull(), actor_id: int('actor_id').notNull() },
  (t) => [primaryKey({ columns: [t.team_id, t.actor_id] })],
)
