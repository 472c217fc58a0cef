import { inTurn, requestOf } from './client.ts'
import { draftAt } from './drafts.ts'
import type { Facts } from './facts.ts'
import { chance, wordAt } from './words.ts'

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
export const gets = (facts: Facts, every = false) => ofTasks(every ? facts : onOne(facts), '')

/** GET of all that stands around one task of the first board after the other. */
export const contexts = (facts: Facts, query = '') => ofTasks(onOne(facts), `/context${query}`)

function ofTasks(facts: Facts, what: string): () => Buffer {
  const send = (key: string) =>
    requestOf('GET', `/api/v1/tasks/${key}${what}`, { token: facts.api_key })
  return inTurn(keysOf(facts, 1, MANY).map(send))
}

export const ROWS = 50

export const listPath = ({ boards }: Facts, query: string, limit = ROWS) =>
  `/api/v1/tasks?project_id=${boards[0]!.project_id}&limit=${limit}${query}`

/** GET of the same page over and over, but never in the same words: more than 50 is served as 50. */
export function lists(facts: Facts, query = ''): () => Buffer {
  const paths = Array.from({ length: SOME }, (_, at) => listPath(facts, query, ROWS + at))
  return inTurn(paths.map((path) => requestOf('GET', path, { token: facts.api_key })))
}

/** GET of what is next on the first board, in other words each time, as lists are asked for. */
export function nexts({ boards, api_key }: Facts, query = ''): () => Buffer {
  const path = `/api/v1/projects/${boards[0]!.project_id}/next?limit=`
  const ask = (_: unknown, at: number) =>
    requestOf('GET', `${path}${ROWS + at}${query}`, { token: api_key })
  return inTurn(Array.from({ length: SOME }, ask))
}

/** Words that one in thousands of tasks holds. */
export const RARE = { from: 8000, to: 16_000 }

/** A search of the first board for one rare word after the other. */
export function searches({ boards, api_key }: Facts): () => Buffer {
  const { below } = chance(5)
  const path = `/api/v1/search/tasks?board_id=${boards[0]!.project_id}&query=`
  const ask = () => {
    const word = wordAt(RARE.from + below(RARE.to - RARE.from))
    return requestOf('GET', path + word, { token: api_key })
  }
  return inTurn(Array.from({ length: SOME }, ask))
}

/** POST of a comment on one task of the first board after the other. */
export function comments(facts: Facts): () => Buffer {
  const dice = chance(6)
  const send = (key: string) => {
    const body = { text: `<p>${dice.words(20 + dice.below(41))}</p>` }
    return requestOf('POST', `/api/v1/tasks/${key}/comments`, { token: facts.api_key, body })
  }
  return inTurn(keysOf(onOne(facts), 8).map(send))
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
