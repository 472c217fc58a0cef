import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { faults, faultsInBothThemes } from '../faults.ts'
import { becomes, cardOf, drag, focusIn, makeBoard, taskOf, titleOf, undo } from './boards.ts'
import { fingerOf, middle } from './fingers.ts'

const AT = 'layout=calendar&day=2027-03-10'
const ANT = {
  title: 'Ant',
  start_date: '2027-03-08T09:00:00Z',
  due_date: '2027-03-10T14:30:00Z',
}
const dayOf = (page: Page, day: string) => page.locator(`[data-day="2027-03-${day}"]`)
const tray = (page: Page) => page.getByRole('region', { name: 'No due date' })

describe.skipIf(noBrowser)('the calendar of a board', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk()
  }, 60_000)
  afterAll(() => desk?.leave())

  const make = (title: string, ...tasks: object[]) =>
    makeBoard(desk, title, { tasks: tasks.map((one) => ({ ...one, section_index: 0 })) })
  const datesOf = (ticket: string) => async () => {
    const { start_date, due_date } = await taskOf(desk, ticket)
    return [start_date, due_date]
  }

  test('dragging a task moves its start and due dates, keeps the times, and can be undone', async () => {
    const { project_id, tasks } = await make(
      'Carry',
      ANT,
      { title: 'Bee', due_date: '2027-03-12' },
      { title: 'Cat' },
    )
    const [ant, bee, cat] = tasks.map(datesOf)
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${project_id}?${AT}`)
    await page.getByRole('heading', { name: 'March 2027' }).waitFor()
    await tray(page).getByText('Cat').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    // Dragged by the ninth, the middle of its three days, to a week later.
    await drag(page, cardOf(page, 'Ant'), dayOf(page, '16'), 'bottom')
    await page
      .getByText(/^CAR-1 due Wednesday,? 17 March 2027/)
      .first()
      .waitFor()
    await becomes(ant!, ['2027-03-15T09:00:00.000Z', '2027-03-17T14:30:00.000Z'])
    await undo(page, 'CAR-1 due')
    await becomes(ant!, ['2027-03-08T09:00:00.000Z', '2027-03-10T14:30:00.000Z'])
    await drag(page, tray(page).getByRole('article'), dayOf(page, '19'), 'bottom')
    await becomes(cat!, [null, '2027-03-19'])
    await dayOf(page, '19').getByText('Cat').waitFor()
    await drag(page, cardOf(page, 'Bee'), tray(page), 'top')
    await becomes(bee!, [null, null])
    await tray(page).getByText('Bee').waitFor()
    expect(await page.locator('td').getByText('Bee').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('keys move between days, add a task on a day, and move tasks to other days', async () => {
    const { project_id, tasks } = await make('Days', ANT, { title: 'Bee', due_date: '2027-03-12' })
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${project_id}?day=2027-03-10`)
    await cardOf(page, 'Ant').waitFor()
    for (const key of ['v', '4']) await page.keyboard.press(key)
    await page.getByRole('heading', { name: 'March 2027' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await becomes(focusIn(page), 'Thursday 11 March')
    await page.keyboard.press('ArrowRight')
    await becomes(focusIn(page), 'Bee')
    await page.keyboard.press('ArrowDown')
    await becomes(focusIn(page), 'Friday 19 March')
    await page.keyboard.press('c')
    const field = page.getByRole('textbox', { name: 'New task on Friday 19 March' })
    await field.fill('Dog')
    await field.press('Enter')
    await dayOf(page, '19').getByText('Dog').waitFor()
    await becomes(async () => (await taskOf(desk, 'DAY-3')).due_date, '2027-03-19')
    await field.press('Escape')

    await page.keyboard.press('k')
    await becomes(focusIn(page), 'Dog')
    await page.keyboard.press('k')
    await becomes(focusIn(page), 'Bee')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowRight')
    await page
      .getByText(/^DAY-2 due Saturday,? 20 March 2027/)
      .first()
      .waitFor({ state: 'attached' })
    await becomes(focusIn(page), 'Bee')
    await becomes(datesOf(tasks[1]!), [null, '2027-03-20'])
    await page.keyboard.press('ControlOrMeta+z')
    await becomes(datesOf(tasks[1]!), [null, '2027-03-12'])
    await dayOf(page, '12').getByText('Bee').waitFor()

    await page.keyboard.press('PageDown')
    await page.getByRole('heading', { name: 'April 2027' }).waitFor()
    expect(new URL(page.url()).searchParams.get('day')).toMatch(/^2027-04/)
    await page.keyboard.press('Home')
    await page.getByRole('heading', { name: 'April 2027' }).waitFor({ state: 'detached' })
    expect(await page.locator('[aria-current=date]').count()).toBe(1)
    expect(complaints).toEqual([])
  })

  test('a full day opens in a dialog, and the week view shows all of its tasks', async () => {
    const many = Array.from({ length: 12 }, (_, at) => ({
      title: `Task ${at + 1}`,
      due_date: '2027-03-10',
    }))
    const { project_id } = await make('Many', ...many)
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${project_id}?${AT}`)
    const more = dayOf(page, '10').getByRole('button', { name: /^\+\d+ more$/ })
    await more.waitFor()
    const shown = await page.locator('.month .bar').count()
    expect(await more.textContent()).toBe(`+${12 - shown} more`)
    await more.click()
    const popup = page.getByRole('dialog', { name: 'Wednesday 10 March' })
    await becomes(() => popup.getByRole('article').count(), 12)
    expect(await faults(page)).toEqual([])
    await popup.getByRole('button', { name: 'Task 12' }).click()
    await page.getByRole('region', { name: 'Task MAN-12' }).waitFor()
    expect(await popup.count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Week', exact: true }).click()
    await becomes(() => page.locator('.month .bar').count(), 12)
    expect(new URL(page.url()).searchParams.get('span')).toBe('week')
    expect(await more.count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('future occurrences are shown and not draggable, and changes by an agent appear live', async () => {
    const { project_id, tasks } = await make(
      'Again',
      { title: 'Water the plants', due_date: '2027-03-03' },
      { title: 'Bee' },
    )
    const rule = { recurrence: 'Weekly', ticket_numbers: [tasks[0]] }
    await desk.http('PATCH', '/api/v1/tasks', { body: rule })
    const beacon = await desk.hire('Beacon')
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${project_id}?${AT}`)
    const again = page
      .locator('.bar')
      .filter({ has: page.getByRole('img', { name: 'Repeats', exact: true }) })
    const days = () =>
      again.evaluateAll((all) => all.map((one) => one.closest<HTMLElement>('td')!.dataset.day))
    await becomes(days, ['2027-03-10', '2027-03-17', '2027-03-24', '2027-03-31'])
    // A future occurrence does not exist yet, so it cannot be dragged.
    expect(await again.first().getAttribute('draggable')).toBeNull()
    const ticket_number = tasks[1]!
    await beacon.rest('POST', '/api/mcp/tasks/lease/claim', { ticket_number })
    await beacon.tool('svc_tasks', 'update', { ticket_number, due_date: '2027-03-18' })
    await dayOf(page, '18').getByText('Bee').waitFor()
    await titleOf(page, 'Bee').click()
    await page.getByRole('region', { name: `Task ${ticket_number}` }).waitFor()
    expect(complaints).toEqual([])
  })

  test('on a phone, days are stacked and a task is dragged with a finger', async () => {
    const { project_id, tasks } = await make(
      'Phone',
      { title: 'Ant', due_date: '2027-03-10' },
      { title: 'Bee', due_date: '2027-03-12' },
    )
    const { page, context, complaints, go } = await desk.sit({
      width: 390,
      height: 844,
      touch: true,
    })
    const finger = fingerOf(await context.newCDPSession(page))
    await go(`/projects/${project_id}?${AT}`)
    const friday = page.getByRole('region', { name: 'Friday 12 March' })
    await friday.waitFor()
    expect(await page.getByRole('table').count()).toBe(0)
    expect(await faultsInBothThemes(page)).toEqual([])
    const [from, to] = [await middle(cardOf(page, 'Ant')), await middle(friday)]
    await finger.down(from)
    await page.locator('.in-hand').waitFor()
    await finger.slide(from, to)
    await finger.up()
    await becomes(datesOf(tasks[0]!), [null, '2027-03-12'])
    await becomes(() => friday.getByRole('article').count(), 2)
    expect(complaints).toEqual([])
  })
})
