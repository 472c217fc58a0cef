import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { type World, world } from '../../../support/world.ts'

async function createPages({ cleo, tasks }: World) {
  const page = async (task: { task_id: number }, title: string, content: string) =>
    (await cleo['pages.create']({ task_id: task.task_id, title, content })).page_id
  return {
    style: await page(tasks.logo, 'Style guide', '# Colours\n\nBlue and white, *never* green.'),
    green: await page(tasks.copy, 'Green', 'Nothing is written here yet.'),
    sail: await page(tasks.copy, 'Sails', '# Cloth\n\nGreen sails, green ropes, green flags.'),
  }
}

test('page search returns each page once, the best match first, with its best passage', async () => {
  const w = await world()
  const { style, sail } = await createPages(w)
  const found = await w.cleo['pages.search']({ query: 'which colours may we use' })
  expect(found[0]).toMatchObject({
    ...{ page_id: style, title: 'Style guide', ticket_number: 'HP-1', version: 1 },
    created_by: { name: 'Cleo' },
  })
  const ids = found.map(({ page_id }) => page_id)
  expect(ids).toHaveLength(new Set(ids).size)
  const [result] = await w.cleo['pages.search']({ query: 'ropes of cloth' })
  expect([result?.page_id, result?.snippet]).toEqual([
    sail,
    'Green sails, green **ropes**, green flags.',
  ])
})

test('a page whose title matches the query comes first', async () => {
  const w = await world()
  const { green, sail, style } = await createPages(w)
  const ids = async (query: string) =>
    (await w.cleo['pages.search']({ query })).map(({ page_id }) => page_id)
  expect((await ids('green'))[0]).toBe(green)
  expect((await ids('green')).toSorted()).toEqual([style, green, sail].toSorted())
  expect((await ids('STYLE guides'))[0]).toBe(style)
})

test('page search omits archived pages, boards without access and, with project_id, other boards', async () => {
  const w = await world()
  const { ada, cleo, otto, gus, team_id, board } = w
  const { green } = await createPages(w)
  const { project_id } = await ada['projects.create']({
    ...{ team_id, title: 'Vault', access: 'invited', sections: [{ title: 'Now' }] },
  })
  const { task_id } = await ada['tasks.create']({ project_id, title: 'Green paint' })
  const secret = await ada['pages.create']({ task_id, title: 'Green', content: 'Secretly green.' })
  const ids = async (actor = ada, overrides = {}) =>
    (await actor['pages.search']({ query: 'green', ...overrides })).map(({ page_id }) => page_id)
  expect(await ids()).toContain(secret.page_id)
  expect(await ids(ada, { project_id })).toEqual([secret.page_id])
  expect(await ids(cleo)).not.toContain(secret.page_id)
  expect(await ids(ada, { project_id: board.project_id })).not.toContain(secret.page_id)
  expect([await ids(otto), await ids(gus)]).toEqual([[], []])
  await cleo['pages.archive']({ page_id: green })
  expect(await ids()).not.toContain(green)
  await cleo['pages.restore']({ page_id: green, version_id: await versions(w, green) })
  expect(await ids()).toContain(green)
})

const versions = async ({ cleo }: World, page_id: number) =>
  (await cleo['pages.versions']({ page_id })).items[0]!.version_id

test('page search returns 10 pages by default, and takes limit and offset, on both routes', async () => {
  const w = await world()
  const { cleo, tasks } = w
  const { task_id } = tasks.domain
  for (let at = 0; at < 14; at++)
    await cleo['pages.create']({ task_id, title: `Port ${at}`, content: 'An anchor and a chain.' })
  for (const path of ['/api/v1/pages/search', '/api/v1/search/pages']) {
    const many = async (overrides = '') => {
      const { body } = await w.http(cleo, 'GET', `${path}?query=anchor${overrides}`)
      return (body.data as unknown[]).length
    }
    expect([await many(), await many('&limit=12'), await many('&limit=2')]).toEqual([10, 12, 2])
    expect([await many('&offset=9'), await many('&limit=3&offset=13')]).toEqual([5, 1])
  }
})

test('without pages:read searches return no page passages, and page search is forbidden', async () => {
  const w = await world()
  await createPages(w)
  const { ada, authenticateAs } = w
  const limited = await authenticateAs(ada.caller.actor_id, 'key', ['tasks:read', 'projects:read'])
  await ada['comments.add']({ task_id: w.tasks.copy.task_id, text: '<p>Green is best</p>' })
  const kinds = async (actor: typeof ada, metadata_filters = {}) => {
    const found = await actor['search.semantic']({ query: 'green', metadata_filters })
    return [...new Set(found.map(({ source }) => source.kind))].sort()
  }
  expect(await kinds(ada)).toContain('page')
  expect(await kinds(limited)).not.toContain('page')
  expect(await kinds(limited)).toContain('comment')
  expect(await kinds(limited, { kind: ['comment', 'page'] })).toEqual(['comment'])
  const search = limited['search.semantic']({ query: 'green', metadata_filters: { kind: 'page' } })
  expect(await faultOf(search)).toMatchObject({ code: 'forbidden' })
  expect(await faultOf(limited['pages.search']({ query: 'green' }))).toMatchObject({
    code: 'forbidden',
  })
  const related = await limited['search.related']({ text: 'green sails, green ropes' })
  expect(related.map(({ kind }) => kind)).not.toContain('page')
})
