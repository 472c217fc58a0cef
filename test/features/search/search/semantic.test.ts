import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

type FoundPassage = Awaited<ReturnType<Actor['search.semantic']>>[number]

/** The results that contain the word. Similar passages without it may follow them. */
const containing = <F extends { text: string }>(found: readonly F[], word: string): F[] =>
  found.filter(({ text }) => text.toLowerCase().includes(word))

const textsOf = (found: readonly { text: string }[]) => found.map(({ text }) => text)

/** Writes a description, a comment and a page about the same subject for one task. */
async function written(w: World) {
  const { ada, cleo, tasks } = w
  const { task_id } = tasks.copy
  await ada['tasks.update']({
    task_id,
    description: '# Harbour\n\nThe ferry leaves at dawn.\n\n## Fares\n\nChildren travel free.',
    content_type: 'markdown',
  })
  const { comment_id } = await cleo['comments.add']({ task_id, text: '<p>The ferry is late.</p>' })
  w.clock.advance(60_000)
  const { page_id, public_id } = await cleo['pages.create']({
    ...{ task_id, title: 'Timetable', content: '# Winter\n\nNo ferry on Sundays.' },
  })
  return { task_id, comment_id, page_id, public_id }
}

test('a passage has its text, score and source, and results are sorted by score', async () => {
  const w = await world()
  const { task_id, comment_id, page_id, public_id } = await written(w)
  const all = await w.cleo['search.semantic']({ query: 'When does the ferry go?' })
  const found = all.slice(0, 3)
  const { project_id } = w.board
  const task = { ticket_number: 'HP-2', task_id, project_id }
  const url = 'http://localhost/t/HP-2'
  const bySource = Object.fromEntries(found.map(({ source }) => [source.kind, source]))
  expect(bySource).toMatchObject({
    description: {
      ...{ ...task, id: task_id, title: 'Write the copy', headings: ['Harbour'], url },
      ...{ author: { name: 'Ada' }, updated_at: '2026-11-20T12:00:00.000Z' },
    },
    comment: {
      ...{ ...task, id: comment_id, title: 'Write the copy', headings: [] },
      ...{ author: { name: 'Cleo' }, url: `${url}#comment-${comment_id}` },
    },
    page: {
      ...{ ...task, id: page_id, title: 'Timetable', headings: ['Winter'] },
      ...{ url: `http://localhost/p/${public_id}`, updated_at: '2026-11-20T12:01:00.000Z' },
    },
  })
  expect(textsOf(found).sort()).toEqual([
    'No ferry on Sundays.',
    'The ferry is late.',
    'The ferry leaves at dawn.',
  ])
  const scores = all.map(({ score }) => score)
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  expect(Math.min(...scores)).toBeGreaterThan(0)
})

test('a task without a description is found by other forms of the words in its title', async () => {
  const { cleo } = await world()
  const [best] = await cleo['search.semantic']({ query: 'mending links' })
  expect([best?.text, best?.source.ticket_number]).toEqual(['Mend the broken link', 'HP-3'])
})

test('a search finds new and edited texts, but no archived page and nothing deleted', async () => {
  const w = await world()
  const { ada, cleo } = w
  const { task_id, comment_id, page_id } = await written(w)
  const ask = async (query: string) =>
    textsOf(containing(await cleo['search.semantic']({ query }), query))
  expect(await ask('ferry')).toHaveLength(3)
  await cleo['comments.update']({ comment_id, text: '<p>The balloon is late.</p>' })
  expect(await ask('balloon')).toEqual(['The balloon is late.'])
  expect(await ask('ferry')).toHaveLength(2)
  await cleo['pages.update']({ page_id, content: 'Nor a zeppelin.', mode: 'append' })
  expect((await ask('zeppelin'))[0]).toContain('Nor a zeppelin.')
  await cleo['pages.archive']({ page_id })
  expect(await ask('zeppelin')).toEqual([])
  await cleo['comments.delete']({ comment_id })
  expect(await ask('balloon')).toEqual([])
  await ada['tasks.update']({ task_id, status: 'Archive' })
  expect(await ask('ferry')).toHaveLength(1)
  await ada['tasks.update']({ task_id, status: 'Deleted' })
  expect(await ask('ferry')).toEqual([])
  await ada['tasks.update']({ task_id, status: 'Normal' })
  expect(await ask('ferry')).toHaveLength(1)
})

