import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  badgeOf,
  CHECKS,
  STATES,
} from '../../../../src/features/tasks/pull_requests/model/rules.ts'
import { faultOf } from '../../../support/faults.ts'
import { type World, world } from '../../../support/world.ts'

const URL = 'https://github.com/acme/site/pull/12'

async function badgeOn({ cleo }: Pick<World, 'cleo'>, task_id: number) {
  const record = await cleo['tasks.get']({ task_id })
  if (Array.isArray(record)) throw new Error('Expected one task')
  return record.pr_badge
}

test('a pull request is linked, updated by its URL, listed and deleted', async () => {
  const w = await world()
  const { cleo, bot, tasks, clock, changes } = w
  const { task_id, ticket_number } = tasks.logo
  const created = await bot['pull_requests.create']({
    task_id,
    url: `${URL}/files#diff`,
    title: 'Logo',
  })
  expect(created).toMatchObject({
    ...{ task_id, ticket_number, url: URL, title: 'Logo', state: 'open', checks: 'none' },
    ...{ created: true, changed: ['url', 'title'], pr_badge: 'green' },
  })
  clock.advance(60_000)
  const again = await cleo['pull_requests.create']({ ticket_number, url: URL, checks: 'failing' })
  expect(again).toMatchObject({
    created: false,
    changed: ['checks'],
    pr_badge: 'red',
    title: 'Logo',
  })
  expect(again.pull_request_id).toBe(created.pull_request_id)
  const { items } = await cleo['pull_requests.list']({ task_id })
  expect(items).toMatchObject([
    {
      ...{ url: URL, checks: 'failing', created_by: { kind: 'agent', name: 'Bot' } },
      ...{ created_at: '2026-11-20T12:00:00.000Z', updated_at: '2026-11-20T12:01:00.000Z' },
    },
  ])
  const { pull_request_id } = created
  const deleted = await cleo['pull_requests.delete']({ task_id, pull_request_id })
  expect(deleted).toMatchObject({ deleted: true, pr_badge: null })
  expect(await changes()).toMatchObject([
    { type: 'pull_request.created', task_id, data: { ticket_number, pull_request_id } },
    { type: 'pull_request.updated', data: { changed: ['checks'], before: { checks: 'none' } } },
    { type: 'pull_request.deleted', data: { pull_request_id, state: 'open', checks: 'failing' } },
  ])
})

test('linking again without changes logs nothing, and a link keeps the updated_at of the task', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const link = () => w.cleo['pull_requests.create']({ task_id, url: URL, state: 'open' })
  w.clock.advance(60_000)
  await link()
  const { seq } = (await w.changes()).at(-1)!
  expect((await link()).changed).toEqual([])
  expect(await w.changeTypes(seq)).toEqual([])
  expect(await w.cleo['tasks.get']({ task_id })).toMatchObject({
    ...{ updated_at: '2026-11-20T12:00:00.000Z', pr_badge: 'green' },
  })
})

test('over REST the first link answers 201, a repeated one 200', async () => {
  const { cleo, http } = await world()
  const path = '/api/v1/tasks/HP-1/pull-requests'
  const post = async (body: object) => (await http(cleo, 'POST', path, body)).status
  expect([await post({ url: URL }), await post({ url: URL, state: 'merged' })]).toEqual([201, 200])
  const listed = await http(cleo, 'GET', path)
  expect(listed.body).toMatchObject({ data: [{ state: 'merged' }], page: { total: 1 } })
  const { pull_request_id } = listed.body.data[0]
  expect((await http(cleo, 'DELETE', `${path}/${pull_request_id}`)).status).toBe(200)
  expect((await http(cleo, 'DELETE', `${path}/${pull_request_id}`)).status).toBe(404)
})

