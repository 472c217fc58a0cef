import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { waitUntil } from '../../support/wait.ts'
import { accessibilityIssues } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

describe.skipIf(isBrowserSkipped)('text typed into a task', () => {
  let app: WebApp
  let agent: Awaited<ReturnType<WebApp['connectAgent']>>
  beforeAll(async () => {
    app = await openWebApp()
    agent = await app.connectAgent('Scout')
  })
  afterAll(() => app?.close())

  const fetchTask = async (id: number) => (await app.http('GET', `/api/v1/tasks/${id}`)).body.data
  const createTask = (title: string, description: string) =>
    app.createTask({ title, description, content_type: 'markdown' })
  const waitForDescription = (id: number, description: string) =>
    waitUntil(async () => (await fetchTask(id)).description === description)

  const descriptionField = (page: Page) => page.getByRole('textbox', { name: 'Description' }).last()

  /** Opens the description for editing, and types at its end. */
  async function appendText(page: Page, expectedText: string) {
    await page.getByRole('button', { name: /^(Edit|Add a description)/ }).click()
    await page.locator('.writing .code:not([hidden])').waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(expectedText)
  }

  test('is saved when the task is closed; a comment is kept as a draft over a reload', async () => {
    const { task_id, ticket_number } = await createTask('Write the speech', 'Dear all,')
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${app.project_id}?task=${ticket_number}`)
    await appendText(page, ' welcome')
    await page.keyboard.press('Escape')
    await page.getByText('Dear all, welcome').waitFor()
    await waitForDescription(task_id, 'Dear all, welcome')
    await page.keyboard.press('m')
    await page.keyboard.type('Half a thought')
    await page.reload()
    const comment = page.getByRole('textbox', { name: 'Comment', exact: true }).last()
    await waitUntil(async () => (await comment.inputValue()) === 'Half a thought')
    expect(await accessibilityIssues(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test('is saved as the title when the task is left, and discarded with Escape', async () => {
    const { task_id, ticket_number } = await app.createTask({ title: 'Invite' })
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${app.project_id}`)
    await page.getByText('Invite').click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Invite everybody')
    await page.goBack()
    await waitUntil(async () => (await fetchTask(task_id)).title === 'Invite everybody')
    await page.goForward()
    await page.getByRole('textbox', { name: 'Title' }).fill('Nobody')
    await page.keyboard.press('Escape')
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Invite everybody')
    expect((await fetchTask(task_id)).title).toBe('Invite everybody')
    expect(ticket_number).toMatch(/^HOM-/)
    expect(problems).toEqual([])
  })

  test('is merged with a concurrent change by an agent, and both are in the history', async () => {
    const { task_id, ticket_number } = await createTask('Set the date', 'June\n\nat noon')
    const { page, problems, go } = await app.openSession()
    await go(`/t/${ticket_number}`)
    await appendText(page, ' in the garden')
    const { lease_id } = (await agent.rest('POST', '/api/mcp/tasks/lease/claim', { ticket_number }))
      .data
    await agent.callTool('svc_tasks', 'update', {
      ...{ ticket_number, lease_id, description: 'July\n\nat noon', content_type: 'markdown' },
    })
    await waitUntil(async () => (await descriptionField(page).textContent())!.startsWith('July'))
    expect(await accessibilityIssues(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await waitForDescription(task_id, 'July\n\nat noon in the garden')

    await page.getByRole('button', { name: 'Earlier versions' }).click()
    const history = page.getByRole('dialog', { name: `Earlier versions of ${ticket_number}` })
    await history.getByRole('button', { name: /Scout/ }).click()
    await history.getByRole('region', { name: 'The text' }).getByText('July').waitFor()
    await history.getByRole('button', { name: 'Show changes' }).click()
    const changed = history.getByRole('region', { name: 'What changed' })
    await changed.locator('del').getByText('June').waitFor()
    await changed.locator('ins').getByText('July').waitFor()
    expect(await changed.getByText('at noon').first().isVisible()).toBe(true)
    expect(await accessibilityIssues(page)).toEqual([])
    await history.getByRole('button', { name: 'Restore this version' }).click()
    await waitForDescription(task_id, 'July\n\nat noon')
    await page.getByRole('button', { name: /^Undo/ }).click()
    await waitForDescription(task_id, 'July\n\nat noon in the garden')
    expect(problems).toEqual([])
  })

  test('is saved completely by a key that is pressed before the next frame', async () => {
    const { task_id, ticket_number } = await createTask('Ring the bell', 'Twice')
    const { page, problems, go } = await app.openSession()
    await go(`/t/${ticket_number}`)
    await appendText(page, '')
    await page.evaluate(async () => {
      let field = document.activeElement!
      while (field.shadowRoot?.activeElement) field = field.shadowRoot.activeElement
      document.execCommand('insertText', false, ', at noon')
      // The editor has only these microtasks to process the first key before the second.
      for (let step = 0; step < 20; step++) await Promise.resolve()
      const keys = { key: 'Enter', ctrlKey: true, bubbles: true, composed: true }
      field.dispatchEvent(new KeyboardEvent('keydown', keys))
    })
    await waitForDescription(task_id, 'Twice, at noon')
    expect(problems).toEqual([])
  })

  test('can be deleted entirely from a description', async () => {
    const { task_id, ticket_number } = await createTask('Fill the lamps', 'With oil')
    const { page, problems, go } = await app.openSession()
    await go(`/t/${ticket_number}`)
    await appendText(page, '')
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await page.keyboard.press('Control+Enter')
    await waitForDescription(task_id, '')
    await page.getByRole('button', { name: /^Add a description/ }).click()
    await page.locator('.writing .code:not([hidden])').waitFor()
    await page.keyboard.type('With wax')
    await page.keyboard.press('Control+Enter')
    await waitForDescription(task_id, 'With wax')
    await page.locator('.description .edit').waitFor()
    expect(problems).toEqual([])
  })

  test('stays in its field when refused, and is saved after the session is restored', async () => {
    const { task_id, ticket_number } = await createTask('Count the guests', 'Forty')
    const { page, context, problems, go } = await app.openSession({
      ignoredMessages: /status of (400|401|413)/,
    })
    await go(`/t/${ticket_number}`)
    await page.getByRole('heading', { name: 'Count the guests' }).waitFor()
    await page.keyboard.press('m')
    await page.locator('.composer .code:not([hidden])').waitFor()
    await page.keyboard.type('<!-- nothing to be seen -->')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('alert').filter({ hasText: 'text must not be empty' }).waitFor()
    const comment = page.getByRole('textbox', { name: 'Comment', exact: true }).last()
    expect(await comment.textContent()).toBe('<!-- nothing to be seen -->')
    expect(await page.locator('[data-comment]').count()).toBe(0)
    const cookies = await context.cookies()
    await appendText(page, '')
    await context.clearCookies()
    await page.keyboard.type(', or so')
    await page
      .getByText(/signed out/i)
      .first()
      .waitFor()
    expect((await fetchTask(task_id)).description).toBe('Forty')
    await context.addCookies(cookies)
    await waitForDescription(task_id, 'Forty, or so')
    expect(problems).toEqual([])
  })
})
