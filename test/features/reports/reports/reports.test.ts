import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { world } from '../../../support/world.ts'

const PAGE = '<style>p { color: red }</style><p>Fine</p><script>alert(1)</script>'

/** Creates a world with a report on its board. */
async function saveReport() {
  const w = await world()
  const { project_id } = w.board
  const report = await w.cleo['reports.create']({
    project_id,
    title: 'Weekly status',
    body_html: PAGE,
  })
  const { seq } = (await w.changes()).at(-1)!
  return { ...w, project_id, report, report_id: report.report_id, seq }
}

test('a report is created, read by number or slug, and listed without its body', async () => {
  const { cleo, bot, project_id, report, report_id, changes } = await saveReport()
  expect(report).toMatchObject({ slug: 'weekly-status', changed: ['title', 'body_html'] })
  const view_url = `http://localhost/reports/${report_id}/view`
  for (const named of [{ report_id }, { project_id, slug: 'weekly-status' }])
    expect(await bot['reports.get'](named)).toMatchObject({
      ...{ report_id, project_id, title: 'Weekly status', body_html: PAGE, view_url },
      ...{ description: null, created_by: { name: 'Cleo' } },
    })
  const { items, page } = await cleo['reports.list']({ project_id })
  expect(page.total).toBe(1)
  expect(items[0]).not.toHaveProperty('body_html')
  const [change] = await changes()
  expect(change).toMatchObject({
    ...{ type: 'report.created', project_id },
    data: { report_id, title: 'Weekly status', slug: 'weekly-status' },
  })
  expect(JSON.stringify(change)).not.toContain('alert')
})

test('a slug is derived from the title, and numbered if it is taken', async () => {
  const { cleo, project_id } = await saveReport()
  const slugOf = async (title: string) => (await cleo['reports.create']({ project_id, title })).slug
  expect(await slugOf('Weekly status')).toBe('weekly-status-2')
  expect(await slugOf('  WEEKLY – Status!')).toBe('weekly-status-3')
  expect(await slugOf('Größe & Crème brûlée')).toBe('grosse-creme-brulee')
  expect(await slugOf('日本語')).toBe('report')
  expect(await slugOf('報告')).toBe('report-2')
  expect(await slugOf('x'.repeat(300))).toBe('x'.repeat(80))
})

test('reports created concurrently with one title get distinct slugs', async () => {
  const { ada, cleo, project_id } = await saveReport()
  const report = await Promise.all(
    [ada, cleo, ada, cleo].map((actor) => actor['reports.create']({ project_id, title: 'Plan' })),
  )
  expect(report.map(({ slug }) => slug).sort()).toEqual(['plan', 'plan-2', 'plan-3', 'plan-4'])
})

test('a report update changes only the fields that differ, and null clears a field', async () => {
  const { cleo, clock, project_id, report_id, changes, seq } = await saveReport()
  clock.advance(60_000)
  const input = { report_id, title: ' Weekly  status ', slug: 'weekly-status', body_html: PAGE }
  expect(await cleo['reports.update'](input)).toMatchObject({
    ...{ changed: [], updated_at: '2026-11-20T12:00:00.000Z' },
  })
  expect(await changes(seq)).toEqual([])
  const update = { report_id, slug: 'status', description: 'What happened', body_html: null }
  expect(await cleo['reports.update'](update)).toMatchObject({
    ...{ changed: ['slug', 'description', 'body_html'], updated_at: '2026-11-20T12:01:00.000Z' },
  })
  const named = { project_id, slug: 'status' }
  expect((await cleo['reports.update']({ ...named, title: 'Status' })).changed).toEqual(['title'])
  expect(await cleo['reports.get'](named)).toMatchObject({
    ...{ title: 'Status', description: 'What happened', body_html: null },
  })
  expect((await cleo['reports.update']({ ...named, description: null })).changed).toEqual([
    'description',
  ])
  expect((await cleo['reports.get'](named)).description).toBe(null)
  expect((await changes(seq)).map(({ type, data }) => [type, data.changed])).toEqual([
    ['report.updated', ['slug', 'description', 'body_html']],
    ['report.updated', ['title']],
    ['report.updated', ['description']],
  ])
})

test('concurrent updates of different fields of a report all apply', async () => {
  const { cleo, ada, report_id } = await saveReport()
  await Promise.all([
    cleo['reports.update']({ report_id, title: 'One' }),
    ada['reports.update']({ report_id, description: 'Two' }),
    cleo['reports.update']({ report_id, body_html: 'Three' }),
  ])
  expect(await ada['reports.get']({ report_id })).toMatchObject({
    ...{ title: 'One', description: 'Two', body_html: 'Three' },
  })
})

