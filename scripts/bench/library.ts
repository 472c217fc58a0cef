import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call } from './call.ts'
import { initiated, openBoards } from './fill.ts'
import { cache, keepRecent, type Server, started } from './servers.ts'
import { chance } from './words.ts'

/** How many boards, pages on each, and sections on each page; a section is one passage. */
export interface Volume {
  boards: number
  pages: number
  sections: number
}

/** Sections of pages, and the titles of the tasks that have them. */
export const passagesIn = ({ boards, pages, sections }: Volume): number =>
  boards * (pages * sections + Math.ceil(pages / PAGES_A_TASK))

interface Made {
  api_key: string
  boards: { project_id: number }[]
  /** A task that pages may be added to, and the title of one that it has. */
  task: string
  title: string
}

export type Library = Made & { folder: string }
type Dice = ReturnType<typeof chance>

const PAGES_A_TASK = 10
const SENTENCES = 10
const WORDS = 13
const AT_ONCE = 8
const LIBRARIES = 2

/** A data folder full of pages, written through the product: made once, and then found again. */
export async function library(binary: string, volume: Volume): Promise<Library> {
  const script = readFileSync(import.meta.path)
  const digest = createHash('sha256').update(script).update(JSON.stringify(volume)).digest('hex')
  const folder = join(cache, `pages-${digest.slice(0, 12)}`)
  const about = join(folder, 'bench.json')
  if (!existsSync(about)) {
    const fresh = join(cache, `fresh-pages-${process.pid}`)
    rmSync(fresh, { recursive: true, force: true })
    const made = await filled(binary, fresh, volume)
    writeFileSync(join(fresh, 'bench.json'), JSON.stringify(made))
    if (!existsSync(about)) renameSync(fresh, folder)
  }
  keepRecent('pages-', folder, LIBRARIES)
  return { folder, ...(JSON.parse(readFileSync(about, 'utf8')) as Made) }
}

export const serving = (binary: string, folder: string, env?: Record<string, string>) =>
  started([binary, 'serve', '--data', folder, '--port', '0'], env)

async function filled(binary: string, folder: string, volume: Volume): Promise<Made> {
  const total = passagesIn(volume)
  console.error(`Filling a database with ${total} passages on ${volume.boards} boards`)
  const began = performance.now()
  const made = initiated(binary, folder)
  const server = await serving(binary, folder)
  try {
    const sizes = Array.from({ length: volume.boards }, () => 0)
    const boards = await openBoards(server.url, made, sizes)
    let at = 0
    let last = { task: '', title: '' }
    const next = async () => {
      for (let board = boards[at++]; board; board = boards[at++])
        last = await write(server, made.api_key, board.project_id, volume)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, next))
    console.error(`Filled in ${((performance.now() - began) / 1000).toFixed(0)} s`)
    return { api_key: made.api_key, boards, ...last }
  } finally {
    await server.stop()
  }
}

async function write({ url }: Server, key: string, project_id: number, volume: Volume) {
  const dice = chance(project_id)
  let task = ''
  let title = ''
  for (let at = 0; at < volume.pages; at++) {
    if (at % PAGES_A_TASK === 0) {
      const made = await call(url, key, 'POST', '/api/v1/tasks', {
        project_id,
        title: dice.words(5),
      })
      task = String(made.ticket_number)
    }
    title = dice.words(4)
    const page = { title, content: pageOf(dice, volume.sections) }
    await call(url, key, 'POST', `/api/v1/tasks/${task}/pages`, page)
  }
  return { task, title }
}

/** Headings over paragraphs of the length of a passage. */
const pageOf = (dice: Dice, sections: number) =>
  Array.from({ length: sections }, () => {
    const sentences = Array.from({ length: SENTENCES }, () => `${dice.words(WORDS)}.`)
    return `## ${dice.words(3)}\n\n${sentences.join(' ')}\n`
  }).join('\n')
