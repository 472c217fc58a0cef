import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { addColleague } from './colleague.ts'

/** Ada edits a report while an agent changes it; Gil is a guest of her board. */
describe.skipIf(isBrowserSkipped)('editing a report', () => {
  let app: WebApp
  let ada: BrowserSession
  let project_id: number
  let report_id: number
  const fetchReport = async () => (await app.http('GET', `/api/v1/reports/${report_id}`)).body.data

  beforeAll(async () => {
    app = await openWebApp()
    project_id = app.project_id
    const body = { title: 'Week 1', description: 'Old', body_html: '<p>One</p>' }
    const response = await app.http('POST', `/api/v1/projects/${project_id}/reports`, { body })
    report_id = response.body.data.report_id
    // The browser logs every script that it blocks.
    ada = await app.openSession({ ignoredMessages: /^Blocked script execution/ })
  })
  afterAll(() => app?.close())

  test('keeps changes that an agent made meanwhile to fields that were not edited', async () => {
    const { page, go } = ada
    await go(`/reports/${report_id}?edit`)
    await page.getByLabel('Title').fill('Week one')
    const body = { description: 'By the agent' }
    await app.http('PATCH', `/api/v1/reports/${report_id}`, { body })
    await page.getByText('Somebody else changed this').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Week one' }).waitFor()
    expect(await fetchReport()).toMatchObject({ title: 'Week one', description: 'By the agent' })
  })

  test('restores a draft with a notice when the report has changed since', async () => {
    const { page, go } = ada
    await go(`/reports/${report_id}?edit`)
    await page.getByLabel('Title').fill('Mine')
    await go('/reports?of=saved')
    await app.http('PATCH', `/api/v1/reports/${report_id}`, { body: { title: 'Theirs' } })
    await go(`/reports/${report_id}?edit`)
    await page.getByText('Somebody else changed this').waitFor()
    expect(await page.getByLabel('Title').inputValue()).toBe('Mine')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('heading', { name: 'Theirs' }).waitFor()
  })

  test('keeps a draft until it is discarded', async () => {
    const { page, go } = ada
    await go(`/reports/${report_id}?edit`)
    expect(await page.getByLabel('Title').inputValue()).toBe('Mine')
    await page.getByRole('button', { name: 'Discard' }).click()
    expect(await page.getByLabel('Title').inputValue()).toBe('Theirs')
    await page.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' })
    await go(`/reports/${report_id}?edit`)
    expect(await page.getByLabel('Title').inputValue()).toBe('Theirs')
    expect(await page.getByRole('button', { name: 'Discard' }).count()).toBe(0)
  })

  test('invalid URL parameters are ignored in favour of the defaults', async () => {
    const { page, go } = ada
    await go('/reports?of=toString&range=valueOf&by=constructor&from=2026-99-99&to=2026-99-99')
    await page.getByLabel('Grouping').waitFor()
    await go(`/settings/board/${project_id}?of=toString`)
    await page.getByRole('heading', { name: 'Name', exact: true }).waitFor()
    expect(ada.problems).toEqual([])
  })

  test('is not offered to a guest', async () => {
    const gil = await addColleague(app, 'Gil', { role: 'guest' })
    const member = { member_identifier: 'gil@example.com' }
    await app.http('POST', `/api/v1/projects/${project_id}/members`, { body: member })
    await gil.go(`/reports/new?board=${project_id}`)
    await gil.page.getByText('You cannot write a report here').waitFor()
    expect(await gil.page.getByLabel('Title').count()).toBe(0)
  })
})
