import { id, index, int, table, text, time } from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import type { EvidenceKind } from './rules.ts'

export const evidence = table(
  'evidence',
  { exported: true },
  {
    evidence_id: id('evidence_id'),
    team_id: int('team_id').notNull(),
    task_id: int('task_id')
      .notNull()
      .references(() => tasks.task_id),
    kind: text('kind').$type<EvidenceKind>().notNull(),
    summary: text('summary').notNull(),
    url: text('url'),
    /** An attachment of the task; the evidence stays if the attachment is removed. */
    attachment_id: int('attachment_id'),
    created_by: int('created_by')
      .notNull()
      .references(() => actors.actor_id),
    created_at: time('created_at').notNull(),
  },
  (t) => [index('evidence_task').on(t.team_id, t.task_id, t.created_at, t.evidence_id)],
)
