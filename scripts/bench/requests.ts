import { inTurn, requestOf } from './client.ts'
import { draftAt } from './drafts.ts'
import type { Facts } from './fill.ts'
import { chance } from './words.ts'

/** So many that they do not come again while anybody could remember the answer. */
const MANY = 32_768
const SOME = 4096

export const onOne = <F extends Facts>(facts: F): F => ({
  ...facts,
  boards: facts.boards.slice(0, 1),
})

/** Keys of tasks at random, evenly over these boards. */
export function keysOf({ boards }: Pick<Facts, 'boards'>, seed: number, many = SOME): string[] {
  const { below } = chance(seed)
  const total = boards.reduce((sum, { tasks }) => sum + tasks, 0)
  return Array.from({ length: many }, () => {
    let number = 1 + below(total)
    for (const { key, tasks } of boards) {
      if (number <= tasks) return `${key}-${number}`
      number -= tasks
    }
    throw new Error('A number beyond the last task')
  })
}

/** GET of one task after the other, of the first board or of every one. */
export function gets(facts: Facts, every = false): () => Buffer {
  const keys = keysOf(every ? facts : onOne(facts), 1, MANY)
  const send = (key: string) => requestOf('GET', `/api/v1/tasks/${key}`, { token: facts.api_key })
  return inTurn(keys.map(send))
}

export const ROWS = 50

export const listPath = ({ boards }: Facts, query: string, limit = ROWS) =>
  `/api/v1/tasks?project_id=${boards[0]!.project_id}&limit=${limit}${query}`

/** GET of the same page over and over, but never in the same words: more than 50 is served as 50. */
export function lists(facts: Facts, query = ''): () => Buffer {
  const paths = Array.from({ length: SOME }, (_, at) => listPath(facts, query, ROWS + at))
  return inTurn(paths.map((path) => requestOf('GET', path, { token: facts.api_key })))
}

/** POST of one task after the other, board by board. */
export function creates({ boards, api_key, people }: Facts, rich = false): () => Buffer {
  const bodies = Array.from({ length: SOME }, (_, at) => {
    const board = boards[at % boards.length]!
    const place = { project_id: board.project_id, section_id: board.sections[0] }
    return { ...place, ...draftAt(board, at, rich ? people : []) }
  })
  return inTurn(bodies.map((body) => requestOf('POST', '/api/v1/tasks', { token: api_key, body })))
}

/** PATCH of one task of the first board after the other. */
export function patches(facts: Facts, bodyAt: (at: number) => object): () => Buffer {
  const send = (key: string, at: number) =>
    requestOf('PATCH', `/api/v1/tasks/${key}`, { token: facts.api_key, body: bodyAt(at) })
  return inTurn(keysOf(onOne(facts), 3).map(send))
}

export const changes = (facts: Facts) =>
  patches(facts, (at) => {
    const { title, priority } = draftAt(facts.boards[0]!, at)
    return { title, priority }
  })
