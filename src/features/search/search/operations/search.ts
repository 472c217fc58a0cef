import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { listOf, requestedFields } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { findProject } from '../../../boards/projects/model/index.ts'
import { pageOfTasks, searchTasks, selectionOf } from '../../filters/model/index.ts'
import { parseCursor, rankedPage } from '../model/ranked.ts'
import { FoundTask, ROWS, TaskSearch, type TaskSearchInput } from '../model/schema.ts'
import { suggest } from '../model/suggestions.ts'
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
  async run({ board_id, ...rest }, ctx) {
    const input = { limit: ROWS, ...rest, ...boardFilter(rest.project_id, board_id) }
    if (!input.query.trim())
      throw fault.invalid('query', 'required', 'query has no search terms', input.query)
    const withText = requestedFields(input, FoundTask)?.includes('description') ?? false
    if (board_id !== undefined) await findProject(ctx, board_id, 'board_id')
    const { ids, page, sought: match } = await findTasks(ctx, input)
    if (page.total === 0) await suggest(ctx, input, match)
    return { items: await toFoundTasks(ctx, ids, match, withText), page }
  },
})

/** Ranks by score, unless a sort order was requested or the query has no words. */
async function findTasks(ctx: Context, input: TaskSearchInput) {
  const isSorted = input.sort !== undefined || input.sort_by !== undefined
  const cursor = isSorted ? undefined : parseCursor(input)
  const match = await searchTasks(ctx, input, cursor?.upto)
  if (match.hits && !isSorted) return { ...rankedPage(input, match, cursor), sought: match }
  return { ...(await pageOfTasks(ctx, input, selectionOf(match))), sought: match }
}

function boardFilter(project_id?: number, board_id?: number): { project_id?: number } {
  if (project_id !== undefined && board_id !== undefined && project_id !== board_id)
    throw fault.invalid(
      'board_id',
      'conflict',
      'board_id and project_id name different boards',
      board_id,
      'Both mean the board; send only one',
    )
  const board = project_id ?? board_id
  return board === undefined ? {} : { project_id: board }
}
