import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onPostgres } from '../support/postgres.ts'
import { waitUntil } from '../support/wait.ts'
import { cleanUp, createFolder, type RunningServer, sendRequest } from './cork.ts'
import { exportLines, exportText } from './export-lines.ts'
import { createInstallation, type Installation } from './installation.ts'

afterAll(cleanUp)

const indexPath = ({ data }: Installation) => join(data, 'search.db')

/** The metrics of a server about its index. */
async function readMetrics({ url }: RunningServer): Promise<Record<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith('cork_search_'))
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', value] = line.split(' ')
      return [name.slice('cork_search_'.length), Number(value)]
    }),
  )
}

const waitForIndex = (server: RunningServer): Promise<Record<string, number>> =>
  waitUntil(async () => {
    const metrics = await readMetrics(server)
    return metrics.building === 0 && metrics.lag === 0 && metrics
  })

const search = async ({ url }: RunningServer, key: string, query: string) =>
  (await sendRequest(url, key, 'GET', `/api/v1/search/semantic?query=${encodeURIComponent(query)}`))
    .body.data

const doctor = async (installation: Installation) =>
  (await installation.run(['doctor'])).out.split('\n').find((line) => line.includes('search index'))

/** A team with that many imported tasks, before a server has run. */
async function importTasks(count: number) {
  const installation = await createInstallation()
  const credentials = await installation.init()
  const exportFile = join(createFolder(), 'team.jsonl')
  writeFileSync(exportFile, exportText(exportLines(count)))
  await installation.runJson(['import', exportFile])
  return { ...installation, ...credentials }
}

/** The lowest source id of an index; a rebuilt index gives every source a higher one. */
function lowestSourceId(installation: Installation): number {
  const db = new Database(indexPath(installation), { readonly: true })
  const { low } = db.query<{ low: number }, []>('SELECT min(source) AS low FROM sources').get()!
  db.close()
  return low
}

test('metrics and cork doctor report the state of the index, and cork reindex rebuilds it', async () => {
  const installation = await importTasks(120)
  expect(await doctor(installation)).toContain(
    'ok       search index: is built when the server starts',
  )
  const server = await installation.serve()
  const metrics = await waitForIndex(server)
  expect(metrics).toMatchObject({ building: 0, lag: 0, seconds_count: 0 })
  expect(metrics.passages).toBeGreaterThan(120)
  expect(metrics.bytes).toBeGreaterThan(10_000)
  expect((await search(server, installation.api_key, 'task')).length).toBeGreaterThan(0)
  expect(await readMetrics(server)).toMatchObject({ seconds_count: 1 })
  expect(await doctor(installation)).toContain(
    `ok       search index: has ${metrics.passages} passages and is up to date`,
  )

  const before = lowestSourceId(installation)
  await installation.runJson(['reindex'])
  for (let tries = 0; tries < 200 && !(lowestSourceId(installation) > before); tries++)
    await Bun.sleep(25)
  expect(lowestSourceId(installation)).toBeGreaterThan(before)
  expect((await waitForIndex(server)).passages).toBe(metrics.passages!)
  expect((await search(server, installation.api_key, 'task')).length).toBeGreaterThan(0)
  expect(await server.end()).toBe(0)

  writeFileSync(indexPath(installation), 'no database at all, '.repeat(500))
  expect(await doctor(installation)).toContain('warning  search index:')
  await installation.runJson(['reindex'])
  expect(existsSync(indexPath(installation))).toBe(false)
})

test('a server stopped while it builds its index ends soon and continues at the next start', async () => {
  const installation = await importTasks(3000)
  const first = await installation.serve()
  for (let tries = 0; tries < 800; tries++) {
    const { passages = 0 } = await readMetrics(first)
    if (passages) break
    await Bun.sleep(5)
  }
  const startedAt = performance.now()
  expect(await first.end()).toBe(0)
  expect(performance.now() - startedAt).toBeLessThan(9_000)
  expect(await first.err()).not.toContain('"level":50')
  const second = await installation.serve()
  expect((await waitForIndex(second)).passages).toBeGreaterThan(3000)
  expect(await second.end()).toBe(0)
}, 180_000)

test.if(onPostgres)('servers that share a data folder each have their own index', async () => {
  const installation = await importTasks(30)
  const [first, second] = await Promise.all([installation.serve(), installation.serve()])
  const both = await Promise.all([waitForIndex(first), waitForIndex(second)])
  expect(both[0].passages).toBe(both[1].passages!)
  for (const server of [first, second])
    expect((await search(server, installation.api_key, 'task')).length).toBeGreaterThan(0)
  const secondIndex = join(installation.data, 'search-2.db')
  expect(statSync(secondIndex).size).toBeGreaterThan(0)
  expect(await Promise.all([first.end(), second.end()])).toEqual([0, 0])
  rmSync(secondIndex)
})
