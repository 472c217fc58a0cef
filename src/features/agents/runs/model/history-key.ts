import { type Static, Type as t } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { digest } from '../../../../kernel/dispatch.ts'
import { fault } from '../../../../kernel/fault.ts'
import { MAX_ROWS } from '../../../../kernel/list.ts'
import type { Session } from './schema.ts'

/** The request of a page of sessions. Its history key repeats the same request. */
export const PageRequest = t.Object(
  {
    cursor: t.Optional(t.String({ maxLength: 2000 })),
    limit: t.Optional(t.Integer({ minimum: 1, maximum: MAX_ROWS })),
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
export type PageRequest = Static<typeof PageRequest>

const DIGEST_LENGTH = 8
const int32 = 2_147_483_647
const KeyContent = t.Tuple([
  t.Integer({ minimum: 1, maximum: int32 }),
  PageRequest,
  t.Array(
    t.Tuple([
      t.Integer({ minimum: 1, maximum: int32 }),
      t.String({ minLength: DIGEST_LENGTH, maxLength: DIGEST_LENGTH }),
    ]),
    { maxItems: MAX_ROWS },
  ),
])

/**
 * The state that a history key holds: the request, and for each run its id and a digest. The key
 * contains all of it, so any server can compute what has changed.
 */
export interface KeyState {
  project_id: number
  request: PageRequest
  marks: ReadonlyMap<number, string>
}

const digestOf = (session: Session) => digest(session).slice(0, DIGEST_LENGTH)

export function keyOf(
  project_id: number,
  request: PageRequest,
  sessions: readonly Session[],
): string {
  const marks = sessions.map((session) => [session.run_id, digestOf(session)])
  return Buffer.from(JSON.stringify([project_id, request, marks])).toString('base64url')
}

export function parseKey(key: string, project_id: number): KeyState {
  const parts = partsOf(key)
  if (!Value.Check(KeyContent, parts))
    throw fault.invalid(
      'history_key',
      'invalid_format',
      'history_key does not come from a sessions response',
      key,
    )
  const [board, request, marks] = parts
  if (board !== project_id)
    throw fault.invalid(
      'history_key',
      'conflict',
      'history_key belongs to another board',
      key,
      'Start again without history_key, with prefer=paged=true',
    )
  return { project_id, request, marks: new Map(marks) }
}

/** NUL and lone surrogates, which no key contains. */
const INVALID_CHARACTERS = /\\u(0000|d[89a-f])/i

function partsOf(key: string): unknown {
  const text = Buffer.from(key, 'base64url').toString()
  try {
    return INVALID_CHARACTERS.test(text) ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The sessions that have changed since the key, and the ids of those that have left the page. */
export function changesSince({ marks }: KeyState, sessions: readonly Session[]) {
  const present = new Set(sessions.map(({ run_id }) => run_id))
  return {
    changed: sessions.filter((session) => marks.get(session.run_id) !== digestOf(session)),
    removed: [...marks.keys()].filter((run_id) => !present.has(run_id)),
  }
}
