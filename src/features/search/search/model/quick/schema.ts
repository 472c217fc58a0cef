import { type Static, Type as t } from '@sinclair/typebox'
import { fault } from '../../../../../kernel/fault.ts'
import { ProjectId } from '../../../../boards/projects/model/index.ts'

export const QUICK_ROWS = 10
const KINDS = ['task', 'page', 'board', 'person', 'skill'] as const
export type QuickKind = (typeof KINDS)[number]

export const QuickInput = t.Object({
  query: t.String({
    minLength: 1,
    maxLength: 500,
    description: 'Words of a title; the last one may be incomplete',
  }),
  kinds: t.Optional(
    t.String({
      ...{ maxLength: 100, description: `Comma list of ${KINDS.join(', ')}; default all` },
      documented: { pattern: `^(${KINDS.join('|')})( *, *(${KINDS.join('|')}))*$` },
    }),
  ),
  project_id: t.Optional(ProjectId),
  limit: t.Optional(
    t.Integer({ minimum: 1, description: `Rows; default ${QUICK_ROWS}, at most 50` }),
  ),
})

const orNull = t.Union([t.String(), t.Null()])

export const QuickMatch = t.Object(
  {
    kind: t.Union([...KINDS, 'agent' as const].map((kind) => t.Literal(kind))),
    id: t.Union([t.Integer(), t.String()], {
      description: 'task_id, page_id, project_id, user_id or skill_id; agent_id of an agent',
    }),
    title: t.String({ description: 'Title or name' }),
    key: t.Union([t.String(), t.Null()], {
      description: 'Ticket number of a task or of the task of a page, key of a board, slug',
    }),
    board: t.Union([t.String(), t.Null()], { description: 'Title of its board' }),
    project_id: t.Union([t.Integer(), t.Null()]),
    done: t.Boolean({ description: 'The task is done' }),
    url: orNull,
    score: t.Number({ description: 'Relevance, from 0 to 1' }),
  },
  { columns: ['kind', 'key', 'title', 'board', 'url'] },
)
export type QuickMatch = Static<typeof QuickMatch>

export function parseKinds(kinds: string | undefined): ReadonlySet<QuickKind> {
  if (kinds === undefined) return new Set(KINDS)
  const names = kinds.split(',').flatMap((kind) => kind.trim() || [])
  const isKind = (name: string): name is QuickKind => KINDS.some((kind) => kind === name)
  const unknown = names.find((name) => !isKind(name))
  if (unknown !== undefined || !names.length)
    throw fault.invalid(
      'kinds',
      'invalid_format',
      `kinds must be a comma list of ${KINDS.join(', ')}`,
      kinds,
    )
  return new Set(names.filter(isKind))
}
