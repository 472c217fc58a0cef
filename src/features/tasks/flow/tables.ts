import { bool, index, int, longId, table, text, time } from '../../../store/columns.ts'
import type { SectionRole } from '../../sections/index.ts'
import { tasks } from '../tables.ts'

/** A row for each time that a task came to a board, changed its column, left, or got done. */
export const taskMoves = table(
  'task_moves',
  {
    move_id: longId('move_id'),
    team_id: int('team_id').notNull(),
    project_id: int('project_id').notNull(),
    task_id: int('task_id')
      .notNull()
      .references(() => tasks.task_id),
    /** Null: it stood in none. Columns are deleted, and what was stays true. */
    from_id: int('from_id'),
    /** Null: it stands in none any more, on another board or put away. */
    to_id: int('to_id'),
    /** Of the column that it came to, as it was then. */
    role: text('role').$type<SectionRole>(),
    /** Whether this is how it got done. */
    completes: bool('completes').notNull(),
    moved_at: time('moved_at').notNull(),
  },
  (t) => [
    index('task_moves_board').on(t.team_id, t.project_id, t.moved_at, t.move_id),
    index('task_moves_task').on(t.team_id, t.task_id, t.role, t.moved_at),
  ],
)
