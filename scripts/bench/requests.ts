import { requestOf, roundRobin } from './client.ts'
import type { Fixture } from './fixture.ts'
import { seededRandom, wordAt } from './random.ts'
import { taskInputAt } from './task-inputs.ts'

/** More distinct requests than any cache of the server holds responses. */
const CACHE_EXCEEDING = 32_768
const DISTINCT_REQUESTS = 4096

/** The fixture reduced to its first board. */
export const firstBoardOf = <F extends Fixture>(fixture: F): F => ({
  ...fixture,
  boards: fixture.boards.slice(0, 1),
})

/** Random keys of tasks, distributed evenly over the tasks of these boards. */
export function ticketKeysOf(
  { boards }: Pick<Fixture, 'boards'>,
  seed: number,
  count = DISTINCT_REQUESTS,
): string[] {
  const { below } = seededRandom(seed)
  const total = boards.reduce((sum, { tasks }) => sum + tasks, 0)
  return Array.from({ length: count }, () => {
    let number = 1 + below(total)
    for (const { key, tasks } of boards) {
      if (number <= tasks) return `${key}-${number}`
      number -= tasks
    }
    throw new Error(`There is no task ${number} after the last board`)
  })
}

/** GET of random tasks, on the first board or on all of them. */
export const gets = (fixture: Fixture, onAllBoards = false) =>
  getsOfTasks(onAllBoards ? fixture : firstBoardOf(fixture), '')

/** GET of the context of random tasks on the first board. */
export const contexts = (fixture: Fixture, query = '') =>
  getsOfTasks(firstBoardOf(fixture), `/context${query}`)

function getsOfTasks(fixture: Fixture, suffix: string): () => Buffer {
  const request = (key: string) =>
    requestOf('GET', `/api/v1/tasks/${key}${suffix}`, { token: fixture.api_key })
  return roundRobin(ticketKeysOf(fixture, 1, CACHE_EXCEEDING).map(request))
}

export const PAGE_SIZE = 50

export const listPath = ({ boards }: Fixture, query: string, limit = PAGE_SIZE) =>
  `/api/v1/tasks?project_id=${boards[0]!.project_id}&limit=${limit}${query}`

/**
 * GET of the same page of a list. Each request has another limit, so that no response comes from a
 * cache; limits above 50 mean 50.
 */
export function lists(fixture: Fixture, query = ''): () => Buffer {
  const paths = Array.from({ length: DISTINCT_REQUESTS }, (_, at) =>
    listPath(fixture, query, PAGE_SIZE + at),
  )
  return roundRobin(paths.map((path) => requestOf('GET', path, { token: fixture.api_key })))
}

/** GET of the next tasks of the first board, with varying limits as in `lists`. */
export function nextTasks({ boards, api_key }: Fixture, query = ''): () => Buffer {
  const path = `/api/v1/projects/${boards[0]!.project_id}/next?limit=`
  const request = (_: unknown, at: number) =>
    requestOf('GET', `${path}${PAGE_SIZE + at}${query}`, { token: api_key })
  return roundRobin(Array.from({ length: DISTINCT_REQUESTS }, request))
}

/** The ranks of rare words: one in thousands of tasks contains such a word. */
export const RARE_WORDS = { from: 8000, to: 16_000 }

/** Searches of the first board, each for a random rare word. */
export function searches({ boards, api_key }: Fixture): () => Buffer {
  const { below } = seededRandom(5)
  const path = `/api/v1/search/tasks?board_id=${boards[0]!.project_id}&query=`
  const request = () => {
    const word = wordAt(RARE_WORDS.from + below(RARE_WORDS.to - RARE_WORDS.from))
    return requestOf('GET', path + word, { token: api_key })
  }
  return roundRobin(Array.from({ length: DISTINCT_REQUESTS }, request))
}

/** POST of comments on random tasks of the first board. */
export function comments(fixture: Fixture): () => Buffer {
  const random = seededRandom(6)
  const request = (key: string) => {
    const body = { text: `<p>${random.words(20 + random.below(41))}</p>` }
    return requestOf('POST', `/api/v1/tasks/${key}/comments`, { token: fixture.api_key, body })
  }
  return roundRobin(ticketKeysOf(firstBoardOf(fixture), 8).map(request))
}

/** POST of tasks, on each board in turn. With `hasDetails` they have text, labels and assignee. */
export function creates({ boards, api_key, people }: Fixture, hasDetails = false): () => Buffer {
  const bodies = Array.from({ length: DISTINCT_REQUESTS }, (_, at) => {
    const board = boards[at % boards.length]!
    const column = { project_id: board.project_id, section_id: board.sections[0] }
    return { ...column, ...taskInputAt(board, at, hasDetails ? people : []) }
  })
  return roundRobin(
    bodies.map((body) => requestOf('POST', '/api/v1/tasks', { token: api_key, body })),
  )
}

/** PATCH of random tasks of the first board. */
export function patches(fixture: Fixture, bodyAt: (at: number) => object): () => Buffer {
  const request = (key: string, at: number) =>
    requestOf('PATCH', `/api/v1/tasks/${key}`, { token: fixture.api_key, body: bodyAt(at) })
  return roundRobin(ticketKeysOf(firstBoardOf(fixture), 3).map(request))
}

/** PATCH of title and priority of random tasks of the first board. */
export const changes = (fixture: Fixture) =>
  patches(fixture, (at) => {
    const { title, priority } = taskInputAt(fixture.boards[0]!, at)
    return { title, priority }
  })
