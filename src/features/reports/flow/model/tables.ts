import { bool, index, int, longId, table, text, time } from '../../../../store/columns.ts'
import type { SectionRole } from '../../../boards/sections/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'

/** One row each time a task enters a board, changes its section, leaves, or is completed. */
export const taskMoves = table(
  'task_moves',
  { exported: 'started again from the current state of the tasks' },
  {
    move_id: longId('move_id'),
    team_id: int('team_id').notNull(),
    project_id: int('project_id').notNull(),
    task_id: int('task_id')
      .notNull()
      .references(() => tasks.task_id),
    /** Null if it came from no section. No foreign key, because the history outlives sections. */
    from_id: int('from_id'),
    /** Null if it left: for another board, or archived or deleted. */
    to_id: int('to_id'),
    /** The role that the target section had at that time. */
    role: text('role').$type<SectionRole>(),
    /** Whether this move completed the task. */
    completes: bool('completes').notNull(),
    moved_at: time('moved_at').notNull(),
  },
  (t) => [
    index('task_moves_board').on(t.team_id, t.project_id, t.moved_at, t.move_id),
    index('task_moves_task').on(t.team_id, t.task_id, t.role, t.moved_at),
  ],
)
