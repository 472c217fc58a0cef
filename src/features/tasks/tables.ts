import { and, sql } from 'drizzle-orm'
import {
  bool,
  id,
  index,
  int,
  primaryKey,
  real,
  table,
  text,
  time,
  uniqueIndex,
} from '../../store/columns.ts'
import { customFields } from '../custom_fields/index.ts'
import { labels } from '../labels/index.ts'
import { actors } from '../people/index.ts'
import { projects } from '../projects/index.ts'
import { sections } from '../sections/index.ts'
import { columns } from './fields.ts'
import type { PrBadge } from './rules.ts'
import {
  hasPages,
  isComing,
  isFinished,
  isRepeating,
  isTaken,
  isUnreminded,
  isUntaken,
  urgencyOf,
} from './waiting.ts'

export const tasks = table(
  'tasks',
  {
    task_id: id('task_id'),
    team_id: int('team_id').notNull(),
    project_id: int('project_id')
      .notNull()
      .references(() => projects.project_id),
    section_id: int('section_id')
      .notNull()
      .references(() => sections.section_id),
    /** The number within the board; ticket_number is the board's key before it. */
    unique_index: int('unique_index').notNull(),
    ticket_number: text('ticket_number').notNull(),
    title: text('title').notNull(),
    description: text('description'),
    content_type: text('content_type').$type<'html' | 'markdown'>().notNull(),
    description_version: int('description_version').notNull(),
    ...columns,
    /** As it was given: a day, or a moment. */
    due_date: text('due_date'),
    /** The moment after which the task is overdue. */
    due_at: time('due_at'),
    /**
     * Where a series of repeats began, as a local day or moment, once it is not its due date: the
     * 31st that February had no room for, the hour that a night of daylight saving left out.
     */
    repeats_from: text('repeats_from'),
    /** The local moment that the start date of a repeat stands for, where a clock change skips it. */
    starts_from: text('starts_from'),
    /** Until then it stays out of My Tasks. */
    snoozed_until: time('snoozed_until'),
    /** What was told of its due date: nothing, that it comes, that it passed. */
    reminded: int('reminded').$type<0 | 1 | 2>().notNull().default(0),
    parent_task_id: int('parent_task_id'),
    status: text('status').$type<'Normal' | 'Archive' | 'Deleted'>().notNull(),
    rank: text('rank').notNull(),
    created_by: int('created_by')
      .notNull()
      .references(() => actors.actor_id),
    created_at: time('created_at').notNull(),
    updated_at: time('updated_at').notNull(),
    completed_at: time('completed_at'),
    /** When it came into its column; of a task from before that was kept, when it was created. */
    section_changed_at: time('section_changed_at'),
    /** Kept by those who write what is counted, so that lists need not count. */
    comment_count: int('comment_count').notNull().default(0),
    last_comment_at: time('last_comment_at'),
    attachment_count: int('attachment_count').notNull().default(0),
    page_count: int('page_count').notNull().default(0),
    /** Of its pull requests together; nothing where it has none. */
    pr_badge: text('pr_badge').$type<PrBadge>(),
    /** Who took it last; they may have let their lease run out, but nobody has ended it. */
    leased_by: int('leased_by').references(() => actors.actor_id),
  },
  (t) => [
    uniqueIndex('tasks_ticket').on(t.team_id, t.ticket_number),
    index('tasks_created').on(t.team_id, t.project_id, t.status, t.created_at, t.task_id),
    index('tasks_updated').on(t.team_id, t.project_id, t.status, t.updated_at, t.task_id),
    index('tasks_due').on(t.team_id, t.project_id, t.status, t.due_at, t.task_id),
    index('tasks_priority').on(t.team_id, t.project_id, t.status, t.priority, t.task_id),
    index('tasks_title').on(t.team_id, t.project_id, t.status, t.title, t.task_id),
    index('tasks_order').on(t.team_id, t.section_id, t.status, t.rank, t.task_id, t.project_id),
    index('tasks_parent').on(t.team_id, t.parent_task_id),
    // The queue of a board's open tasks that nobody has taken: each stands in one of these two.
    index('tasks_queue_due')
      .on(t.team_id, t.project_id, urgencyOf(t.priority), t.due_at, t.section_id)
      .where(and(isUntaken(t), sql`${t.due_at} is not null`)!),
    index('tasks_queue')
      .on(t.team_id, t.section_id, urgencyOf(t.priority), t.rank)
      .where(and(isUntaken(t), sql`${t.due_at} is null`)!),
    // SQLite only counts by a partial index that holds every column of the condition.
    index('tasks_taken').on(t.team_id, t.section_id, t.status).where(isTaken(t)),
    index('tasks_reminders').on(t.reminded, t.due_at, t.task_id).where(isUnreminded(t)),
    index('tasks_finished')
      .on(t.team_id, t.project_id, t.status, t.updated_at, t.task_id)
      .where(isFinished(t)),
    // What is to come, soonest first; and what comes again. With the status, though it is always
    // the same, for else SQLite prefers the index of all due dates.
    index('tasks_coming')
      .on(t.team_id, t.project_id, t.status, t.due_at, t.task_id)
      .where(isComing(t)),
    index('tasks_repeating')
      .on(t.team_id, t.project_id, t.status, t.due_at, t.task_id)
      .where(isRepeating(t)),
    index('tasks_paged').on(t.team_id, t.project_id, t.task_id).where(hasPages(t)),
  ],
)

