import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import {
  cardOf,
  createBoard,
  fetchTask,
  focusedName,
  tasksInIdeas,
  undoFromToast,
} from './boards.ts'

const DAY = 24 * 60 * 60 * 1000
const dayFromNow = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)
const timeFromNow = (days: number, time: string) => `${dayFromNow(days)}T${time}:00.000Z`

describe.skipIf(isBrowserSkipped)('the timeline of a board', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  const datesOf = (ticket: string) => async () => {
    const { start_date, due_date } = await fetchTask(app, ticket)
    return [start_date, due_date]
  }

  /** Drags from a point by a number of pixels to the right. */
  const dragBy = async (page: Page, [x, y]: readonly [number, number], pixels: number) => {
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + pixels / 2, y, { steps: 3 })
    await page.mouse.move(x + pixels, y, { steps: 3 })
    await page.mouse.up()
  }
  const boxOf = async (page: Page, title: string) =>
    (await cardOf(page, title).locator('.time-bar').boundingBox())!

  test('dragging a bar or one of its ends changes dates; undo reverts it and Escape cancels it', async () => {
    const { project_id, tasks } = await createBoard(app, 'Bars', {
      tasks: [
        {
          title: 'Ant',
          section_index: 0,
          start_date: timeFromNow(1, '09:00'),
          due_date: timeFromNow(4, '14:30'),
        },
        { title: 'Bee', section_index: 1 },
      ],
    })
    const ant = datesOf(tasks[0]!)
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}?layout=timeline&zoom=days`)
    await cardOf(page, 'Ant').locator('.time-bar').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    const { x, y, width, height } = await boxOf(page, 'Ant')
    expect(Math.round(width)).toBe(4 * 36)
    const barY = y + height / 2
    await dragBy(page, [x + width / 2, barY], 2 * 36)
    await expectEventually(ant, [timeFromNow(3, '09:00'), timeFromNow(6, '14:30')])
    await undoFromToast(page, 'BAR-1 from')
    await expectEventually(ant, [timeFromNow(1, '09:00'), timeFromNow(4, '14:30')])
    await expectEventually(async () => (await boxOf(page, 'Ant')).x, x)
    await dragBy(page, [x + width - 2, barY], 3 * 36)
    await expectEventually(ant, [timeFromNow(1, '09:00'), timeFromNow(7, '14:30')])
    await dragBy(page, [x + 2, barY], -36)
    await expectEventually(ant, [timeFromNow(0, '09:00'), timeFromNow(7, '14:30')])
    // The start cannot be dragged beyond the due date.
    await dragBy(page, [x - 34, barY], 20 * 36)
    await expectEventually(ant, [timeFromNow(7, '09:00'), timeFromNow(7, '14:30')])
    // Escape cancels a drag, and a click opens the task.
    await page.mouse.move(x + 6 * 36 + 18, barY)
    await page.mouse.down()
    await page.mouse.move(x + 9 * 36, barY, { steps: 4 })
    await page
      .getByText(/^from|^due/)
      .last()
      .waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')
    await page.mouse.up()
    expect(await ant()).toEqual([timeFromNow(7, '09:00'), timeFromNow(7, '14:30')])
    await cardOf(page, 'Ant')
      .locator('.time-bar')
      .click({ position: { x: 18, y: 8 } })
    await page.getByRole('region', { name: 'Task BAR-1' }).waitFor()
    expect(problems).toEqual([])
  })

  test('keys move a task to other days, and a task without dates can be given a due date', async () => {
    const { project_id, tasks } = await createBoard(app, 'Keys', {
      tasks: [
        { title: 'Ant', section_index: 0, due_date: dayFromNow(3) },
        { title: 'Bee', section_index: 0 },
      ],
    })
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}?zoom=days`)
    await cardOf(page, 'Ant').waitFor()
    for (const key of ['v', '5']) await page.keyboard.press(key)
    await cardOf(page, 'Ant').locator('.time-bar').waitFor()
    await page.keyboard.press('j')
    await expectEventually(focusedName(page), 'Ant')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    await expectEventually(datesOf(tasks[0]!), [null, dayFromNow(5)])
    await page
      .getByText(/^KEY-1 due/)
      .first()
      .waitFor({ state: 'attached' })
    await expectEventually(focusedName(page), 'Ant')
    await page.keyboard.press('ControlOrMeta+z')
    await expectEventually(datesOf(tasks[0]!), [null, dayFromNow(3)])
    await page.getByRole('button', { name: 'Set dates for KEY-2' }).click()
    await page.getByRole('textbox', { name: 'Due date' }).fill('tomorrow')
    await page.keyboard.press('Enter')
    await expectEventually(datesOf(tasks[1]!), [null, dayFromNow(1)])
    await cardOf(page, 'Bee').locator('.time-bar').waitFor()
    // Tasks are sorted by due date.
    await expectEventually(rowTitles(page), ['Bee', 'Ant'])
    await page.getByRole('button', { name: 'Add a task to Next' }).click()
    await page.getByRole('textbox', { name: 'New task in Next' }).fill('Cat')
    await page.keyboard.press('Enter')
    await expectEventually(rowTitles(page), ['Bee', 'Ant', 'Cat'])
    await expectEventually(async () => (await fetchTask(app, 'KEY-3')).section, 'Next')
    expect(problems).toEqual([])
  })

  test('draws dependencies, marks late ones live, and groups rows by label', async () => {
    const { project_id, tasks } = await createBoard(app, 'Links', {
      ...tasksInIdeas('Ant', 'Bee'),
      labels: [{ name: 'garden', color: '#2f7d32' }],
    })
    const agent = await app.connectAgent('Beacon')
    const dates = [dayFromNow(2), dayFromNow(6)]
    for (const [index, due_date] of dates.entries())
      await app.http('PATCH', `/api/v1/tasks/${tasks[index]}`, { body: { due_date } })
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}?layout=timeline`)
    await cardOf(page, 'Bee').locator('.time-bar').waitFor()
    const links = page.locator('.links g')
    expect(await links.count()).toBe(0)
    const body = { source_ticket_number: tasks[1], target_ticket_number: tasks[0] }
    await app.http('POST', '/api/v1/relations', { body: { ...body, relation_type: 'BlockedBy' } })
    await expectEventually(() => links.count(), 1)
    expect(await links.first().getAttribute('class')).toBe('')
    const ticket_number = tasks[0]!
    await agent.rest('POST', '/api/mcp/tasks/lease/claim', { ticket_number })
    await agent.callTool('svc_tasks', 'update', {
      ticket_number,
      due_date: dayFromNow(9),
      labels: ['garden'],
    })
    // The blocking task is now due after the task that it blocks.
    await expectEventually(() => links.first().getAttribute('class'), 'late')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Swimlanes by label' }).click()
    await expectEventually(
      () => page.locator('.row-name.group .name').allTextContents(),
      ['garden', 'No label'],
    )
    expect(new URL(page.url()).search).toContain('lanes=label')
    for (const zoom of ['Months', 'Days']) {
      await page.getByRole('button', { name: zoom, exact: true }).click()
      expect(new URL(page.url()).searchParams.get('zoom')).toBe(zoom.toLowerCase())
      await expectEventually(() => page.locator('.time-bar').count(), 2)
    }
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    expect(problems).toEqual([])
  })
})

const rowTitles = (page: Page) => () => page.locator('.time-row .title').allTextContents()