test('the badge is red if checks fail or the pull request is closed unmerged, and lists show it', async () => {
  const w = await world()
  const { cleo, board } = w
  const { task_id } = w.tasks.logo
  const link = async (
    n: number,
    state: 'open' | 'merged' | 'closed',
    checks: 'none' | 'pending' | 'failing',
  ) => {
    const url = `https://github.com/acme/site/pull/${n}`
    return (await cleo['pull_requests.create']({ task_id, url, state, checks })).pr_badge
  }
  expect(await link(1, 'merged', 'none')).toBe('merged')
  expect(await link(2, 'open', 'none')).toBe('green')
  expect(await link(2, 'open', 'pending')).toBe('pending')
  expect(await link(2, 'open', 'failing')).toBe('red')
  expect(await link(2, 'closed', 'none')).toBe('red')
  expect(await link(2, 'merged', 'none')).toBe('merged')
  const { items } = await cleo['tasks.list']({ project_id: board.project_id, query: 'logo' })
  expect(items[0]?.pr_badge).toBe('merged')
  expect(await badgeOn(w, w.tasks.copy.task_id)).toBeNull()
})

test('the badge is red if any pull request failed or closed, and merged only if all are merged', () => {
  const one = fc.record({ state: fc.constantFrom(...STATES), checks: fc.constantFrom(...CHECKS) })
  fc.assert(
    fc.property(fc.array(one, { maxLength: 5 }), (all) => {
      const badge = badgeOf(all)
      expect(badge === null).toBe(all.length === 0)
      const bad = all.some(({ state, checks }) => state === 'closed' || checks === 'failing')
      expect(badge === 'red').toBe(bad)
      expect(badgeOf(all.toReversed())).toBe(badge)
      if (badge === 'merged')
        expect(new Set(all.map(({ state }) => state))).toEqual(new Set(['merged']))
    }),
  )
})

test('a pull request URL is normalized, and an unsafe or malformed one is refused', async () => {
  const { cleo, tasks, changeTypes } = await world()
  const { task_id } = tasks.logo
  for (const url of [
    'javascript:alert(1)',
    ' JAVASCRIPT://x/pull/1',
    'data:text/html,x',
    'ftp://x.org/pull/1',
    'https://user:pass@x.org/pull/1',
    'https://',
    'pull/12',
    `https://x.org/?${'ü'.repeat(800)}`,
  ]) {
    const { details } = await faultOf(cleo['pull_requests.create']({ task_id, url }))
    expect([url, details.field, details.code]).toEqual([url, 'url', 'invalid_format'])
  }
  expect(await changeTypes()).toEqual([])
  for (const [input, stored] of [
    [
      'HTTPS://GitLab.com/a/b/-/merge_requests/3/diffs?x=1',
      'https://gitlab.com/a/b/-/merge_requests/3',
    ],
    ['https://example.org/changes?id=7#top', 'https://example.org/changes?id=7'],
  ])
    expect((await cleo['pull_requests.create']({ task_id, url: input! })).url).toBe(stored!)
})

test('invalid pull request input is refused with field and code', async () => {
  const { cleo, http } = await world()
  for (const [body, field, code] of [
    [{}, 'url', 'required'],
    [{ url: 7 }, 'url', 'invalid_type'],
    [{ url: `https://x.org/${'y'.repeat(2000)}` }, 'url', 'too_long'],
    [{ url: URL, state: 'draft' }, 'state', 'out_of_range'],
    [{ url: URL, checks: true }, 'checks', 'invalid_type'],
    [{ url: URL, title: ' ' }, 'title', 'required'],
    [{ url: URL, title: 'x'.repeat(501) }, 'title', 'too_long'],
    [{ url: URL, badge: 'red' }, 'badge', 'unknown_field'],
  ] as const) {
    const answer = await http(cleo, 'POST', '/api/v1/tasks/HP-1/pull-requests', body)
    expect([answer.status, answer.body.details.field, answer.body.details.code]).toEqual([
      ...[400, field, code],
    ])
  }
})

