import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { undoFromToast } from './boards.ts'
import { waitForToast } from './toasts.ts'

describe.skipIf(isBrowserSkipped)('budgets and pauses', () => {
  let app: WebApp
  let ada: BrowserSession
  let page: Page
  let agent: { agent_id: string; token: string }
  beforeAll(async () => {
    app = await openWebApp()
    // The server refuses an invalid budget with 400.
    ada = await app.openSession({ ignoredMessages: /status of 400/ })
    page = ada.page
    const draft = { team_id: app.team_id, name: 'Scout' }
    const { body } = await app.http('POST', '/api/v1/agents', { body: draft })
    agent = body.data
  })
  afterAll(() => app?.close())

  const agentPath = () => `/api/v1/agents/${agent.agent_id}`
  const fetchAgent = async () => (await app.http('GET', agentPath())).body.data
  const limitsPath = () => `/api/v1/projects/${app.project_id}/limits`
  const fetchLimits = async () => (await app.http('GET', limitsPath())).body.data

  test('the list of agents pauses an agent by keyboard, and shows who paused it', async () => {
    await ada.go('/agents')
    const pause = page.getByRole('switch', { name: 'Pause Scout' })
    await pause.focus()
    await page.keyboard.press('Space')
    await page.getByText(/^Paused by Ada since /).waitFor()
    expect(await pause.isChecked()).toBe(true)
    await waitForToast(page, 'Paused Scout and released its tasks')
    expect((await fetchAgent()).paused).toBe(true)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    // Somebody else resumes it, which the open list shows.
    await app.http('PATCH', agentPath(), { body: { paused: false } })
    await page.getByText(/^Paused by Ada/).waitFor({ state: 'detached' })
    expect(await pause.isChecked()).toBe(false)
  })

  test('the page of an agent shows its budget and what it used, and its run what it cost', async () => {
    const { task_id } = await app.createTask({ title: 'Look for the lamp' })
    const asAgent = (method: string, path: string, body: unknown) =>
      fetch(new URL(path, app.url), {
        method,
        body: JSON.stringify(body),
        headers: { authorization: `Bearer ${agent.token}`, 'content-type': 'application/json' },
      }).then(async (response) => (await response.json()).data)
    const { run_id } = await asAgent('POST', `/api/v1/tasks/${task_id}/runs`, {})
    await asAgent('PATCH', `/api/v1/runs/${run_id}`, {
      ...{ input_tokens: 12_000, output_tokens: 1, cost_usd: 0.25 },
    })
    await ada.go(`/agents/${agent.agent_id}`)
    await page.getByText('US$0.25 used this month').waitFor()
    await page.getByRole('button', { name: 'More about Scout' }).click()
    await page.getByRole('menuitem', { name: /^Edit/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Scout' })
    const budget = dialog.getByRole('textbox', { name: /^Monthly budget/ })
    await budget.fill('much')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog
      .getByRole('alert')
      .getByText(/budget_usd/)
      .waitFor()
    await budget.fill('12.5')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('US$0.25 of US$12.50 used this month').waitFor()
    expect(await page.getByRole('switch', { name: 'Pause Scout' }).count()).toBe(1)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await ada.go(`/runs/${run_id}`)
    await page.getByText(/12,000 input tokens · 1 output token · US\$0\.25/).waitFor()
  })

  test('the settings of a board pause its agents with undo, and set a budget', async () => {
    await ada.go(`/settings/board/${app.project_id}?of=general`)
    const pause = page.getByRole('switch', { name: /^Pause/ })
    await pause.click()
    await page.getByText(/^Paused by Ada since /).waitFor()
    expect((await fetchLimits()).paused).toBe(true)
    await undoFromToast(page, 'Paused the agents on this board')
    await page.getByText(/^Paused by Ada/).waitFor({ state: 'detached' })
    expect((await fetchLimits()).paused).toBe(false)
    const budget = page.getByRole('textbox', { name: /^Monthly budget for agents/ })
    await budget.fill('40')
    await budget.press('Enter')
    await page.getByText('US$0.25 of US$40.00 used this month').waitFor()
    expect((await fetchLimits()).budget_usd).toBe(40)
    await budget.fill('')
    await budget.press('Enter')
    await expectEventually(async () => (await fetchLimits()).budget_usd, null)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    expect(ada.problems).toEqual([])
  })
})
