import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { fieldsOf, listOf } from '../../kernel/list.ts'
import { operation } from '../../kernel/operation.ts'
import { findProject } from '../projects/index.ts'
import { chosenBy, pageOfTasks, soughtTasks } from '../tasks/index.ts'
import { suggest } from './hints.ts'
import { placeOf, rankedPage } from './ranked.ts'
import { type Asked, FoundTask, ROWS, TaskSearch } from './schema.ts'
import { shownFound } from './shown.ts'

export const tasks = operation({
  name: 'search.tasks',
  summary: 'Tasks that hold words or fit operators, the best first',
  needs: 'tasks:read',
  on: {
    rest: 'GET /api/v1/search/tasks',
    mcp: 'svc_search.tasks',
    cli: 'search tasks <query>',
    chat: true,
  },
  input: TaskSearch,
  output: listOf(FoundTask),
  async run({ board_id, ...given }, ctx) {
    const input = { limit: ROWS, ...given, ...boardOf(given.project_id, board_id) }
    if (!input.query.trim())
      throw fault.invalid('query', 'required', 'query holds nothing to look for', input.query)
    const withText = fieldsOf(input, FoundTask)?.includes('description') ?? false
    if (board_id !== undefined) await findProject(ctx, board_id, 'board_id')
    const { ids, page, sought } = await found(ctx, input)
    if (page.total === 0) await suggest(ctx, input, sought)
    return { items: await shownFound(ctx, ids, sought, withText), page }
  },
})

/** The best first, unless another order was asked for, or there are no words to be good at. */
async function found(ctx: Context, input: Asked) {
  const isSorted = input.sort !== undefined || input.sort_by !== undefined
  const from = isSorted ? undefined : placeOf(input)
  const sought = await soughtTasks(ctx, input, from?.upto)
  if (sought.hits && !isSorted) return { ...rankedPage(input, sought, from), sought }
  const { rows, page } = await pageOfTasks(ctx, input, chosenBy(sought), false)
  return { ids: rows.map(({ task_id }) => task_id), page, sought }
}

function boardOf(project_id?: number, board_id?: number): { project_id?: number } {
  if (project_id !== undefined && board_id !== undefined && project_id !== board_id)
    throw fault.invalid(
      'board_id',
      'conflict',
      'board_id and project_id name different boards',
      board_id,
      'They mean the same; give one of them',
    )
  const board = project_id ?? board_id
  return board === undefined ? {} : { project_id: board }
}