test('a task has at most 50 pull requests', async () => {
  const { cleo, tasks } = await world()
  const { task_id } = tasks.logo
  const link = (n: number) =>
    cleo['pull_requests.create']({ task_id, url: `https://x.org/pull/${n}` })
  for (let n = 1; n <= 50; n++) await link(n)
  expect((await faultOf(link(51))).details.limit).toBe(50)
  expect((await link(50)).created).toBe(false)
})

test('concurrent requests to link one pull request link it once', async () => {
  const { ada, cleo, tasks } = await world()
  const { task_id } = tasks.logo
  const link = (actor: typeof ada) => actor['pull_requests.create']({ task_id, url: URL })
  const results = await Promise.all([ada, cleo, ada, cleo, ada].map(link))
  expect(results.filter(({ created }) => created)).toHaveLength(1)
  expect((await cleo['pull_requests.list']({ task_id })).page.total).toBe(1)
})

test('a script links and updates pull requests; invalid input and outsiders are refused', async () => {
  const w = await world()
  const { project_id } = w.board
  const sync = (update: object) => w.bot['pull_requests.sync']({ project_id, ...update })
  const result = await sync({
    urls: [`${URL}#x`],
    state: 'open',
    title: 'HP-1 and hp-2',
    sha: 'ABCDEF1',
  })
  expect(result.linked).toMatchObject([
    { ticket_number: 'HP-1', state: 'open', changed: ['url', 'state'] },
    { ticket_number: 'HP-2' },
  ])
  const check = { name: 'build', checks: 'failing' }
  const checked = await sync({ sha: 'abcdef1', check, at: '2026-11-20T11:00:00Z' })
  expect(checked.linked.map(({ checks, changed }) => [checks, changed])).toEqual([
    ['failing', ['checks']],
    ['failing', ['checks']],
  ])
  expect(await badgeOn(w, w.tasks.copy.task_id)).toBe('red')
  // A change dated in the future does not block later changes.
  await sync({ urls: [URL], state: 'merged', at: '2999-01-01T00:00:00Z' })
  w.clock.advance(1000)
  const { linked } = await sync({ urls: [URL], state: 'closed' })
  expect(linked.map(({ state }) => state)).toEqual(['closed', 'closed'])
  for (const [update, field, code] of [
    [{ state: 'open' }, 'urls', 'required'],
    [{ state: 'open', urls: [URL, `${URL}3`] }, 'urls', 'conflict'],
    [{ urls: ['javascript:1'] }, 'urls.0', 'invalid_format'],
    [{ urls: [URL], at: 'yesterday' }, 'at', 'invalid_format'],
    [{ urls: [URL], at: '2026-13-45T99:99' }, 'at', 'invalid_format'],
    [{ sha: 'main' }, 'sha', 'invalid_format'],
    [{ check: { name: 'x', checks: 'green' } }, 'check.checks', 'out_of_range'],
    [{ body: 'x'.repeat(65_537) }, 'body', 'too_long'],
  ] as const)
    expect((await faultOf(sync(update))).details).toMatchObject({ field, code })
  const stranger = w.otto['pull_requests.sync']({ project_id, urls: [URL] })
  expect((await faultOf(stranger)).code).toBe('not_found')
})

test('pull requests of a task that the caller cannot see are not found', async () => {
  const { otto, gus, cleo, tasks } = await world()
  const { task_id } = tasks.logo
  const { pull_request_id } = await cleo['pull_requests.create']({ task_id, url: URL })
  for (const actor of [otto, gus])
    for (const call of [
      () => actor['pull_requests.list']({ task_id }),
      () => actor['pull_requests.create']({ task_id, url: URL }),
      () => actor['pull_requests.delete']({ task_id, pull_request_id }),
    ])
      expect((await faultOf(call())).code).toBe('not_found')
  const elsewhere = cleo['pull_requests.delete']({ task_id: tasks.copy.task_id, pull_request_id })
  expect((await faultOf(elsewhere)).details.field).toBe('pull_request_id')
})
