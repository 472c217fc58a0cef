import { bool, id, index, int, json, primaryKey, table, text, time } from '../../store/columns.ts'
import { actors } from '../people/index.ts'
import type { Kept, MessageState, Role, ThreadState, Trouble } from './schema.ts'

/** A conversation of one person, which nobody else sees. */
export const chatThreads = table(
  'chat_threads',
  {
    thread_id: id('thread_id'),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    /** What it is about, as far as it is about something; its team with it. */
    team_id: int('team_id'),
    project_id: int('project_id'),
    task_id: int('task_id'),
    title: text('title').notNull(),
    /** Changes are made without asking; what takes away is asked about all the same. */
    allow_writes: bool('allow_writes').notNull(),
    state: text('state').$type<ThreadState>().notNull(),
    /** Until then whoever answers is taken to be at it; moved on while it is. */
    busy_until: time('busy_until'),
    /** The number of the last message. */
    messages: int('messages').notNull(),
    /** Numbers of the agents that were addressed in it, and so may answer. */
    addressed: json<number[]>('addressed').notNull(),
    created_at: time('created_at').notNull(),
    updated_at: time('updated_at').notNull(),
  },
  (t) => [index('chat_threads_actor').on(t.actor_id, t.updated_at, t.thread_id)],
)

export const chatMessages = table(
  'chat_messages',
  {
    thread_id: int('thread_id')
      .notNull()
      .references(() => chatThreads.thread_id),
    /** Its place in the thread, from 1. */
    number: int('number').notNull(),
    role: text('role').$type<Role>().notNull(),
    /** Who wrote it; null: the model. */
    actor_id: int('actor_id').references(() => actors.actor_id),
    parts: json<Kept[]>('parts').notNull(),
    state: text('state').$type<MessageState>().notNull(),
    trouble: json<Trouble | null>('trouble'),
    tokens_in: int('tokens_in').notNull(),
    tokens_out: int('tokens_out').notNull(),
    created_at: time('created_at').notNull(),
    updated_at: time('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.thread_id, t.number] })],
)