test('a moved task is found only by callers who can see its new board', async () => {
  const w = await world()
  const { ada, cleo, tasks, team_id } = w
  await written(w)
  const { project_id } = await ada['projects.create']({
    ...{ team_id, title: 'Vault', access: 'invited', sections: [{ title: 'Now' }] },
  })
  const many = async (actor: Actor, on?: number) =>
    containing(
      await actor['search.semantic']({
        ...{ query: 'ferry', ...(on !== undefined && { project_id: on }) },
      }),
      'ferry',
    ).length
  expect([await many(cleo), await many(ada, w.board.project_id)]).toEqual([3, 3])
  await ada['tasks.move']({ task_id: tasks.copy.task_id, target_project_id: project_id })
  expect([await many(cleo), await many(ada), await many(ada, project_id)]).toEqual([0, 3, 3])
  expect(await many(ada, w.board.project_id)).toBe(0)
  expect(await faultOf(cleo['search.semantic']({ query: 'ferry', project_id }))).toMatchObject({
    code: 'not_found',
  })
  await ada['projects.archive']({ project_id, status: 'Archive' })
  expect([await many(ada), await many(ada, project_id)]).toEqual([0, 3])
})

test('metadata_filters filter passages by kind, label, column, author and last change', async () => {
  const w = await world()
  const { ada, cleo, tasks, sections, labels, bot } = w
  const { task_id } = await written(w)
  await ada['tasks.update']({ task_id, labels: ['bug'], priority: 'High' })
  await bot['comments.add']({ task_id: tasks.link.task_id, text: '<p>Which ferry?</p>' })
  const kinds = async (metadata_filters: Record<string, unknown>) => {
    const { status, body } = await w.http(
      cleo,
      'GET',
      `/api/v1/search/semantic?query=ferry&metadata_filters=${encodeURIComponent(JSON.stringify(metadata_filters))}`,
    )
    const codes = (body.warnings ?? []).map((one: { field: string; code: string }) => [
      one.field,
      one.code,
    ])
    const found = containing(body.data as FoundPassage[], 'ferry')
    const names = found.map(({ source }) => `${source.kind} ${source.ticket_number}`)
    return { status, codes, found: names.sort() }
  }
  const all = ['comment HP-2', 'comment HP-3', 'description HP-2', 'page HP-2']
  const kindsFor = async (filters: Record<string, unknown>) => (await kinds(filters)).found
  expect(await kindsFor({})).toEqual(all)
  expect(await kindsFor({ kind: 'page' })).toEqual(['page HP-2'])
  expect(await kindsFor({ kind: ['comment', 'page'] })).toEqual([all[0]!, all[1]!, all[3]!])
  for (const label of ['bug', 'BUG', labels.bug, ['ui', 'bug']])
    expect(await kindsFor({ label })).toEqual(all)
  expect(await kindsFor({ label: 'ui' })).toEqual([])
  for (const section of ['inbox', sections.Inbox])
    expect(await kindsFor({ section })).toEqual(['comment HP-3'])
  for (const author of ['me', 'Cleo', cleo.caller.actor_id])
    expect(await kindsFor({ author })).toEqual(['comment HP-2', 'page HP-2'])
  expect(await kindsFor({ author: ['Bot', 'ada'] })).toEqual(['comment HP-3', 'description HP-2'])
  expect(await kindsFor({ author: bot.caller.agent_id })).toEqual(['comment HP-3'])
  expect(await kindsFor({ updated_since: '2026-11-20T12:00:30Z' })).toEqual([
    'comment HP-3',
    'page HP-2',
  ])
  expect(await kindsFor({ updated_since: '2026-11-21' })).toEqual([])
  expect(await kindsFor({ kind: 'comment', section: 'Next', author: 'me' })).toEqual([
    'comment HP-2',
  ])
  expect(await kinds({ updated_since: 'lately' })).toEqual({
    ...{ status: 200, found: all },
    codes: [['metadata_filters.updated_since', 'invalid_format']],
  })
  expect(await kinds({ label: 'none such' })).toEqual({
    ...{ status: 200, found: [] },
    codes: [['metadata_filters.label', 'not_found']],
  })
})

