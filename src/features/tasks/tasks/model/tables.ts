import { and, sql } from 'drizzle-orm'
import {
  bool,
  id,
  index,
  int,
  primaryKey,
  table,
  text,
  time,
  uniqueIndex,
} from '../../../../store/columns.ts'
import { projects } from '../../../boards/projects/model/index.ts'
import { sections } from '../../../boards/sections/model/index.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { fieldColumns } from '../../fields/model/index.ts'
import {
  hasComments,
  hasPages,
  isFinished,
  isLeased,
  isLessUrgent,
  isRepeating,
  isScheduled,
  isUnleased,
  isUrgent,
  needsReminder,
  type PrBadge,
  type Status,
} from '../../states/model/index.ts'

export const tasks = table(
  'tasks',
  { exported: true },
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
    ...fieldColumns,
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
    status: text('status').$type<Status>().notNull(),
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
    /** Whether it has assignees, so that queues can skip the tasks of others. */
    assigned: bool('assigned').notNull().default(false),
  },
  (t) => [
    uniqueIndex('tasks_ticket').on(t.team_id, t.ticket_number),
    index('tasks_created').on(t.team_id, t.project_id, t.status, t.created_at, t.task_id),
    index('tasks_updated').on(t.team_id, t.project_id, t.status, t.updated_at, t.task_id),
    index('tasks_due').on(t.team_id, t.project_id, t.status, t.due_at, t.task_id),
    index('tasks_priority').on(t.team_id, t.project_id, t.status, t.priority, t.task_id),
    index('tasks_title').on(t.team_id, t.project_id, t.status, t.title, t.task_id),
    index('tasks_order').on(t.team_id, t.section_id, t.status, t.rank, t.task_id, t.project_id),
    index('tasks_creator').on(t.created_by, t.team_id, t.completed_at, t.task_id),
    index('tasks_parent').on(t.team_id, t.parent_task_id),
    // The queue of unleased open tasks of a board. Each task is in exactly one of these four
    // indexes. Without the two columns that are constant here, SQLite prefers other indexes.
    index('tasks_queue_urgent_due')
      .on(t.team_id, t.section_id, t.status, t.leased_by, t.assigned, t.due_at, t.rank, t.task_id)
      .where(and(isUnleased(t), isUrgent(t), sql`${t.due_at} is not null`)!),
    index('tasks_queue_due')
      .on(t.team_id, t.section_id, t.status, t.leased_by, t.assigned, t.due_at, t.rank, t.task_id)
      .where(and(isUnleased(t), isLessUrgent(t), sql`${t.due_at} is not null`)!),
    index('tasks_queue_urgent')
      .on(t.team_id, t.section_id, t.status, t.leased_by, t.assigned, t.rank, t.task_id)
      .where(and(isUnleased(t), isUrgent(t), sql`${t.due_at} is null`)!),
    index('tasks_queue')
      .on(t.team_id, t.section_id, t.status, t.leased_by, t.assigned, t.rank, t.task_id)
      .where(and(isUnleased(t), isLessUrgent(t), sql`${t.due_at} is null`)!),
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
    index('tasks_commented')
      .on(t.team_id, t.project_id, t.status, t.created_at, t.task_id, t.comment_count)
      .where(hasComments(t)),
    index('tasks_paged').on(t.team_id, t.project_id, t.task_id).where(hasPages(t)),
  ],
)

/**
 * Copies of a task's board and status in the rows that link it to something, so that its links can
 * be counted without reading tasks. `updateTask` keeps them up to date.
 */
export const placeColumns = () => ({
  project_id: int('project_id').notNull(),
  status: text('status').$type<Status>().notNull(),
})

/** Former keys of tasks that moved to another board, which still find them. */
export const formerTickets = table(
  'former_tickets',
  { exported: true },
  {
    team_id: int('team_id').notNull(),
    ticket_number: text('ticket_number').notNull(),
    task_id: int('task_id')
      .notNull()
      .references(() => tasks.task_id),
  },
  (t) => [primaryKey({ columns: [t.team_id, t.ticket_number] })],
)

/** The number of tasks with status Normal per section, so that pages need no counting. */
export const sectionCounts = table(
  'section_counts',
  { exported: 'counted again from the tasks' },
  {
    team_id: int('team_id').notNull(),
    project_id: int('project_id').notNull(),
    section_id: int('section_id').notNull(),
    tasks: int('tasks').notNull(),
  },
  (t) => [primaryKey({ columns: [t.team_id, t.project_id, t.section_id] })],
)
