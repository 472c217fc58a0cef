import { fault } from '../../../../kernel/fault.ts'
import { listOf, requestedFields } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { findProject } from '../../../boards/projects/model/index.ts'
import { boardFilter } from '../model/board-filter.ts'
import { findTasks } from '../model/find-tasks.ts'
import { ENOUGH_MATCHES, MAX_PARTIAL } from '../model/partial.ts'
import { FoundTask, ROWS, TaskSearch } from '../model/schema.ts'
import { toFoundTasks } from '../model/task-rows.ts'

export const tasks = operation({
  name: 'search.tasks',
  summary: 'Search tasks by words and operators, best match first',
  needs: 'tasks:read',
  dependsOn: ['task', 'section', 'label'],
  on: {
    rest: 'GET /api/v1/search/tasks',
    mcp: 'svc_search.tasks',
    cli: { usage: 'search tasks <query>', example: "'label:bug is:open'" },
    chat: true,
  },
  input: TaskSearch,
  output: listOf(FoundTask),
  // Partial matches are from an index that lags behind the changes.
  uncached: ({ total }) => total !== null && total < ENOUGH_MATCHES + MAX_PARTIAL,
  async run({ board_id, ...rest }, ctx) {
    const input = { limit: ROWS, ...rest, ...boardFilter(rest.project_id, board_id) }
    if (!input.query.trim())
      throw fault.invalid('query', 'required', 'query has no search terms', input.query)
    const withText = requestedFields(input, FoundTask)?.includes('description') ?? false
    if (board_id !== undefined) await findProject(ctx, board_id, 'board_id')
    const found = await findTasks(ctx, input)
    return { items: await toFoundTasks(ctx, found, withText), page: found.page }
  },
})
