import { expect, test } from 'bun:test'
import { openManual } from '../../../../src/manual/index.ts'
import { faultOf } from '../../../support/faults.ts'
import { world } from '../../../support/world.ts'

test('help returns four sections of the manual by default, best match first, and logs nothing', async () => {
  const { cleo, bot, changeTypes } = await world()
  const before = (await changeTypes()).length
  const items = await cleo['search.help']({ query: 'How do I restore a backup?' })
  expect(items).toHaveLength(4)
  expect(items[0]).toEqual({
    article: 'Backup and restore',
    heading: 'Restore a backup',
    text: expect.stringContaining('cork restore corkboard-2026-11-21.backup'),
    url: 'http://localhost/docs/manual/backup#restore-a-backup',
    score: expect.any(Number),
  })
  const scores = items.map(({ score }) => score)
  expect(scores).toEqual([...scores].sort((a, b) => b - a))
  expect(await bot['search.help']({ query: 'How do I restore a backup?' })).toEqual(items)
  expect((await changeTypes()).length).toBe(before)
})

test('help returns as many sections as limit says, each with a URL of the manual', async () => {
  const { gus } = await world()
  const items = await gus['search.help']({ query: 'agent webhook token', limit: 12 })
  expect(items).toHaveLength(12)
  const manualUrls = openManual().articles.flatMap(({ name, sections }) =>
    sections.map(({ anchor }) => `http://localhost/docs/manual/${name}${anchor && `#${anchor}`}`),
  )
  for (const { url } of items) expect(manualUrls).toContain(url)
  expect(await gus['search.help']({ query: 'backup', limit: 1 })).toHaveLength(1)
})

test('help without a match returns an empty list and a not_found warning', async () => {
  const { ada, http } = await world()
  for (const query of ['zzqx', 'how do I', '東京 🦊', '???']) {
    const response = await http(
      ada,
      'GET',
      `/api/v1/search/help?query=${encodeURIComponent(query)}`,
    )
    expect([query, response.status, response.body.data]).toEqual([query, 200, []])
    expect(response.body.warnings[0]).toMatchObject({ field: 'query', code: 'not_found' })
  }
})

test('a missing, empty or too long query, a bad limit or an unknown field of help is refused', async () => {
  const { ada, http } = await world()
  const requestHelp = async (query: string) => http(ada, 'GET', `/api/v1/search/help${query}`)
  expect((await requestHelp('')).body.details).toMatchObject({ field: 'query', code: 'required' })
  expect((await requestHelp('?query=')).status).toBe(400)
  expect((await requestHelp('?query=x&limit=0')).body.details).toMatchObject({ field: 'limit' })
  expect((await requestHelp('?query=x&board=1')).body.details).toMatchObject({
    code: 'unknown_field',
  })
  const fault = await faultOf(ada['search.help']({ query: 'word '.repeat(10_000) }))
  expect(fault.details).toMatchObject({ field: 'query', code: 'too_long' })
})

test('links in help sections point to manual pages of this server', async () => {
  const { ada } = await world()
  const sections = await ada['search.help']({ query: 'upgrading to a new version', limit: 10 })
  const text = sections.map((section) => section.text).join()
  expect(text).toContain('](/docs/manual/upgrade)')
  expect(text).not.toMatch(/\]\([\w-]+\.md/)
})
