import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { ConnectedClient } from '../../binary/agent-client.ts'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssues } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'

const ZONE = 'Europe/Berlin'
const dayFromToday = (days: number) => Temporal.Now.plainDateISO(ZONE).add({ days }).toString()
const listLines = (page: Page) => page.locator('.todos h2, .todos .row-title').allInnerTexts()
const row = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title })

describe.skipIf(isBrowserSkipped)('My Tasks while others work', () => {
  let app: WebApp
  let ada: BrowserSession
  let page: Page
  let bot: ConnectedClient
  beforeAll(async () => {
    app = await openWebApp()
    await app.http('PATCH', '/api/v1/user/profile', { body: { time_zone: ZONE } })
    bot = await app.connectAgent('Scout')
    ada = await app.openSession({ ignoredMessages: /ERR_INTERNET_DISCONNECTED/ })
    page = ada.page
    await ada.go('/my')
    await page.getByRole('heading', { name: 'Nothing to do' }).waitFor()
  })
  afterAll(() => app?.close())

  const createAssignedTask = async (title: string, fields: object = {}) => {
    const { task_id } = await app.createTask({ title, assignee_ids: [app.user_id], ...fields })
    await row(page, title).waitFor()
    return task_id
  }

  /** The agent claims the task, because it can change only tasks that it holds. */
  const claim = async (task_id: number) => {
    const { status } = await bot.rest('POST', '/api/mcp/tasks/lease/claim', { task_id })
    expect(status).toBe(200)
  }

  test('a task assigned by an agent appears in its group, and moves when its due date changes', async () => {
    const { task_id } = await bot.callTool('svc_tasks', 'create', {
      ...{ project_id: app.project_id, title: 'Read what I found', due_date: dayFromToday(-3) },
    })
    expect(await row(page, 'Read what I found').count()).toBe(0)
    await claim(task_id)
    await bot.callTool('svc_tasks', 'assign', { task_id, user_ids: [app.user_id] })
    await row(page, 'Read what I found').waitFor()
    expect(await listLines(page)).toEqual(['Overdue\n1', 'Read what I found'])
    await bot.callTool('svc_tasks', 'update', { task_id, due_date: dayFromToday(1) })
    await page.getByRole('heading', { name: /^This week/ }).waitFor()
    expect(await listLines(page)).toEqual(['This week\n1', 'Read what I found'])
    await page.getByRole('status').getByText(/^1\s/).waitFor()
  })

  test('a task completed in another tab or by an agent leaves the list', async () => {
    await createAssignedTask('Answer the mail')
    const other = await ada.context.newPage()
    await other.goto(`${app.url}/my`)
    await row(other, 'Answer the mail').waitFor()
    await page.getByRole('button', { name: 'Complete Answer the mail' }).click()
    await row(other, 'Answer the mail').waitFor({ state: 'detached' })
    await other.close()
    const task_id = await createAssignedTask('Sign the letter')
    const { body } = await app.http('GET', `/api/v1/projects/${app.project_id}/sections`)
    const { section_id } = body.data.find((one: { done: boolean }) => one.done)
    await claim(task_id)
    await bot.callTool('svc_tasks', 'update', { task_id, section_id })
    await row(page, 'Sign the letter').waitFor({ state: 'detached' })
    expect(await listLines(page)).toEqual(['This week\n1', 'Read what I found'])
  })

  test('a snoozed task returns by itself when the snooze expires', async () => {
    const task_id = await createAssignedTask('Call back')
    const snooze = async (ms: number) => {
      const until = new Date(Date.now() + ms).toISOString()
      await app.http('POST', `/api/v1/tasks/${task_id}/snooze`, { body: { until } })
      return until
    }
    await snooze(3_600_000)
    await row(page, 'Call back').waitFor({ state: 'detached' })
    const until = await snooze(1500)
    await row(page, 'Call back').waitFor()
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(until))
  })

  const openShortlyBeforeMidnight = async () => {
    const other = await app.openSession()
    const tonight = Temporal.PlainDate.from(dayFromToday(0)).toZonedDateTime({
      ...{ timeZone: ZONE, plainTime: '23:59:30' },
    })
    await other.page.clock.install({ time: tonight.epochMilliseconds })
    await other.go('/my')
    const due = row(other.page, 'Read what I found').locator('.due')
    await due.getByText('Tomorrow').waitFor()
    return { other, due }
  }

  test('at midnight the list is requested again, and a task due tomorrow becomes due today', async () => {
    const { other, due } = await openShortlyBeforeMidnight()
    const listRequest = other.page.waitForRequest(/my-tasks\?/)
    await other.page.clock.fastForward('00:31')
    await listRequest
    await due.getByText('Today').waitFor()
    expect(other.problems).toEqual([])
    await other.context.close()
  })

  test('after a sleep past midnight, a new task also updates the dates of the others', async () => {
    const { other, due } = await openShortlyBeforeMidnight()
    // The clock moves on without running timers, as when a computer wakes up.
    const { clock } = other.page
    await clock.setSystemTime(Temporal.Now.instant().add({ hours: 48 }).epochMilliseconds)
    await createAssignedTask('Wake up')
    await row(other.page, 'Wake up').waitFor()
    await due.getByText('Yesterday').waitFor()
    expect(other.problems).toEqual([])
    await other.context.close()
  })

  test('tasks created and completed offline are saved after reconnecting', async () => {
    const task_id = await createAssignedTask('Pack the bag')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Complete Pack the bag' }).click()
    await row(page, 'Pack the bag').waitFor({ state: 'detached' })
    await page.getByLabel('New task for yourself').fill('Typed on the train')
    await page.keyboard.press('Enter')
    await page.getByText('Typed on the train').waitFor()
    expect((await app.http('GET', `/api/v1/tasks/${task_id}`)).body.data.done).toBe(false)
    await page.context().setOffline(false)
    await row(page, 'Typed on the train').waitFor()
    const isDone = async () => (await app.http('GET', `/api/v1/tasks/${task_id}`)).body.data.done
    await expectEventually(isDone, true)
    expect(await row(page, 'Pack the bag').count()).toBe(0)
  })

  test('the page is accessible, and no errors were logged', async () => {
    expect(await accessibilityIssues(page)).toEqual([])
    expect(ada.problems).toEqual([])
  })
})
