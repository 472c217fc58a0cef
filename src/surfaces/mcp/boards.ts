import { Fault, fault } from '../../kernel/fault.ts'
import type { Read } from './reader.ts'

type BoardList = Awaited<ReturnType<typeof listBoards>>
export type Board = BoardList['items'][number]

const PAGE_ROWS = 50

/** The caller's boards, those that the caller changed last first. */
export const listBoards = (read: Read, filters: { query?: string; cursor?: string } = {}) =>
  read('projects.list', { ...filters, sort: 'lastUsedAt', limit: PAGE_ROWS })

/** Finds a board by its key or its project_id. Boards that the caller cannot see do not exist. */
export async function findBoard(read: Read, name: string): Promise<Board> {
  const wanted = name.trim()
  if (/^\d{1,10}$/.test(wanted)) return read('projects.manifest', { project_id: Number(wanted) })
  if (!wanted)
    throw fault.invalid('board', 'required', 'board is required', name, await boardHint(read))
  const found = await boardsWithKey(read, wanted)
  const [board, second] = found
  if (!board)
    throw fault.notFound(
      'board',
      `There is no board ${wanted.slice(0, 50)} that you can see`,
      name,
      await boardHint(read),
    )
  if (second) throw ambiguousKey(wanted, found)
  return board
}

async function boardsWithKey(read: Read, key: string): Promise<Board[]> {
  for (const status of ['Normal', 'Archive'] as const) {
    const filter = { query: key.slice(0, 200), status, limit: PAGE_ROWS }
    const found: Board[] = []
    let cursor: string | null | undefined
    do {
      const { items, page } = await read('projects.list', { ...filter, ...(cursor && { cursor }) })
      found.push(...items.filter((board) => board.key === key.toUpperCase()))
      cursor = page.next_cursor
    } while (cursor)
    if (found.length) return found
  }
  return []
}

/** Titles can be long, and several are shown together. */
const shortTitle = (title: string) =>
  title.length > 60 ? `${title.slice(0, 60).toWellFormed()}…` : title

async function boardHint(read: Read): Promise<string> {
  const { items } = await read('projects.list', { sort: 'lastUsedAt', limit: 5 })
  const names = items.map(({ key, title }) => `${key} (${shortTitle(title)})`).join(', ')
  return names ? `Your boards: ${names}; svc_projects list shows all` : 'You can see no boards yet'
}

const ambiguousKey = (key: string, found: readonly Board[]) =>
  new Fault(
    'ambiguous',
    `Several boards have the key ${key}`,
    { field: 'board', code: 'ambiguous', value: key },
    `Use the project_id: ${found.map(({ project_id, title }) => `${project_id} (${shortTitle(title)})`).join(', ')}`,
  )
