import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { waitUntil } from '../../support/wait.ts'
import { layoutShiftOf } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

describe.skipIf(isBrowserSkipped)('a task that is opened', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  const boardPath = () => `/projects/${app.project_id}`
  const priorityOf = async (id: number) =>
    (await app.http('GET', `/api/v1/tasks/${id}`)).body.data.priority

  test('loads without layout shift, and fetches the editor only when somebody writes', async () => {
    const { task_id, ticket_number } = await app.createTask({
      ...{ title: 'Ask the neighbours', description: 'All *four* of them' },
      ...{ content_type: 'markdown' },
    })
    await app.http('POST', `/api/v1/tasks/${task_id}/decision-requests`, {
      body: { question: 'By letter?', options: ['Yes', 'No'] },
    })
    const { page, problems, go } = await app.openSession()
    const editorRequests = () =>
      page.evaluate(() =>
        performance.getEntriesByType('resource').filter(({ name }) => /\/codemirror-/.test(name)),
      )
    await go(`/t/${ticket_number}`)
    await page.getByText('All four of them').waitFor()
    await page.getByRole('button', { name: 'Yes' }).waitFor()
    await page.getByRole('textbox', { name: 'Comment', exact: true }).waitFor()
    await page.getByText(/^Created by/).waitFor()
    await page.evaluate(() => document.fonts.ready.then(() => undefined))
    expect(await layoutShiftOf(page)).toBeLessThan(0.01)
    expect(await editorRequests()).toEqual([])
    await page.getByRole('textbox', { name: 'Comment', exact: true }).click()
    await page.keyboard.type('By letter')
    await page.locator('.composer .code:not([hidden])').waitFor()
    await page.keyboard.type(', please')
    const field = page.getByRole('textbox', { name: 'Comment', exact: true })
    expect(await field.textContent()).toBe('By letter, please')
    expect(await editorRequests()).toHaveLength(1)
    expect(problems).toEqual([])
  })

  test('applies a key pressed while it loads to itself, not to the board behind it', async () => {
    const first = await app.createTask({ title: 'Sort the glasses' })
    const second = await app.createTask({ title: 'Wash the glasses' })
    const { page, problems, go } = await app.openSession()
    const gate = Promise.withResolvers<void>()
    await page.route(`**/api/v1/tasks/${second.task_id}?*`, async (route) => {
      await gate.promise
      await route.continue()
    })
    await go(boardPath())
    await page.getByText('Wash the glasses').click()
    const taskPanel = (key: string) => page.getByRole('region', { name: `Task ${key}` })
    await taskPanel(second.ticket_number).waitFor()
    await page.keyboard.press('p')
    await page.keyboard.press('k')
    await taskPanel(first.ticket_number)
      .getByRole('heading', { name: 'Sort the glasses' })
      .waitFor()
    await page.keyboard.press('j')
    await taskPanel(second.ticket_number).waitFor()
    await page.keyboard.press('p')
    expect(await page.getByRole('listbox').count()).toBe(0)
    gate.resolve()
    await taskPanel(second.ticket_number)
      .getByRole('heading', { name: 'Wash the glasses' })
      .waitFor()
    await page.getByRole('combobox', { name: 'Priority', exact: true }).fill('High')
    await page.getByRole('option', { name: 'High' }).waitFor()
    await page.keyboard.press('Enter')
    await waitUntil(async () => (await priorityOf(second.task_id)) === 2)
    expect(await priorityOf(first.task_id)).toBe(0)
    expect(problems).toEqual([])
  })
})