test('a slug that another report has is refused with the number of that report', async () => {
  const { cleo, project_id, report_id } = await saveReport()
  const slug = 'weekly-status'
  const second = await faultOf(cleo['reports.create']({ project_id, title: 'X', slug }))
  expect(second).toMatchObject({ code: 'conflict', details: { field: 'slug', report_id } })
  const other = await cleo['reports.create']({ project_id, title: 'Other' })
  const fault = await faultOf(cleo['reports.update']({ report_id: other.report_id, slug }))
  expect(fault.code).toBe('conflict')
})

test('a deleted report is not found', async () => {
  const { cleo, project_id, report_id, changeTypes, seq, http } = await saveReport()
  expect(await cleo['reports.delete']({ project_id, slug: 'weekly-status' })).toMatchObject({
    ...{ report_id, deleted: true },
  })
  expect((await faultOf(cleo['reports.get']({ report_id }))).code).toBe('not_found')
  expect((await http(cleo, 'GET', `/reports/${report_id}/view`)).status).toBe(404)
  expect(await changeTypes(seq)).toEqual(['report.deleted'])
})

test('outsiders and guests do not find a report, and a read-only key cannot change it', async () => {
  const w = await saveReport()
  const { report_id, project_id } = w
  for (const actor of [w.otto, w.gus]) {
    expect((await faultOf(actor['reports.get']({ report_id }))).code).toBe('not_found')
    expect((await faultOf(actor['reports.list']({ project_id }))).code).toBe('not_found')
    expect((await w.http(actor, 'GET', `/reports/${report_id}/view`)).status).toBe(404)
  }
  expect((await w.http(undefined, 'GET', `/reports/${report_id}/view`)).status).toBe(401)
  const reader = await w.authenticateAs(w.cleo.caller.actor_id, 'key', ['projects:read'])
  const change = reader['reports.update']({ report_id, title: 'Mine' })
  expect((await faultOf(change)).code).toBe('forbidden')
})

test('invalid report input is refused with field and code', async () => {
  const { cleo, http, project_id } = await saveReport()
  for (const [body, status, field, code] of [
    [{}, 400, 'title', 'required'],
    [{ title: ' ' }, 400, 'title', 'required'],
    [{ title: 7 }, 400, 'title', 'invalid_type'],
    [{ title: 'x', slug: 'Not A Slug' }, 400, 'slug', 'invalid_format'],
    [{ title: 'x', slug: '../etc' }, 400, 'slug', 'invalid_format'],
    [{ title: 'x', slug: '-x' }, 400, 'slug', 'invalid_format'],
    [{ title: 'x', body_html: 'a\0b' }, 400, 'body_html', 'invalid_format'],
    [{ title: 'x', body_html: 'x'.repeat(1_048_577) }, 400, 'body_html', 'too_long'],
    [{ title: 'x', description: 'x'.repeat(10_001) }, 400, 'description', 'too_long'],
    [{ title: 'x', html: '<p>' }, 400, 'html', 'unknown_field'],
    [{ title: 'x', body_html: 'x'.repeat(7_000_000) }, 413, undefined, undefined],
  ] as const) {
    const answer = await http(cleo, 'POST', `/api/v1/projects/${project_id}/reports`, body)
    const { details } = answer.body
    expect([answer.status, details.field, details.code]).toEqual([status, field, code])
  }
  const fault = await faultOf(cleo['reports.get']({}))
  expect(fault.details).toMatchObject({ field: 'report_id', code: 'required' })
  const other = await faultOf(cleo['reports.get']({ report_id: 1, project_id: 999 }))
  expect(other.details).toMatchObject({ field: 'project_id', code: 'conflict' })
})

test('a report is served unchanged, in a sandbox that runs no scripts', async () => {
  const { cleo, http, report_id } = await saveReport()
  const { status, text, headers } = await http(cleo, 'GET', `/reports/${report_id}/view`)
  expect([status, text]).toEqual([200, PAGE])
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-store',
  })
  const json = await http(cleo, 'GET', `/api/v1/reports/${report_id}`)
  expect(json.headers.get('content-type')).toStartWith('application/json')
  for (const id of ['x', '1e3', '99999999999', '%00'])
    expect((await http(cleo, 'GET', `/reports/${id}/view`)).status).toBe(404)
})
