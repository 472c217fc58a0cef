import { afterAll, expect, test } from 'bun:test'
import { Fault } from '../../src/kernel/fault.ts'
import { Chance } from '../crash/chance.ts'
import { seed } from '../extent.ts'
import { contradictions, type Desk, missing, Story, scribble } from '../pages/scribes.ts'
import { onPostgres } from '../server.ts'
import { ask, initiated, serving, sweep } from './cork.ts'
import { agentOf } from './crew.ts'
import { boardIn } from './writers.ts'

afterAll(sweep)

const WRITERS = 32
const PIECES = 4
const BEGUN = '# Begun'

type Ask = (method: string, path: string, body?: unknown) => ReturnType<typeof ask>

/** The page over HTTP; requests go to the servers in turn. */
function deskOf(asking: Ask, page_id: number): Desk {
  const path = `/api/v1/pages/${page_id}`
  return {
    async write(change) {
      const { status, body } = await asking('PATCH', path, change)
      if (status === 409) throw new Fault('conflict', body.message, body.details)
      if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
      return body.data.version
    },
    async read(version) {
      const { body } = await asking('GET', version ? `${path}?version=${version}` : path)
      return { version: body.data.version, content: body.data.content }
    },
  }
}

async function keptOf(asking: Ask, page_id: number) {
  const rows: { version: number; author: { name: string } }[] = []
  for (let path = `/api/v1/pages/${page_id}/versions?limit=50`, cursor = ''; ; ) {
    const { body } = await asking('GET', cursor ? `${path}&cursor=${cursor}` : path)
    rows.push(...body.data)
    if (!body.page.has_more) break
    cursor = body.page.next_cursor
  }
  const desk = deskOf(asking, page_id)
  const kept = []
  for (const { version, author } of rows.toReversed())
    kept.push({ ...(await desk.read(version)), version, author: author.name })
  return kept
}

test('32 agents writing one page at once lose no text and leave a linear history with authors', async () => {
  const owner = await initiated()
  const { team_id, api_key, data } = owner
  const many = onPostgres ? 3 : 1
  const servers = await Promise.all(Array.from({ length: many }, () => serving(data)))
  let turn = 0
  const as =
    (secret: string): Ask =>
    (method, path, body) =>
      ask(servers[turn++ % many]!.url, secret, method, path, body)
  const ada = as(api_key)
  const project_id = await boardIn(servers[0]!.url, api_key, team_id)
  const { body: task } = await ada('POST', '/api/v1/tasks', { project_id, title: 'Home' })
  const pages = `/api/v1/tasks/${task.data.task_id}/pages`
  const { page_id } = (await ada('POST', pages, { content: BEGUN })).body.data
  const story = new Story()
  const chance = new Chance(seed)
  const names = Array.from({ length: WRITERS }, (_, nth) => `Agent ${nth}`)
  const secrets = await Promise.all(names.map((name) => agentOf(servers[0]!.url, owner, name)))
  const manners = ['replace', 'append', 'prepend'] as const
  const work = names.map((name, nth) => {
    const desk = deskOf(as(secrets[nth]!), page_id)
    return scribble(name, desk, story, chance, { pieces: PIECES, manners })
  })
  await Promise.all(work)
  const kept = await keptOf(ada, page_id)
  const told = `seed ${seed}: ${story.deeds.length} writes by ${WRITERS} at ${many} servers, ${story.conflicts} came too late`
  console.log(`pages: ${told}`)
  expect(contradictions(story, kept, BEGUN).slice(0, 5)).toEqual([])
  expect(missing(story, kept.at(-1)!.content)).toEqual([])
  expect(story.deeds).toHaveLength(WRITERS * PIECES)
  expect(story.conflicts).toBeGreaterThan(0)
  for (const server of servers) expect(await server.end()).toBe(0)
}, 120_000)
