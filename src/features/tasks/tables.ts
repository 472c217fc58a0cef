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
import {
  hasPages,
  isFinished,
  isLeased,
  isRepeating,
  isScheduled,
  isUnleased,
  needsReminder,
  urgencyOf,
} from './conditions.ts'
import { columns } from './fields.ts'
import type { PrBadge } from './rules.ts'

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
    /** The number within the board. `ticket_number` is the board's key and this number. */
    unique_index: int('unique_index').notNull(),
    ticket_number: text('ticket_number').notNull(),
    title: text('title').notNull(),
    description: text('description'),
    content_type: text('content_type').$type<'html' | 'markdown'>().notNull(),
    description_version: int('description_version').notNull(),
    ...columns,
    /** A day or a moment, as the user entered it. */
    due_date: text('due_date'),
    /** The moment after which the task is overdue. */
    due_at: time('due_at'),
    /**
     * The start of a repeating series, as a local day or moment, if the due date does not show it:
     * the 31st in a series that passed February, or an hour that a clock change skipped.
     */
    repeats_from: text('repeats_from'),
    /** The intended local start of a repeated task, if a clock change skipped it. */
    starts_from: text('starts_from'),
    /** My Tasks hides the task until then. */
    snoozed_until: time('snoozed_until'),
    /** Reminders sent: 0 none, 1 due soon, 2 overdue. */
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
    /** When it entered its section. Tasks older than this column have their creation time. */
    section_changed_at: time('section_changed_at'),
    /** Maintained by the features that write the counted rows, so that lists need no counting. */
    comment_count: int('comment_count').notNull().default(0),
    last_comment_at: time('last_comment_at'),
    attachment_count: int('attachment_count').notNull().default(0),
    page_count: int('page_count').notNull().default(0),
    /** The combined state of its pull requests; null if it has none. */
    pr_badge: text('pr_badge').$type<PrBadge>(),
    /** The holder of the last lease. It may have expired, but nobody has ended it. */
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
    // The queue of unleased open tasks of a board. Each task is in exactly one of these two
    // indexes.
    index('tasks_queue_due')
      .on(t.team_id, t.project_id, urgencyOf(t.priority), t.due_at, t.section_id)
      .where(and(isUnleased(t), sql`${t.due_at} is not null`)!),
    index('tasks_queue')
      .on(t.team_id, t.section_id, urgencyOf(t.priority), t.rank)
      .where(and(isUnleased(t), sql`${t.due_at} is null`)!),
    // SQLite counts by a partial index only if it holds every column of the condition.
    index('tasks_taken').on(t.team_id, t.section_id, t.status).where(isLeased(t)),
    index('tasks_reminders').on(t.reminded, t.due_at, t.task_id).where(needsReminder(t)),
    index('tasks_finished')
      .on(t.team_id, t.project_id, t.status, t.updated_at, t.task_id)
      .where(isFinished(t)),
    // Scheduled and repeating tasks, soonest first. The status is constant here, but without it
    // SQLite prefers the index of all due dates.
    index('tasks_coming')
      .on(t.team_id, t.project_id, t.status, t.due_at, t.task_id)
      .where(isScheduled(t)),
    index('tasks_repeating')
      .on(t.team_id, t.project_id, t.status, t.due_at, t.task_id)
      .where(isRepeating(t)),
    index('tasks_paged').on(t.team_id, t.project_id, t.task_id).where(hasPages(t)),
  ],
)

/** Former keys of tasks that moved to another board, which still find them. */
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
    /** A copy of the task's open state, so that queries skip what somebody completed long ago. */
    open: bool('open').notNull().default(true),
  },
  (t) => [
    primaryKey({ columns: [t.team_id, t.task_id, t.actor_id] }),
    index('task_assignees_actor').on(t.team_id, t.actor_id, t.open, t.task_id),
  ],
)

/** The actors who are mentioned in the description and were notified. */
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

/** The number of tasks with status Normal per section, so that pages need no counting. */
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
 * A relation between two tasks, stored once: the first blocks the second, or they are related, in
 * which case the first has the lower id.
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

/**
 * The value of a task in a custom field. The field's type decides which of the two columns holds
 * it.
 */
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
    /** Text, a URL, a day, the id of an option, `true` or `false`. */
    text: text('text'),
  },
  (t) => [
    primaryKey({ columns: [t.team_id, t.task_id, t.custom_field_id] }),
    index('task_fields_number').on(t.team_id, t.custom_field_id, t.number, t.task_id),
    index('task_fields_text').on(t.team_id, t.custom_field_id, t.text, t.task_id),
  ],
)
