import {
  bool,
  id,
  index,
  int,
  json,
  table,
  text,
  time,
  uniqueIndex,
} from '../../../../store/columns.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import { repositories } from '../../repositories/model/index.ts'
import type { Base } from './merge.ts'

const ofOneServer = {
  exported: 'refers to repositories that are linked on one server',
  unstaged: 'repositories are linked after a team is published',
}

/** The issue of a task. Either side may be missing while it is being created. */
export const issues = table(
  'issues',
  ofOneServer,
  {
    issue_id: id('issue_id'),
    team_id: int('team_id').notNull(),
    repository_id: int('repository_id')
      .notNull()
      .references(() => repositories.repository_id),
    number: int('number'),
    task_id: int('task_id').references(() => tasks.task_id),
    url: text('url'),
    /** Hidden in the text of an issue that is created here, to find it after a crash. */
    mark: text('mark').notNull(),
    /** Set before the issue is created at the host. */
    creating_at: time('creating_at'),
    /** What both sides had when they agreed last. */
    base: json<Base | null>('base'),
    /** Digest of the task and its comments when they were last synchronized. */
    task_digest: text('task_digest'),
    /** Accounts at the host that are assigned there and have no member here. */
    other_assignees: json<string[] | null>('other_assignees'),
    /** Whether the host may have news. */
    check_host: bool('check_host').notNull(),
    /** When the worker handles it; null if there is nothing to do. */
    due_at: time('due_at'),
    /** Counts requests, so that one that arrives meanwhile is noticed. */
    requests: int('requests').notNull(),
    attempts: int('attempts').notNull(),
    error: text('error'),
    /** When the host last changed the issue, as the sweep saw it. */
    host_updated_at: time('host_updated_at'),
    checked_at: time('checked_at'),
  },
  (t) => [
    uniqueIndex('issues_number').on(t.repository_id, t.number),
    uniqueIndex('issues_task').on(t.task_id),
    index('issues_due').on(t.repository_id, t.due_at),
  ],
)

/** The comment of an issue that a comment of its task is. */
export const issueComments = table(
  'issue_comments',
  ofOneServer,
  {
    row_id: id('row_id'),
    team_id: int('team_id').notNull(),
    issue_id: int('issue_id')
      .notNull()
      .references(() => issues.issue_id),
    /**
     * Without a foreign key, so that comments can be deleted before the host knows. Null if it was
     * deleted here or could not be stored; then it is not imported
     * again.
     */
    comment_id: int('comment_id'),
    /** The id at the host; null until it is created there. */
    host_comment_id: text('host_comment_id'),
    mark: text('mark').notNull(),
    /** Digests of the text here and at the host when they agreed last. */
    here: text('here'),
    there: text('there'),
  },
  (t) => [
    uniqueIndex('issue_comments_host').on(t.issue_id, t.host_comment_id),
    uniqueIndex('issue_comments_here').on(t.comment_id),
  ],
)