/** A task that moved to another board is still found under the keys it had. */
export const formerTickets = table(
  'former_tickets',
  {
    team_id: int('team_id').notNull(),
    ticket_number: text('ticket_number').notNull(),
    task_id: int('task_id')
      .notNull()
      .references(() => tasks.task_id),
  },
  (t) => [primaryKey({ columns: [t.team_id, t.ticket_number] })],
)

export const taskLabels = table(
  'task_labels',
  {
    team_id: int('team_id').notNull(),
    task_id: int('task_id')
      .notNull()
      .references(() => tasks.task_id),
    label_id: int('label_id')
      .notNull()
      .references(() => labels.label_id),
  },
  (t) => [
    primaryKey({ columns: [t.team_id, t.task_id, t.label_id] }),
    index('task_labels_label').on(t.team_id, t.label_id, t.task_id),
  ],
)

export const taskAssignees = table(
  'task_assignees',
  {
    team_id: int('team_id').notNull(),
    task_id: int('task_id')
      .notNull()
      .references(() => tasks.task_id),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    /** Kept as the task is, so that what somebody finished in all their time is passed over. */
    open: bool('open').notNull().default(true),
  },
  (t) => [
    primaryKey({ columns: [t.team_id, t.task_id, t.actor_id] }),
    index('task_assignees_actor').on(t.team_id, t.actor_id, t.open, t.task_id),
  ],
)

/** Who is named in the description, and was told of it. */
export const taskMentions = table(
  'task_mentions',
  {
    team_id: int('team_id').notNull(),
    task_id: int('task_id')
      .notNull()
      .references(() => tasks.task_id),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
  },
  (t) => [primaryKey({ columns: [t.team_id, t.task_id, t.actor_id] })],
)

/** How many tasks with status Normal a column holds, so that no page has to count them. */
export const sectionCounts = table(
  'section_counts',
  {
    team_id: int('team_id').notNull(),
    project_id: int('project_id').notNull(),
    section_id: int('section_id').notNull(),
    tasks: int('tasks').notNull(),
  },
  (t) => [primaryKey({ columns: [t.team_id, t.project_id, t.section_id] })],
)

/**
 * A tie between two tasks, kept once: the first blocks the second, or they are related, in which
 * case the first is the one with the lower id.
 */
export const relations = table(
  'relations',
  {
    relation_id: id('relation_id'),
    team_id: int('team_id').notNull(),
    kind: text('kind').$type<'blocks' | 'related'>().notNull(),
    first_id: int('first_id')
      .notNull()
      .references(() => tasks.task_id),
    second_id: int('second_id')
      .notNull()
      .references(() => tasks.task_id),
    created_by: int('created_by')
      .notNull()
      .references(() => actors.actor_id),
    created_at: time('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('relations_once').on(t.team_id, t.first_id, t.second_id, t.kind),
    index('relations_second').on(t.team_id, t.second_id, t.kind, t.first_id),
  ],
)

/** What a task has in a custom field of its board; which of the columns, the field's type says. */
export const taskFields = table(
  'task_fields',
  {
    team_id: int('team_id').notNull(),
    task_id: int('task_id')
      .notNull()
      .references(() => tasks.task_id),
    custom_field_id: int('custom_field_id')
      .notNull()
      .references(() => customFields.custom_field_id),
    number: real('number'),
    /** Text, the address of a link, a day, the id of an option, `true` or `false`. */
    text: text('text'),
  },
  (t) => [
    primaryKey({ columns: [t.team_id, t.task_id, t.custom_field_id] }),
    index('task_fields_number').on(t.team_id, t.custom_field_id, t.number, t.task_id),
    index('task_fields_text').on(t.team_id, t.custom_field_id, t.text, t.task_id),
  ],
)
