import { Type as t } from '@sinclair/typebox'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { findProject } from '../../../boards/projects/model/index.ts'
import { address } from '../../../tasks/tasks/model/index.ts'
import { boardFilter } from '../model/board-filter.ts'
import { bestPerTask, relatedQuery } from '../model/semantic/related.ts'
import {
  FoundPassage,
  Limit,
  Offset,
  Query,
  RelatedTask,
  ROWS,
  searchFilters,
} from '../model/semantic/schema.ts'
import { addWarnings, readOnlyContext, searchPassages } from '../model/semantic/search-passages.ts'
import { toFoundPassages, visiblePassages } from '../model/semantic/visible-passages.ts'

export const semantic = operation({
  name: 'search.semantic',
  summary: 'Passages that answer a question, from any source, best match first',
  needs: 'tasks:read',
  // The index lags behind the changes.
  dependsOn: [],
  on: {
    rest: 'GET /api/v1/search/semantic',
    mcp: 'svc_search.semantic',
    cli: { usage: 'search semantic <query>', example: "'How do we choose colours?' --limit 5" },
    chat: true,
  },
  input: t.Object({ query: Query, ...searchFilters }),
  output: t.Array(FoundPassage),
  uncached: true,
  async prepare({ query, ...request }, ask) {
    if (!query.trim()) throw fault.invalid('query', 'required', 'query has no search terms', query)
    return searchPassages(ask, { text: query, isQuery: true, ...request }, 'query')
  },
  async run({ project_id, limit = ROWS, offset = 0 }, ctx, result) {
    addWarnings(ctx, result)
    const visible = await visiblePassages(ctx, result.passages, project_id)
    return toFoundPassages(ctx, visible.slice(offset, offset + limit))
  },
})

const MAX_TEXT = 1_048_576

export const related = operation({
  name: 'search.related',
  summary: 'Tasks similar to a task or a text',
  needs: 'tasks:read',
  // The index lags behind the changes.
  dependsOn: [],
  on: {
    rest: [
      'POST /api/v1/search/related',
      'GET /api/v1/search/related',
      'GET /api/v1/tasks/:task/related',
    ],
    mcp: 'svc_search.related',
    cli: { usage: 'search related [task]', example: 'HOM-1' },
    chat: true,
  },
  input: t.Object({
    ...address,
    text: t.Optional(
      t.String({
        minLength: 1,
        maxLength: MAX_TEXT,
        description: 'Text to compare instead of a task; project_id restricts it to a board',
      }),
    ),
    same_board: t.Optional(t.Boolean({ description: 'Only tasks on the board of the task' })),
    board_id: t.Optional({ ...address.project_id, description: 'Alias of project_id' }),
    limit: Limit,
    offset: Offset,
  }),
  output: t.Array(RelatedTask),
  uncached: true,
  async prepare({ limit = ROWS, offset = 0, board_id, ...rest }, ask) {
    const target = { ...rest, ...boardFilter(rest.project_id, board_id) }
    if (board_id !== undefined)
      await ask.read((tx) => findProject(readOnlyContext(ask, tx), board_id, 'board_id'))
    const relatedTo = await relatedQuery(ask, target)
    const result = await searchPassages(
      ask,
      { ...relatedTo, limit: (offset + limit) * 3, isComparable: true },
      'text',
    )
    return { ...relatedTo, found: result }
  },
  async run({ limit = ROWS, offset = 0 }, ctx, { beside, project_id, found: result }) {
    addWarnings(ctx, result)
    const visible = await visiblePassages(ctx, result.passages, project_id)
    const others = visible.filter(({ task }) => task.task_id !== beside)
    return bestPerTask(ctx, others, offset + limit).slice(offset)
  },
})
