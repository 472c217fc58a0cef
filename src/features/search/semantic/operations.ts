import { Type as t } from '@sinclair/typebox'
import { fault } from '../../../kernel/fault.ts'
import { operation } from '../../../kernel/operation.ts'
import { address } from '../../tasks/index.ts'
import { likeness, likeTask } from './related.ts'
import { FoundPassage, Limit, narrowed, Offset, Query, RelatedTask, ROWS } from './schema.ts'
import { passOn, sought } from './seeking.ts'
import { shownPassages, stillSeen } from './shown.ts'

export const semantic = operation({
  name: 'search.semantic',
  summary: 'Passages that answer a question, whatever they are from, the best first',
  needs: 'tasks:read',
  on: {
    rest: 'GET /api/v1/search/semantic',
    mcp: 'svc_search.semantic',
    cli: 'search semantic <query>',
    chat: true,
  },
  input: t.Object({ query: Query, ...narrowed }),
  output: t.Array(FoundPassage),
  lags: true,
  async prepare({ query, ...wanted }, ask) {
    if (!query.trim())
      throw fault.invalid('query', 'required', 'query holds nothing to look for', query)
    return sought(ask, { text: query, ...wanted }, 'query')
  },
  async run({ project_id, limit = ROWS, offset = 0 }, ctx, found) {
    passOn(ctx, found)
    const seen = await stillSeen(ctx, found.passages, project_id)
    return shownPassages(ctx, seen.slice(offset, offset + limit))
  },
})

const MOST_TEXT = 1_048_576

export const related = operation({
  name: 'search.related',
  summary: 'Tasks that are like a task, or like a text',
  needs: 'tasks:read',
  on: {
    rest: [
      'POST /api/v1/search/related',
      'GET /api/v1/search/related',
      'GET /api/v1/tasks/:task/related',
    ],
    mcp: 'svc_search.related',
    cli: 'search related [task]',
    chat: true,
  },
  input: t.Object({
    ...address,
    text: t.Optional(
      t.String({
        minLength: 1,
        maxLength: MOST_TEXT,
        description: 'Instead of a task; on one board with project_id',
      }),
    ),
    limit: Limit,
    offset: Offset,
  }),
  output: t.Array(RelatedTask),
  lags: true,
  async prepare({ limit = ROWS, offset = 0, ...given }, ask) {
    const like = await likeness(ask, given)
    const found = await sought(ask, { ...like, limit: (offset + limit) * 3 }, 'text')
    return { ...like, found }
  },
  async run({ limit = ROWS, offset = 0 }, ctx, { beside, project_id, found }) {
    passOn(ctx, found)
    const seen = await stillSeen(ctx, found.passages, project_id)
    const others = seen.filter(({ task }) => task.task_id !== beside)
    return likeTask(ctx, others, offset + limit).slice(offset)
  },
})
