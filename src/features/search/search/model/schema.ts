import { type Static, Type as t } from '@sinclair/typebox'
import { listInput } from '../../../../kernel/list.ts'
import { TaskRow } from '../../../tasks/records/model/index.ts'
import { fieldOperatorNames, TASK_SORTS, taskFilters, taskSort } from '../../filters/model/index.ts'

export const ROWS = 10

const { project_id, section, status, priority, assigned_to, has_due_date, filter } = taskFilters

const Query = t.String({
  minLength: 1,
  maxLength: 2000,
  description:
    'Words, "a phrase", -without, OR, beg*, and operators: is:open|done|archived|overdue|blocked|blocking|snoozed ' +
    'has:due|pr|attachment|comment assignee: by: label: section: board: ' +
    `${fieldOperatorNames.map((name) => `${name}:`).join(' ')} due:<=2026-12-01|today|week ` +
    'created:>7d updated: completed: moved: commented:',
})

export const TaskSearch = t.Object({
  ...listInput({}, TASK_SORTS).properties,
  project_id,
  section,
  status,
  priority,
  assigned_to,
  has_due_date,
  filter,
  board_id: t.Optional({ ...project_id, description: 'Alias of project_id' }),
  query: Query,
  sort: t.Optional({
    ...taskSort,
    description: 'field, field:asc or field:desc; default: by score',
  }),
  limit: t.Optional(t.Integer({ minimum: 1, description: 'Rows; default 10, at most 50' })),
})
/** The input with aliases and defaults resolved. */
export type TaskSearchInput = Omit<Static<typeof TaskSearch>, 'board_id'> & { limit: number }

export const FoundTask = t.Object(
  {
    ...TaskRow.properties,
    score: t.Number({ description: 'Relevance; 0 if the query has no words' }),
    snippet: t.Union([t.String(), t.Null()], {
      description: 'Matching passage, with matches between **',
    }),
    partial: t.Boolean({
      description: 'Not all words match exactly, or they are in a comment, page or file',
    }),
  },
  { columns: [...TaskRow.columns, 'snippet'], omits: TaskRow.omits },
)
export type FoundTask = Static<typeof FoundTask>
