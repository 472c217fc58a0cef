import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { call } from './api.ts'
import { createBoards, initDataFolder } from './fill.ts'
import { waitUntilIndexed } from './indexed.ts'
import { type Random, seededRandom } from './random.ts'
import { cachedFolder, type Server, serveFolder } from './servers.ts'

/** The numbers of boards, of pages on each board, and of sections (passages) on each page. */
export interface PageFixtureSize {
  boards: number
  pages: number
  sections: number
}

/** The number of passages: the sections of all pages, and the titles of the pages' tasks. */
export const passageCountOf = ({ boards, pages, sections }: PageFixtureSize): number =>
  boards * (pages * sections + Math.ceil(pages / PAGES_PER_TASK))

interface CreatedPages {
  api_key: string
  boards: { project_id: number }[]
  /** The key of a task to which pages may be added. */
  task: string
  /** The title of a page of that task. */
  title: string
}

export type PageFixture = CreatedPages & { folder: string }

const PAGES_PER_TASK = 10
const SENTENCES = 10
const WORDS = 13
const CONCURRENT_BOARDS = 8
const MAX_FIXTURES = 2

/**
 * Returns a data folder with many pages, which are created through the API. It is created once and
 * then reused.
 */
export async function preparePageFixture(
  binary: string,
  size: PageFixtureSize,
): Promise<PageFixture> {
  const script = readFileSync(import.meta.path)
  const digest = createHash('sha256').update(script).update(JSON.stringify(size)).digest('hex')
  return cachedFolder(
    { kind: 'pages', digest: digest.slice(0, 12), maxEntries: MAX_FIXTURES },
    (folder) => createAllPages(binary, folder, size),
  )
}

async function createAllPages(
  binary: string,
  folder: string,
  size: PageFixtureSize,
): Promise<CreatedPages> {
  console.error(`Filling a database with ${passageCountOf(size)} passages on ${size.boards} boards`)
  const startedAt = performance.now()
  const { api_key, team_id } = initDataFolder(binary, folder)
  const server = await serveFolder(binary, folder)
  try {
    const taskCounts = Array.from({ length: size.boards }, () => 0)
    const boards = await createBoards(server.url, { api_key, team_id }, taskCounts)
    let next = 0
    let last = { task: '', title: '' }
    const work = async () => {
      for (let board = boards[next++]; board; board = boards[next++])
        last = await createPages(server, api_key, board.project_id, size)
    }
    await Promise.all(Array.from({ length: CONCURRENT_BOARDS }, work))
    await waitUntilIndexed({ ...server, api_key })
    console.error(`Filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
    return { api_key, boards, ...last }
  } finally {
    await server.stop()
  }
}

/** Creates the pages of a board. Returns the last page's title and the key of its task. */
async function createPages(
  { url }: Server,
  key: string,
  project_id: number,
  size: PageFixtureSize,
) {
  const random = seededRandom(project_id)
  let task = ''
  let title = ''
  for (let at = 0; at < size.pages; at++) {
    if (at % PAGES_PER_TASK === 0) {
      const input = { project_id, title: random.words(5) }
      task = String((await call(url, key, 'POST', '/api/v1/tasks', input)).ticket_number)
    }
    title = random.words(4)
    const page = { title, content: pageContent(random, size.sections) }
    await call(url, key, 'POST', `/api/v1/tasks/${task}/pages`, page)
  }
  return { task, title }
}

/** Markdown with sections of the length of a passage. */
const pageContent = (random: Random, sections: number) =>
  Array.from({ length: sections }, () => {
    const sentences = Array.from({ length: SENTENCES }, () => `${random.words(WORDS)}.`)
    return `## ${random.words(3)}\n\n${sentences.join(' ')}\n`
  }).join('\n')
