import { id, index, int, json, table, text, time } from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'

export const decisionRequests = table(
  'decision_requests',
  { exported: true },
  {
    decision_request_id: id('decision_request_id'),
    team_id: int('team_id').notNull(),
    task_id: int('task_id')
      .notNull()
      .references(() => tasks.task_id),
    question: text('question').notNull(),
    options: json<string[]>('options').notNull(),
    note: text('note'),
    /** The deciders; anybody else who can see the board may answer too. */
    asked: json<number[]>('asked').notNull(),
    status: text('status').$type<'pending' | 'answered' | 'cancelled'>().notNull(),
    selected_option: text('selected_option'),
    answer_note: text('answer_note'),
    created_by: int('created_by')
      .notNull()
      .references(() => actors.actor_id),
    created_at: time('created_at').notNull(),
    /** Who answered or cancelled it. */
    closed_by: int('closed_by').references(() => actors.actor_id),
    closed_at: time('closed_at'),
  },
  (t) => [
    index('decision_requests_created').on(t.team_id, t.created_at, t.decision_request_id),
    index('decision_requests_status').on(t.team_id, t.status, t.created_at, t.decision_request_id),
    index('decision_requests_task').on(t.team_id, t.task_id, t.created_at, t.decision_request_id),
  ],
)
