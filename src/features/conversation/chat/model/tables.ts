import {
  bool,
  id,
  index,
  int,
  json,
  primaryKey,
  table,
  text,
  time,
} from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'
import type { MessageState, Role, StoredPart, ThreadState, Trouble } from './schema.ts'

/** A conversation that only its owner sees. */
export const chatThreads = table(
  'chat_threads',
  { exported: 'private to the people who chat' },
  {
    thread_id: id('thread_id'),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    /** The board or task that the thread is about, if any, and its team. */
    team_id: int('team_id'),
    project_id: int('project_id'),
    task_id: int('task_id'),
    title: text('title').notNull(),
    /** Writes are made without asking; destructive calls are always asked about. */
    allow_writes: bool('allow_writes').notNull(),
    state: text('state').$type<ThreadState>().notNull(),
    /** The answer counts as being generated until then; moved forward while it is. */
    busy_until: time('busy_until'),
    /** The number of the last message. */
    messages: int('messages').notNull(),
    /** The ids of the agents that were mentioned in the thread and may reply. */
    addressed: json<number[]>('addressed').notNull(),
    created_at: time('created_at').notNull(),
    updated_at: time('updated_at').notNull(),
  },
  (t) => [index('chat_threads_actor').on(t.actor_id, t.updated_at, t.thread_id)],
)

export const chatMessages = table(
  'chat_messages',
  { exported: 'depend on the threads' },
  {
    thread_id: int('thread_id')
      .notNull()
      .references(() => chatThreads.thread_id),
    /** The position in the thread, from 1. */
    number: int('number').notNull(),
    role: text('role').$type<Role>().notNull(),
    /** Who wrote it; null: the model. */
    actor_id: int('actor_id').references(() => actors.actor_id),
    parts: json<StoredPart[]>('parts').notNull(),
    state: text('state').$type<MessageState>().notNull(),
    trouble: json<Trouble | null>('trouble'),
    tokens_in: int('tokens_in').notNull(),
    tokens_out: int('tokens_out').notNull(),
    created_at: time('created_at').notNull(),
    updated_at: time('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.thread_id, t.number] })],
)
