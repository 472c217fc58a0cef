import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import type { Sizes, TestServer } from '../bench-servers.ts'
import { seededRandom } from '../random.ts'
import { PAGE_SIZE } from '../requests.ts'
import { taskInputAt } from '../task-inputs.ts'
import type { KnownTask, Peer, PeerRequest } from './peer.ts'

/** What each board does in a row. Both sides get the same requests. */
export interface Operation {
  measurement(sizes: Sizes): string
  requests(peer: Peer, fixture: TestServer): PeerRequest[]
  /** Whether the response to the first request is complete. */
  isComplete?(text: string, fixture: TestServer): boolean
}

/** More distinct requests than any cache of a server holds responses. */
const DISTINCT_GETS = 32_768
const DISTINCT_REQUESTS = 4096

const many = <T>(itemAt: (nth: number) => T): T[] =>
  Array.from({ length: DISTINCT_REQUESTS }, (_, nth) => itemAt(nth))

const includesTitles = (text: string, tasks: readonly KnownTask[]) =>
  tasks.every(({ title }) => text.includes(JSON.stringify(title)))

export const OPERATIONS = {
  get: {
    measurement: ({ all }) => `get, random keys of ${all}`,
    requests: (peer, fixture) => randomTasks(fixture, DISTINCT_GETS).map(peer.get),
    isComplete: (text, fixture) => includesTitles(text, randomTasks(fixture, 1)),
  },
  list: {
    measurement: ({ board, all }) => `${PAGE_SIZE} newest, board of ${board} in ${all}`,
    requests: (peer) => many((nth) => peer.list(nth)),
    isComplete: (text, fixture) =>
      rowsOf(text).length === PAGE_SIZE && includesTitles(text, newestTasks(fixture)),
  },
  create: {
    measurement: () => 'create, title and priority',
    requests: (peer, { boards }) => many((nth) => peer.create(taskInputAt(boards[0]!, nth))),
  },
  comment: {
    measurement: () => 'add a comment of 40 words',
    requests(peer, fixture) {
      const { words } = seededRandom(15)
      return randomTasks(fixture, DISTINCT_REQUESTS).map((task) => peer.comment(task, words(40)))
    },
  },
  search: {
    measurement: ({ board, all }) => `search for two words, board of ${board} in ${all}`,
    requests: (peer, fixture) => wordPairs(fixture).map((pair) => peer.search!(pair)),
    isComplete(text, fixture) {
      const found = rowsOf(text).length
      const [pair] = wordPairs(fixture)
      return found > 0 && found <= PAGE_SIZE && pair!.every((word) => text.includes(word))
    },
  },
} satisfies Record<string, Operation>

export type OperationName = keyof typeof OPERATIONS

/** The list in a response, wherever the board puts it. */
function rowsOf(text: string): unknown[] {
  const answer = JSON.parse(text)
  return [answer, answer.items, answer.data].find(Array.isArray) ?? []
}

/** Pairs of a word of the title and one of the text of the same task, so that each finds one. */
const wordPairs = (fixture: TestServer): string[][] =>
  withDatabase(fixture, (database) => {
    const { below } = seededRandom(16)
    const { project_id } = fixture.boards[0]!
    const tasks = database
      .query<{ title: string; description: string }, [number]>(
        'select title, description from tasks where project_id = ? and description is not null',
      )
      .all(project_id)
    const wordOf = (text: string) => {
      const words = text.replaceAll(/<\/?p>/g, '').split(' ')
      return words[below(words.length)]!
    }
    return many(() => {
      const { title, description } = tasks[below(tasks.length)]!
      return [wordOf(title), wordOf(description)]
    })
  })

const TASK = 'select task_id, ticket_number, title from tasks'

const randomTasks = (fixture: TestServer, count: number): KnownTask[] =>
  withDatabase(fixture, (database) => {
    const { below } = seededRandom(14)
    const total = fixture.boards.reduce((sum, { tasks }) => sum + tasks, 0)
    const task = database.query<KnownTask, [number]>(`${TASK} where task_id = ?`)
    return Array.from({ length: count }, () => task.get(1 + below(total))!)
  })

const newestTasks = (fixture: TestServer): KnownTask[] =>
  withDatabase(fixture, (database) =>
    database
      .query<KnownTask, [number, number]>(
        `${TASK} where project_id = ? order by created_at desc limit ?`,
      )
      .all(fixture.boards[0]!.project_id, PAGE_SIZE),
  )

function withDatabase<T>({ data }: TestServer, job: (database: Database) => T): T {
  const database = new Database(join(data, 'corkboard.db'), { readonly: true })
  try {
    return job(database)
  } finally {
    database.close()
  }
}
