import { expect, test } from 'bun:test'
import { Random } from '../../../crash/random.ts'
import {
  contradictions,
  missingPieces,
  type PageClient,
  type Strategy,
  WriteHistory,
  writePieces,
} from '../../../pages/concurrent-writers.ts'
import { seed } from '../../../support/scale.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const WRITERS = 32
const PIECES = 3
const INITIAL_TEXT = '# Begun'

function clientOf(actor: Actor, page_id: number): PageClient {
  return {
    async write(change) {
      return (await actor['pages.update']({ page_id, ...change })).version
    },
    async read(version) {
      const page = await actor['pages.get']({ page_id, version })
      return { version: page.version, content: page.content }
    },
  }
}

/** Returns every version with its text, oldest first. */
async function readVersions({ ada }: World, page_id: number) {
  const rows = []
  for (let offset = 0; ; offset += 50) {
    const { items, page } = await ada['pages.versions']({ page_id, offset, limit: 50 })
    rows.push(...items)
    if (!page.has_more) break
  }
  const versions = []
  for (const { version, author, note } of rows.toReversed()) {
    const { content } = await ada['pages.get']({ page_id, version })
    versions.push({ version, author: author.name, content, note })
  }
  return versions
}

/** Lets 32 agents write one page concurrently, and checks its history against their writes. */
async function writeConcurrently(strategies: readonly Strategy[]) {
  const w = await world()
  const { task_id } = w.tasks.logo
  const { page_id } = await w.ada['pages.create']({ task_id, content: INITIAL_TEXT })
  const history = new WriteHistory()
  const random = new Random(seed)
  const names = Array.from({ length: WRITERS }, (_, index) => `Agent ${index}`)
  const agents = []
  for (const name of names) agents.push(await w.addAgent(w.team_id, w.cleo, name))
  const writers = agents.map((agent, index) =>
    writePieces(names[index]!, clientOf(agent, page_id), history, random, {
      pieces: PIECES,
      strategies,
    }),
  )
  await Promise.all(writers)
  const versions = await readVersions(w, page_id)
  expect(contradictions(history, versions, INITIAL_TEXT).slice(0, 5)).toEqual([])
  expect(history.writes).toHaveLength(WRITERS * PIECES)
  const newest = versions.at(-1)!
  const updated = (await w.changeTypes()).filter((type) => type === 'page.updated')
  expect(updated).toHaveLength(history.writes.length)
  return { w, page_id, history, newest }
}

test('32 concurrent writers lose no text, whether they merge, append or prepend', async () => {
  const { history, newest } = await writeConcurrently(['replace', 'append', 'prepend'])
  expect(missingPieces(history, newest.content)).toEqual([])
  expect(history.conflicts).toBeGreaterThan(0)
})

test('appends and prepends of 32 concurrent writers never conflict and lose no text', async () => {
  const { history, newest } = await writeConcurrently(['append', 'prepend'])
  expect(missingPieces(history, newest.content)).toEqual([])
  expect(history.conflicts).toBe(0)
})

test('text that a concurrent writer overwrites stays in its version', async () => {
  const { w, page_id, history } = await writeConcurrently(['overwrite', 'append', 'replace'])
  const overwritten = history.writes.find(({ mode }) => mode === 'replace')!
  const read = await w.ada['pages.get']({ page_id, version: overwritten.version })
  expect(read.content).toContain(overwritten.piece)
})

test('of 32 concurrent replacements of one version one succeeds, and the others get its text', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const { page_id } = await w.ada['pages.create']({ task_id, content: INITIAL_TEXT })
  const results = await Promise.allSettled(
    Array.from({ length: WRITERS }, (_, index) =>
      w.cleo['pages.update']({ page_id, content: `Text of ${index}`, if_version: 1 }),
    ),
  )
  const successful = results.flatMap((end, index) =>
    end.status === 'fulfilled' ? [`Text of ${index}`] : [],
  )
  expect(successful).toHaveLength(1)
  const faults = results.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
  for (const { code, details } of faults)
    expect([code, details.field, details.current, details.version]).toEqual([
      ...['conflict', 'if_version', successful[0], 2],
    ])
  expect(faults).toHaveLength(WRITERS - 1)
  expect((await readVersions(w, page_id)).map(({ content }) => content)).toEqual([
    INITIAL_TEXT,
    successful[0]!,
  ])
})
