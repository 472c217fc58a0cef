import { type Static, Type as t } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { digest } from '../../kernel/dispatch.ts'
import { fault } from '../../kernel/fault.ts'
import { MOST_ROWS } from '../../kernel/list.ts'
import type { Session } from './schema.ts'

/** What a page of sessions was asked for with; the key that came with it asks for the same. */
export const Asked = t.Object(
  {
    cursor: t.Optional(t.String({ maxLength: 2000 })),
    limit: t.Optional(t.Integer({ minimum: 1, maximum: MOST_ROWS })),
    offset: t.Optional(t.Integer({ minimum: 0, maximum: 1e9 })),
    query: t.Optional(t.String({ maxLength: 2000 })),
    search: t.Optional(t.String({ maxLength: 2000 })),
    sort: t.Optional(t.String({ maxLength: 2000 })),
    sort_by: t.Optional(t.String({ maxLength: 20 })),
    sort_order: t.Optional(t.Union([t.Literal('asc'), t.Literal('desc')])),
    state: t.Optional(t.String({ maxLength: 20 })),
    agent_id: t.Optional(t.String({ maxLength: 50 })),
  },
  { additionalProperties: false },
)
export type Asked = Static<typeof Asked>

const MARK = 8
const int32 = 2_147_483_647
const Written = t.Tuple([
  t.Integer({ minimum: 1, maximum: int32 }),
  Asked,
  t.Array(
    t.Tuple([
      t.Integer({ minimum: 1, maximum: int32 }),
      t.String({ minLength: MARK, maxLength: MARK }),
    ]),
    { maxItems: MOST_ROWS },
  ),
])

/**
 * A page of sessions as somebody was told it: what was asked, and of each run its number and a
 * digest of how it stood. Everything is in the key, so any server can tell from it what is new.
 */
export interface Told {
  project_id: number
  asked: Asked
  marks: ReadonlyMap<number, string>
}

const markOf = (session: Session) => digest(session).slice(0, MARK)

export function keyOf(project_id: number, asked: Asked, sessions: readonly Session[]): string {
  const marks = sessions.map((session) => [session.run_id, markOf(session)])
  return Buffer.from(JSON.stringify([project_id, asked, marks])).toString('base64url')
}

export function toldBy(key: string, project_id: number): Told {
  const parts = partsOf(key)
  if (!Value.Check(Written, parts))
    throw fault.invalid(
      'history_key',
      'invalid_format',
      'history_key is not one that sessions gave',
      key,
    )
  const [board, asked, marks] = parts
  if (board !== project_id)
    throw fault.invalid(
      'history_key',
      'conflict',
      'history_key was given for another board',
      key,
      'Begin again without history_key, with prefer=paged=true',
    )
  return { project_id, asked, marks: new Map(marks) }
}

/** Characters that no list takes, and so no key holds. */
const UNKEPT = /\\u(0000|d[89a-f])/i

function partsOf(key: string): unknown {
  const text = Buffer.from(key, 'base64url').toString()
  try {
    return UNKEPT.test(text) ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Those that were not told so before, and the numbers of those that are on the page no more. */
export function newsOf({ marks }: Told, sessions: readonly Session[]) {
  const here = new Set(sessions.map(({ run_id }) => run_id))
  return {
    changed: sessions.filter((session) => marks.get(session.run_id) !== markOf(session)),
    removed: [...marks.keys()].filter((run_id) => !here.has(run_id)),
  }
}
