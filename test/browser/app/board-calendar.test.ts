import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssues, accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import {
  cardOf,
  createBoard,
  drag,
  fetchTask,
  focusedName,
  titleOf,
  undoFromToast,
} from './boards.ts'
import { centerOf, fingerOf, waitForTouchDrag } from './touch.ts'

const QUERY = 'layout=calendar&day=2027-03-10'
const ANT = {
  title: 'Ant',
  start_date: '2027-03-08T09:00:00Z',
  due_date: '2027-03-10T14:30:00Z',
}
const dayOf = (page: Page, day: string) => page.locator(`[data-day="2027-03-${day}"]`)
const undatedTasks = (page: Page) => page.getByRole('region', { name: 'No due date' })

describe.skipIf(isBrowserSkipped)('the calendar of a board', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  const createCalendarBoard = (title: string, ...tasks: object[]) =>
    createBoard(app, title, { tasks: tasks.map((one) => ({ ...one, section_index: 0 })) })
  const datesOf = (ticket: string) => async () => {
    const { start_date, due_date } = await fetchTask(app, ticket)
    return [start_date, due_date]
  }

  test('dragging a task moves its start and due dates, keeps the times, and can be undone', async () => {
    const { project_id, tasks } = await createCalendarBoard(
      'Carry',
      ANT,
      { title: 'Bee', due_date: '2027-03-12' },
      { title: 'Cat' },
    )
    const [ant, bee, cat] = tasks.map(datesOf)
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}?${QUERY}`)
    await page.getByRole('heading', { name: 'March 2027' }).waitFor()
    await undatedTasks(page).getByText('Cat').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    // The mouse takes the middle of the three days, the ninth, and drops it a week later.
    await drag(page, cardOf(page, 'Ant'), dayOf(page, '16'), 'bottom')
    await page
      .getByText(/^CAR-1 due Wednesday,? 17 March 2027/)
      .first()
      .waitFor()
    await expectEventually(ant!, ['2027-03-15T09:00:00.000Z', '2027-03-17T14:30:00.000Z'])
    await undoFromToast(page, 'CAR-1 due')
    await expectEventually(ant!, ['2027-03-08T09:00:00.000Z', '2027-03-10T14:30:00.000Z'])
    await drag(page, undatedTasks(page).getByRole('article'), dayOf(page, '19'), 'bottom')
    await expectEventually(cat!, [null, '2027-03-19'])
    await dayOf(page, '19').getByText('Cat').waitFor()
    await drag(page, cardOf(page, 'Bee'), undatedTasks(page), 'top')
    await expectEventually(bee!, [null, null])
    await undatedTasks(page).getByText('Bee').waitFor()
    expect(await page.locator('td').getByText('Bee').count()).toBe(0)
    expect(problems).toEqual([])
  })

  test('keys move between days, add a task on a day, and move tasks to other days', async () => {
    const { project_id, tasks } = await createCalendarBoard('Days', ANT, {
      title: 'Bee',
      due_date: '2027-03-12',
    })
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}?day=2027-03-10`)
    await cardOf(page, 'Ant').waitFor()
    for (const key of ['v', '4']) await page.keyboard.press(key)
    await page.getByRole('heading', { name: 'March 2027' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await expectEventually(focusedName(page), 'Thursday 11 March')
    await page.keyboard.press('ArrowRight')
    await expectEventually(focusedName(page), 'Bee')
    await page.keyboard.press('ArrowDown')
    await expectEventually(focusedName(page), 'Friday 19 March')
    await page.keyboard.press('c')
    const field = page.getByRole('textbox', { name: 'New task on Friday 19 March' })
    await field.fill('Dog')
    await field.press('Enter')
    await dayOf(page, '19').getByText('Dog').waitFor()
    await expectEventually(async () => (await fetchTask(app, 'DAY-3')).due_date, '2027-03-19')
    await field.press('Escape')
    await expectEventually(focusedName(page), 'Dog')
    await page.keyboard.press('k')
    await expectEventually(focusedName(page), 'Bee')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowRight')
    await page
      .getByText(/^DAY-2 due Saturday,? 20 March 2027/)
      .first()
      .waitFor({ state: 'attached' })
    await expectEventually(focusedName(page), 'Bee')
    await expectEventually(datesOf(tasks[1]!), [null, '2027-03-20'])
    await page.keyboard.press('ControlOrMeta+z')
    await expectEventually(datesOf(tasks[1]!), [null, '2027-03-12'])
    await dayOf(page, '12').getByText('Bee').waitFor()

    await page.keyboard.press('PageDown')
    await page.getByRole('heading', { name: 'April 2027' }).waitFor()
    expect(new URL(page.url()).searchParams.get('day')).toMatch(/^2027-04/)
    await page.keyboard.press('Home')
    await page.getByRole('heading', { name: 'April 2027' }).waitFor({ state: 'detached' })
    expect(await page.locator('[aria-current=date]').count()).toBe(1)
    expect(problems).toEqual([])
  })

  test('the ends of a bar are dragged over days and weeks, keys move the due date, with undo', async () => {
    const { project_id, tasks } = await createCalendarBoard('Ends', ANT)
    const ant = datesOf(tasks[0]!)
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}?${QUERY}`)
    const dragEnd = async (end: string, day: string, release = true) => {
      const grip = (await cardOf(page, 'Ant').locator(end).last().boundingBox())!
      const target = (await dayOf(page, day).boundingBox())!
      await page.mouse.move(grip.x + 4, grip.y + grip.height / 2)
      await page.mouse.down()
      await page.mouse.move(target.x + 30, target.y + 60, { steps: 4 })
      if (release) await page.mouse.up()
    }
    await cardOf(page, 'Ant').waitFor()
    await dragEnd('.grip.end', '16')
    await expectEventually(ant, ['2027-03-08T09:00:00.000Z', '2027-03-16T14:30:00.000Z'])
    await expectEventually(() => cardOf(page, 'Ant').count(), 2)
    await undoFromToast(page, 'END-1 from')
    await expectEventually(ant, ['2027-03-08T09:00:00.000Z', '2027-03-10T14:30:00.000Z'])
    await expectEventually(() => cardOf(page, 'Ant').count(), 1)
    await dragEnd('.grip:not(.end)', '09')
    await expectEventually(ant, ['2027-03-09T09:00:00.000Z', '2027-03-10T14:30:00.000Z'])
    await dragEnd('.grip.end', '13', false)
    await page.keyboard.press('Escape')
    await page.mouse.up()
    expect(await ant()).toEqual(['2027-03-09T09:00:00.000Z', '2027-03-10T14:30:00.000Z'])

    await titleOf(page, 'Ant').focus()
    await page.keyboard.press('Alt+Shift+ArrowRight')
    await page.keyboard.press('Alt+Shift+ArrowRight')
    await expectEventually(ant, ['2027-03-09T09:00:00.000Z', '2027-03-12T14:30:00.000Z'])
    await expectEventually(focusedName(page), 'Ant')
    await page.keyboard.press('ControlOrMeta+z')
    await expectEventually(ant, ['2027-03-09T09:00:00.000Z', '2027-03-10T14:30:00.000Z'])
    expect(problems).toEqual([])
  })

  test('a full day opens in a dialog, and the week view shows all of its tasks', async () => {
    const tasks = Array.from({ length: 12 }, (_, at) => ({
      title: `Task ${at + 1}`,
      due_date: '2027-03-10',
    }))
    const { project_id } = await createCalendarBoard('Many', ...tasks)
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}?${QUERY}`)
    const moreButton = dayOf(page, '10').getByRole('button', { name: /^\+\d+ more$/ })
    await moreButton.waitFor()
    const visibleCount = await page.locator('.month .bar').count()
    expect(await moreButton.textContent()).toBe(`+${12 - visibleCount} more`)
    await moreButton.click()
    const popup = page.getByRole('dialog', { name: 'Wednesday 10 March' })
    await expectEventually(() => popup.getByRole('article').count(), 12)
    expect(await accessibilityIssues(page)).toEqual([])
    await popup.getByRole('button', { name: 'Task 12' }).click()
    await page.getByRole('region', { name: 'Task MAN-12' }).waitFor()
    expect(await popup.count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Week', exact: true }).click()
    await expectEventually(() => page.locator('.month .bar').count(), 12)
    expect(new URL(page.url()).searchParams.get('span')).toBe('week')
    expect(await moreButton.count()).toBe(0)
    expect(problems).toEqual([])
  })

  test('future occurrences are shown and not draggable, and changes by an agent appear live', async () => {
    const { project_id, tasks } = await createCalendarBoard(
      'Again',
      { title: 'Water the plants', due_date: '2027-03-03' },
      { title: 'Bee' },
    )
    const recurrence = { recurrence: 'Weekly', ticket_numbers: [tasks[0]] }
    await app.http('PATCH', '/api/v1/tasks', { body: recurrence })
    const agent = await app.connectAgent('Beacon')
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}?${QUERY}`)
    const occurrences = page
      .locator('.bar')
      .filter({ has: page.getByRole('img', { name: 'Repeats', exact: true }) })
    const days = () =>
      occurrences.evaluateAll((all) =>
        all.map((one) => one.closest<HTMLElement>('td')!.dataset.day),
      )
    await expectEventually(days, ['2027-03-10', '2027-03-17', '2027-03-24', '2027-03-31'])
    // A future occurrence does not exist yet, so it cannot be dragged.
    expect(await occurrences.first().getAttribute('draggable')).toBeNull()
    const ticket_number = tasks[1]!
    await agent.rest('POST', '/api/mcp/tasks/lease/claim', { ticket_number })
    await agent.callTool('svc_tasks', 'update', { ticket_number, due_date: '2027-03-18' })
    await dayOf(page, '18').getByText('Bee').waitFor()
    await titleOf(page, 'Bee').click()
    await page.getByRole('region', { name: `Task ${ticket_number}` }).waitFor()
    expect(problems).toEqual([])
  })

  test('on a phone, days are stacked and a task is dragged with a finger', async () => {
    const { project_id, tasks } = await createCalendarBoard(
      'Phone',
      { title: 'Ant', due_date: '2027-03-10' },
      { title: 'Bee', due_date: '2027-03-12' },
    )
    const { page, context, problems, go } = await app.openSession({
      width: 390,
      height: 844,
      touch: true,
    })
    const cdp = await context.newCDPSession(page)
    const finger = fingerOf(cdp)
    await go(`/projects/${project_id}?${QUERY}`)
    await waitForTouchDrag(page, cdp)
    const friday = page.getByRole('region', { name: 'Friday 12 March' })
    await friday.waitFor()
    expect(await page.getByRole('table').count()).toBe(0)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    const [from, to] = [await centerOf(cardOf(page, 'Ant')), await centerOf(friday)]
    await finger.down(from)
    await page.locator('.dragged-card').waitFor()
    await finger.move(from, to)
    await finger.up()
    await expectEventually(datesOf(tasks[0]!), [null, '2027-03-12'])
    await expectEventually(() => friday.getByRole('article').count(), 2)
    expect(problems).toEqual([])
  })
})
