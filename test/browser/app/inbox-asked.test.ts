import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Desk, noBrowser, openDesk, type Person } from '../desk.ts'
import { faults, faultsInBothThemes } from '../faults.ts'
import { colleague } from './colleague.ts'

const row = (page: Page, words: string) => page.getByRole('article').filter({ hasText: words })
const told = (page: Page, words: string | RegExp) =>
  page.getByLabel('What happened').getByText(words).first().waitFor()

describe.skipIf(noBrowser)('requests in the inbox', () => {
  let desk: Desk
  let ada: Person
  let page: Page
  let bot: Awaited<ReturnType<Desk['hire']>>
  beforeAll(async () => {
    desk = await openDesk()
    bot = await desk.hire('Scout')
    ada = await desk.sit({ may: /ERR_INTERNET_DISCONNECTED|status of 507/ })
    page = ada.page
    await ada.go('/inbox')
    await page.getByRole('heading', { name: 'Inbox Zero' }).waitFor()
  }, 60_000)
  afterAll(() => desk?.leave())

  const task = async (title: string) =>
    (await bot.tool('svc_tasks', 'create', { project_id: desk.project_id, title }))
      .task_id as number
  const asked = async (title: string, question: string) =>
    (
      await bot.tool('svc_decision_requests', 'create', {
        ...{ task_id: await task(title), question, options: ['The oak', 'The elm'] },
      })
    ).decision_request_id as number
  const decision = (decision_request_id: number) =>
    bot.tool('svc_decision_requests', 'get', { decision_request_id })
  const archived = async () =>
    (await desk.http('GET', '/api/v1/notifications?archived=true')).body.data

  test('a decision request is answered in its row with a note, and the row shows the answer', async () => {
    const id = await asked('Plant a tree', 'Which tree?')
    const one = row(page, 'Which tree?')
    await one.getByText('asks you to decide').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await one.getByLabel(/^Reason \(optional\)/).fill('It bears the swing')
    await one.getByRole('button', { name: 'The oak' }).click()
    await one.getByText('Ada decided: The oak. It bears the swing').waitFor()
    await told(page, 'Answered: The oak')
    expect(await decision(id)).toMatchObject({
      ...{ status: 'answered', selected_option: 'The oak', answer_note: 'It bears the swing' },
    })
    expect(await one.getByRole('button', { name: 'The elm' }).count()).toBe(0)
  })

  test('a row shows live that somebody else answered or that the request was cancelled', async () => {
    const kim = await colleague(desk, 'Kim')
    const id = await asked('Fell a tree', 'Which one must go?')
    const one = row(page, 'Which one must go?')
    await one.getByRole('button', { name: 'The elm' }).waitFor()
    await kim.page.goto(`${desk.url}/t/${(await decision(id)).ticket_number}`)
    await kim.page.getByRole('button', { name: 'The elm' }).click()
    await one.getByText('Kim decided: The elm').waitFor()
    const other = await asked('Move a tree', 'To where?')
    await row(page, 'To where?').getByRole('button', { name: 'The oak' }).waitFor()
    await bot.tool('svc_decision_requests', 'cancel', { decision_request_id: other })
    await row(page, 'To where?').getByText('Scout cancelled the request').waitFor()
    expect(kim.complaints).toEqual([])
    await kim.context.close()
  })

  test('a reply in a row answers the comment and archives the notification, with undo', async () => {
    const task_id = await task('Dig a pond')
    const { comment_id } = await bot.tool('svc_comments', 'add', {
      ...{ task_id, text: '<p>@Ada how deep?</p>' },
      mentions: [{ user_id: desk.user_id, display_name: 'Ada' }],
    })
    await row(page, 'how deep?')
      .getByRole('button', { name: /mentioned you/ })
      .focus()
    await page.keyboard.press('r')
    const field = page.getByRole('textbox', { name: /^Reply on HOM-/ })
    expect(await faults(page)).toEqual([])
    await field.pressSequentially('For whom is it?')
    await page.keyboard.press('Control+Enter')
    await row(page, 'how deep?').waitFor({ state: 'detached' })
    await told(page, /^Replied on HOM-\d+ and archived/)
    const said = (await bot.tool('svc_comments', 'list', { task_id })).find(
      (one: { text: string }) => one.text.includes('For whom is it?'),
    )
    expect(said).toMatchObject({ reply_to_comment_id: comment_id, author: { name: 'Ada' } })
    expect((await archived())[0].comment_id).toBe(comment_id)
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
    await told(page, 'The disk is full')
    await field.waitFor()
    expect(await field.inputValue()).toBe('Once more')
    await page.unroute('**/comments')
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await field.count()).toBe(0)
  })

  test('an escalation is resolved in its row, and the agent reads the note', async () => {
    const task_id = await task('Pump out the cellar')
    const call = { reason: 'The water rises' }
    await bot.rest('POST', `/api/v1/tasks/${task_id}/escalations`, call)
    const one = row(page, 'The water rises')
    await one.getByText('needs your input').waitFor()
    await one.getByLabel(/^Resolution note/).fill('The pump runs')
    await one.getByRole('button', { name: 'Resolve' }).click()
    await one.getByText('Ada resolved it: The pump runs').waitFor()
    const { data } = await bot.rest('GET', `/api/v1/tasks/${task_id}/escalations`)
    expect(data[0]).toMatchObject({ state: 'resolved', note: 'The pump runs' })
  })

  test('an owner adds a task to any inbox of the team, and a member only to their own', async () => {
    const kim = await colleague(desk, 'Lee')
    await kim.page.goto(`${desk.url}/inbox`)
    const { ticket_number } = await desk.create({ title: 'Order the sand' })
    await ada.go(`/t/${ticket_number}`)
    const more = page.getByRole('button', { name: `More about ${ticket_number}` })
    await more.click()
    await page.getByRole('menuitem', { name: 'Add to my inbox' }).click()
    await told(page, `Added ${ticket_number} to your inbox`)
    await more.click()
    await page.getByRole('menuitem', { name: 'Add to somebody’s inbox…' }).click()
    await page.getByRole('combobox', { name: 'Add to whose inbox?' }).fill('Lee')
    await page.keyboard.press('Enter')
    await told(page, `Added ${ticket_number} to Lee’s inbox`)
    await row(kim.page, 'Order the sand').getByText('added a task to your inbox').waitFor()
    await kim.page.goto(`${desk.url}/t/${ticket_number}`)
    await kim.page.getByRole('button', { name: `More about ${ticket_number}` }).click()
    await kim.page.getByRole('menuitem', { name: 'Add to my inbox' }).waitFor()
    expect(await kim.page.getByRole('menuitem', { name: /somebody’s inbox/ }).count()).toBe(0)
    expect(kim.complaints).toEqual([])
    await kim.context.close()
    await ada.go('/inbox')
    await row(page, 'Order the sand')
      .getByRole('button', { name: /^Unread: You added a task to your inbox/ })
      .waitFor()
  })

  test('a notification archived offline is archived on the server after reconnecting', async () => {
    await page.context().setOffline(true)
    await row(page, 'Order the sand').hover()
    await row(page, 'Order the sand')
      .getByRole('button', { name: /^Archive/ })
      .click()
    await row(page, 'Order the sand').waitFor({ state: 'detached' })
    expect((await archived()).length).toBe(0)
    await page.context().setOffline(false)
    await told(page, /^Archived the notification of HOM-/)
    expect((await archived())[0].task.title).toBe('Order the sand')
    expect(await faults(page)).toEqual([])
    expect(ada.complaints).toEqual([])
  })
})
