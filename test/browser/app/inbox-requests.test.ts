import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { accessibilityIssues, accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { addColleague } from './colleague.ts'
import { waitForToast } from './toasts.ts'

const row = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })

describe.skipIf(isBrowserSkipped)('requests in the inbox', () => {
  let app: WebApp
  let ada: BrowserSession
  let page: Page
  let bot: Awaited<ReturnType<WebApp['connectAgent']>>
  beforeAll(async () => {
    app = await openWebApp()
    bot = await app.connectAgent('Scout')
    ada = await app.openSession({ ignoredMessages: /ERR_INTERNET_DISCONNECTED|status of 507/ })
    page = ada.page
    await ada.go('/inbox')
    await page.getByRole('heading', { name: 'Inbox Zero' }).waitFor()
  })
  afterAll(() => app?.close())

  const createTask = async (title: string) =>
    (await bot.callTool('svc_tasks', 'create', { project_id: app.project_id, title }))
      .task_id as number
  const createDecisionRequest = async (title: string, question: string) =>
    (
      await bot.callTool('svc_decision_requests', 'create', {
        ...{ task_id: await createTask(title), question, options: ['The oak', 'The elm'] },
      })
    ).decision_request_id as number
  const fetchDecision = (decision_request_id: number) =>
    bot.callTool('svc_decision_requests', 'get', { decision_request_id })
  const fetchArchived = async () =>
    (await app.http('GET', '/api/v1/notifications?archived=true')).body.data

  test('a decision request is answered in its row with a note, and the row shows the answer', async () => {
    const id = await createDecisionRequest('Plant a tree', 'Which tree?')
    const requestRow = row(page, 'Which tree?')
    await requestRow.getByText('asks you to decide').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await requestRow.getByLabel(/^Reason \(optional\)/).fill('It bears the swing')
    await requestRow.getByRole('button', { name: 'The oak' }).click()
    await requestRow.getByText('Ada decided: The oak. It bears the swing').waitFor()
    await waitForToast(page, 'Answered: The oak')
    expect(await fetchDecision(id)).toMatchObject({
      ...{ status: 'answered', selected_option: 'The oak', answer_note: 'It bears the swing' },
    })
    expect(await requestRow.getByRole('button', { name: 'The elm' }).count()).toBe(0)
  })

  test('a row shows live that somebody else answered or that the request was cancelled', async () => {
    const otherSession = await addColleague(app, 'Kim')
    const id = await createDecisionRequest('Fell a tree', 'Which one must go?')
    const requestRow = row(page, 'Which one must go?')
    await requestRow.getByRole('button', { name: 'The elm' }).waitFor()
    await otherSession.page.goto(`${app.url}/t/${(await fetchDecision(id)).ticket_number}`)
    await otherSession.page.getByRole('button', { name: 'The elm' }).click()
    await requestRow.getByText('Kim decided: The elm').waitFor()
    const other = await createDecisionRequest('Move a tree', 'To where?')
    await row(page, 'To where?').getByRole('button', { name: 'The oak' }).waitFor()
    await bot.callTool('svc_decision_requests', 'cancel', { decision_request_id: other })
    await row(page, 'To where?').getByText('Scout cancelled the request').waitFor()
    expect(otherSession.problems).toEqual([])
    await otherSession.context.close()
  })

  test('a reply in a row answers the comment and archives the notification, with undo', async () => {
    const task_id = await createTask('Dig a pond')
    const { comment_id } = await bot.callTool('svc_comments', 'add', {
      ...{ task_id, text: '<p>@Ada how deep?</p>' },
      mentions: [{ user_id: app.user_id, display_name: 'Ada' }],
    })
    await row(page, 'how deep?')
      .getByRole('button', { name: /mentioned you/ })
      .focus()
    await page.keyboard.press('r')
    const field = page.getByRole('textbox', { name: /^Reply on HOM-/ })
    expect(await accessibilityIssues(page)).toEqual([])
    await field.pressSequentially('For whom is it?')
    await page.keyboard.press('Control+Enter')
    await row(page, 'how deep?').waitFor({ state: 'detached' })
    await waitForToast(page, /^Replied on HOM-\d+ and archived/)
    const reply = (await bot.callTool('svc_comments', 'list', { task_id })).find(
      (requestRow: { text: string }) => requestRow.text.includes('For whom is it?'),
    )
    expect(reply).toMatchObject({ reply_to_comment_id: comment_id, author: { name: 'Ada' } })
    expect((await fetchArchived())[0].comment_id).toBe(comment_id)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+z')
    await row(page, 'how deep?').waitFor()
  })

  test('a reply that fails is restored to its field', async () => {
    await page.route('**/comments', (route) =>
      route.fulfill({ status: 507, json: { success: false, message: 'The disk is full' } }),
    )
    await row(page, 'how deep?').hover()
    await page
      .getByRole('button', { name: /^Reply: HOM-/ })
      .last()
      .click()
    const field = page.getByRole('textbox', { name: /^Reply on HOM-/ })
    await field.fill('Once more')
    await page.getByRole('button', { name: 'Reply and archive' }).click()
    await waitForToast(page, 'The disk is full')
    await field.waitFor()
    expect(await field.inputValue()).toBe('Once more')
    await page.unroute('**/comments')
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await field.count()).toBe(0)
  })

  test('an escalation is resolved in its row, and the agent reads the note', async () => {
    const task_id = await createTask('Pump out the cellar')
    const escalation = { reason: 'The water rises' }
    await bot.rest('POST', `/api/v1/tasks/${task_id}/escalations`, escalation)
    const requestRow = row(page, 'The water rises')
    await requestRow.getByText('needs your input').waitFor()
    await requestRow.getByLabel(/^Resolution note/).fill('The pump runs')
    await requestRow.getByRole('button', { name: 'Resolve' }).click()
    await requestRow.getByText('Ada resolved it: The pump runs').waitFor()
    const { data } = await bot.rest('GET', `/api/v1/tasks/${task_id}/escalations`)
    expect(data[0]).toMatchObject({ state: 'resolved', note: 'The pump runs' })
  })

  test('an owner adds a task to any inbox of the team, and a member only to their own', async () => {
    const otherSession = await addColleague(app, 'Lee')
    await otherSession.page.goto(`${app.url}/inbox`)
    const { ticket_number } = await app.createTask({ title: 'Order the sand' })
    await ada.go(`/t/${ticket_number}`)
    const menuButton = page.getByRole('button', { name: `More about ${ticket_number}` })
    await menuButton.click()
    await page.getByRole('menuitem', { name: 'Add to my inbox' }).click()
    await waitForToast(page, `Added ${ticket_number} to your inbox`)
    await menuButton.click()
    await page.getByRole('menuitem', { name: 'Add to somebody’s inbox…' }).click()
    await page.getByRole('combobox', { name: 'Select a person' }).fill('Lee')
    await page.keyboard.press('Enter')
    await waitForToast(page, `Added ${ticket_number} to Lee’s inbox`)
    await row(otherSession.page, 'Order the sand').getByText('added a task to your inbox').waitFor()
    await otherSession.page.goto(`${app.url}/t/${ticket_number}`)
    await otherSession.page.getByRole('button', { name: `More about ${ticket_number}` }).click()
    await otherSession.page.getByRole('menuitem', { name: 'Add to my inbox' }).waitFor()
    expect(
      await otherSession.page.getByRole('menuitem', { name: /somebody’s inbox/ }).count(),
    ).toBe(0)
    expect(otherSession.problems).toEqual([])
    await otherSession.context.close()
    await ada.go('/inbox')
    await row(page, 'Order the sand')
      .getByRole('button', { name: /^Unread: Ada added a task to your inbox/ })
      .waitFor()
  })

  test('a notification archived offline is archived on the server after reconnecting', async () => {
    await page.context().setOffline(true)
    await row(page, 'Order the sand').hover()
    await row(page, 'Order the sand')
      .getByRole('button', { name: /^Archive/ })
      .click()
    await row(page, 'Order the sand').waitFor({ state: 'detached' })
    expect((await fetchArchived()).length).toBe(0)
    await page.context().setOffline(false)
    await waitForToast(page, /^Archived the notification of HOM-/)
    expect((await fetchArchived())[0].task.title).toBe('Order the sand')
    expect(await accessibilityIssues(page)).toEqual([])
    expect(ada.problems).toEqual([])
  })
})
