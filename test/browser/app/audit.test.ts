import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { waitUntil } from '../../support/wait.ts'
import { accessibilityIssues, accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { addColleague } from './colleague.ts'

const entry = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Audit log entries' }).getByRole('button', { name: text })

describe.skipIf(isBrowserSkipped)('the audit log', () => {
  let app: WebApp
  let ada: BrowserSession
  let page: Page
  beforeAll(async () => {
    app = await openWebApp()
    ada = await app.openSession()
    page = ada.page
    await ada.go('/settings/audit')
  })
  afterAll(() => app?.close())

  test('shows new entries live, with the actor, the credential and the changed scopes', async () => {
    await page.getByRole('heading', { name: 'Audit log' }).waitFor()
    expect(await entry(page, 'created the agent Scout').count()).toBe(0)
    const { agent_id } = await app.createAgent({ name: 'Scout' })
    await entry(page, 'Ada created the agent Scout').getByText('with an API key').waitFor()
    await app.http('PATCH', `/api/v1/agents/${agent_id}`, { body: { scopes: ['tasks:read'] } })
    await entry(page, 'Ada changed the agent Scout').click()
    await page.getByRole('definition').filter({ hasText: 'agent.updated' }).waitFor()
    await page.getByText('tasks:read', { exact: true }).waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
  })

  test('is filtered by person, event type and date, and keeps the filter in the URL', async () => {
    await addColleague(app, 'Kim')
    await entry(page, 'Kim joined the team').waitFor()
    await page.getByRole('combobox', { name: 'Person' }).selectOption('Kim')
    await entry(page, 'Ada created the agent Scout').waitFor({ state: 'detached' })
    await entry(page, 'Kim joined the team').waitFor()
    await page.getByRole('combobox', { name: 'Person' }).selectOption('Everybody')
    await page.getByRole('combobox', { name: 'Event type' }).selectOption('Agents')
    await entry(page, 'Kim joined the team').waitFor({ state: 'detached' })
    await entry(page, 'Ada created the agent Scout').waitFor()
    expect(new URL(page.url()).search).toBe('?kind=agent.')
    await page.reload()
    await entry(page, 'Ada created the agent Scout').waitFor()
    await page.getByLabel('to', { exact: true }).fill('2020-01-31')
    await page.getByText('No matching entries.').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await entry(page, 'Kim joined the team').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
  })

  test('renders only the visible entries of a long log, and scrolls to its end', async () => {
    for (let nth = 1; nth <= 30; nth++) {
      const { body } = await app.http('POST', '/api/v1/api-keys', { body: { name: `Key ${nth}` } })
      await app.http('DELETE', `/api/v1/api-keys/${body.data.api_key_id}`)
    }
    await ada.go('/settings/audit')
    await entry(page, 'revoked the API key “Key 30”').waitFor()
    const list = page.getByRole('region', { name: 'Audit log entries' })
    expect(await list.getByRole('article').count()).toBeLessThan(45)
    await list.hover()
    const last = entry(page, 'Ada created the team')
    await waitUntil(async () => {
      await page.mouse.wheel(0, 20_000)
      return (await last.count()) || undefined
    })
  })

  test('shows members only their own entries, and managers a separate personal log', async () => {
    const lee = await addColleague(app, 'Lee')
    await lee.page.goto(`${app.url}/settings/audit`)
    await entry(lee.page, 'Lee joined the team').waitFor()
    expect(await lee.page.getByText('Ada').count()).toBe(0)
    expect(await lee.page.getByRole('navigation', { name: 'Audit logs' }).count()).toBe(0)
    expect(await lee.page.getByRole('combobox', { name: 'Person' }).count()).toBe(0)
    expect(await accessibilityIssues(lee.page)).toEqual([])
    expect(lee.problems).toEqual([])
    await page.getByRole('link', { name: 'Personal' }).click()
    await page.waitForURL('**/settings/audit/own')
    await entry(page, 'Lee joined').waitFor({ state: 'detached' })
    expect(ada.problems).toEqual([])
  })

  test('fits a phone and is accessible', async () => {
    const phone = await app.openSession({ width: 390, height: 844, touch: true, theme: 'dark' })
    await phone.go('/settings/audit')
    await entry(phone.page, 'Lee joined').waitFor()
    expect(await accessibilityIssues(phone.page)).toEqual([])
    expect(phone.problems).toEqual([])
  })
})