test('an unknown key of metadata_filters is refused with a suggestion or the known keys', async () => {
  const w = await world()
  const ask = (metadata_filters: object) =>
    faultOf(w.cleo['search.semantic']({ query: 'ferry', metadata_filters } as never))
  expect(await ask({ labels: 'bug' })).toMatchObject({
    details: { field: 'metadata_filters.labels', code: 'unknown_field' },
    hint: 'Did you mean label?',
  })
  const response = await ask({ colour: 'red' })
  expect(response).toMatchObject({ details: { code: 'unknown_field' } })
  for (const key of ['kind', 'label', 'section', 'author', 'updated_since'])
    expect(response.hint).toContain(key)
  expect(await ask({ kind: 'board' })).toMatchObject({ code: 'invalid' })
})

test('a search returns 10 passages by default and at most 50', async () => {
  const w = await world()
  const { cleo, tasks } = w
  for (let at = 0; at < 60; at++)
    await cleo['comments.add']({ task_id: tasks.logo.task_id, text: `<p>Anchor ${at} holds</p>` })
  const many = async (overrides: object) =>
    (await cleo['search.semantic']({ query: 'anchor', ...overrides })).length
  expect([await many({}), await many({ limit: 3 }), await many({ limit: 50 })]).toEqual([10, 3, 50])
  const { body } = await w.http(cleo, 'GET', '/api/v1/search/semantic?query=anchor&limit=51')
  expect([(body.data as unknown[]).length, body.warnings]).toEqual([
    50,
    [expect.objectContaining({ field: 'limit', code: 'out_of_range' })],
  ])
})

test('queries in any script get results; empty and too long ones are refused with the field', async () => {
  const w = await world()
  const { cleo, tasks } = w
  const { task_id } = tasks.copy
  for (const text of ['港口的渡轮', 'Паром отходит', '🛥️ rocks', 'to be or not to be'])
    await cleo['comments.add']({ task_id, text, content_type: 'markdown' })
  const first = async (query: string) =>
    (await cleo['search.semantic']({ query, metadata_filters: { kind: 'comment' } }))[0]?.text
  expect(await first('渡轮')).toBe('港口的渡轮')
  expect(await first('паром')).toBe('Паром отходит')
  expect(await first('to be')).toBe('to be or not to be')
  for (const query of ['🛥️', '"', '((', ':::', '\u200b', 'a'.repeat(2000), 'no such wording'])
    await cleo['search.semantic']({ query })
  for (const query of ['', '   ', 'word '.repeat(10_000)])
    expect((await faultOf(cleo['search.semantic']({ query }))).details).toMatchObject({
      field: 'query',
    })
})

test('an empty result is not cached: the same search finds what is indexed later', async () => {
  const w = await world()
  const state = { isFull: false }
  const originalSearch = w.searchIndex.search
  w.searchIndex.search = (question) =>
    state.isFull ? originalSearch(question) : Promise.resolve([])
  const { cleo } = w
  expect(await cleo['search.semantic']({ query: 'logo' })).toEqual([])
  state.isFull = true
  expect(await cleo['search.semantic']({ query: 'logo' })).toHaveLength(1)
})

test('a search warns while the index is building, and responds 503 when it is unavailable', async () => {
  const w = await world()
  const ask = () => w.http(w.cleo, 'GET', '/api/v1/search/semantic?query=logo')
  w.searchIndex.isBuilding = () => true
  const { status, body } = await ask()
  expect([status, (body.data as unknown[]).length, body.warnings]).toEqual([
    ...[200, 1],
    [expect.objectContaining({ field: 'query', code: 'index_building' })],
  ])
  w.searchIndex.search = () => Promise.reject(Object.assign(new Error('Busy'), { name: 'Unready' }))
  const afterRecovery = await ask()
  expect([afterRecovery.status, afterRecovery.body.message]).toEqual([
    503,
    'The search index is temporarily unavailable',
  ])
  expect(afterRecovery.body.hint).toContain('GET /api/v1/search/tasks')
})
