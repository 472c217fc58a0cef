import { expect, test } from 'bun:test'
import { Random } from '../../../crash/random.ts'
import {
  contradictions,
  type Desk,
  type Manner,
  missing,
  Story,
  scribble,
} from '../../../pages/scribes.ts'
import { seed } from '../../../support/scale.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const WRITERS = 32
const PIECES = 3
const BEGUN = '# Begun'

function deskOf(actor: Actor, page_id: number): Desk {
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
async function keptOf({ ada }: World, page_id: number) {
  const rows = []
  for (let offset = 0; ; offset += 50) {
    const { items, page } = await ada['pages.versions']({ page_id, offset, limit: 50 })
    rows.push(...items)
    if (!page.has_more) break
  }
  const kept = []
  for (const { version, author, note } of rows.toReversed()) {
    const { content } = await ada['pages.get']({ page_id, version })
    kept.push({ version, author: author.name, content, note })
  }
  return kept
}

/** Lets 32 agents write one page concurrently, and checks its history against their writes. */
async function written(manners: readonly Manner[]) {
  const w = await world()
  const { task_id } = w.tasks.logo
  const { page_id } = await w.ada['pages.create']({ task_id, content: BEGUN })
  const story = new Story()
  const chance = new Random(seed)
  const names = Array.from({ length: WRITERS }, (_, nth) => `Agent ${nth}`)
  const agents = []
  for (const name of names) agents.push(await w.addAgent(w.team_id, w.cleo, name))
  const work = agents.map((agent, nth) =>
    scribble(names[nth]!, deskOf(agent, page_id), story, chance, { pieces: PIECES, manners }),
  )
  await Promise.all(work)
  const kept = await keptOf(w, page_id)
  expect(contradictions(story, kept, BEGUN).slice(0, 5)).toEqual([])
  expect(story.deeds).toHaveLength(WRITERS * PIECES)
  const newest = kept.at(-1)!
  const updated = (await w.changeTypes()).filter((type) => type === 'page.updated')
  expect(updated).toHaveLength(story.deeds.length)
  return { w, page_id, story, newest }
}

test('32 concurrent writers lose no text, whether they merge, append or prepend', async () => {
  const { story, newest } = await written(['replace', 'append', 'prepend'])
  expect(missing(story, newest.content)).toEqual([])
  expect(story.conflicts).toBeGreaterThan(0)
}, 60_000)

test('appends and prepends of 32 concurrent writers never conflict and lose no text', async () => {
  const { story, newest } = await written(['append', 'prepend'])
  expect(missing(story, newest.content)).toEqual([])
  expect(story.conflicts).toBe(0)
}, 60_000)

test('text that a concurrent writer overwrites stays in its version', async () => {
  const { w, page_id, story } = await written(['overwrite', 'append', 'replace'])
  const gone = story.deeds.find(({ mode }) => mode === 'replace')!
  const read = await w.ada['pages.get']({ page_id, version: gone.version })
  expect(read.content).toContain(gone.piece)
}, 60_000)

test('of 32 concurrent replacements of one version one succeeds, and the others get its text', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const { page_id } = await w.ada['pages.create']({ task_id, content: BEGUN })
  const ends = await Promise.allSettled(
    Array.from({ length: WRITERS }, (_, nth) =>
      w.cleo['pages.update']({ page_id, content: `Text of ${nth}`, if_version: 1 }),
    ),
  )
  const won = ends.flatMap((end, nth) => (end.status === 'fulfilled' ? [`Text of ${nth}`] : []))
  expect(won).toHaveLength(1)
  const faults = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
  for (const { code, details } of faults)
    expect([code, details.field, details.current, details.version]).toEqual([
      ...['conflict', 'if_version', won[0], 2],
    ])
  expect(faults).toHaveLength(WRITERS - 1)
  expect((await keptOf(w, page_id)).map(({ content }) => content)).toEqual([BEGUN, won[0]!])
})
