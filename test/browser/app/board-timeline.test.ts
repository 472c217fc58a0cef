import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { faultsInBothThemes } from '../faults.ts'
import { becomes, cardOf, focusIn, ideas, makeBoard, taskOf, undo } from './boards.ts'

const DAY = 24 * 60 * 60 * 1000
const day = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)
const at = (days: number, time: string) => `${day(days)}T${time}:00.000Z`

describe.skipIf(noBrowser)('the timeline of a board', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk()
  }, 60_000)
  afterAll(() => desk?.leave())

  const datesOf = (ticket: string) => async () => {
    const { start_date, due_date } = await taskOf(desk, ticket)
    return [start_date, due_date]
  }

  /** Drags from a point by a number of pixels to the right. */
  const pull = async (page: Page, [x, y]: readonly [number, number], by: number) => {
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + by / 2, y, { steps: 3 })
    await page.mouse.move(x + by, y, { steps: 3 })
    await page.mouse.up()
  }
  const boxOf = async (page: Page, title: string) =>
    (await cardOf(page, title).locator('.time-bar').boundingBox())!

  test('dragging a bar or one of its ends changes dates; undo reverts it and Escape cancels it', async () => {
    const { project_id, tasks } = await makeBoard(desk, 'Bars', {
      tasks: [
        { title: 'Ant', section_index: 0, start_date: at(1, '09:00'), due_date: at(4, '14:30') },
        { title: 'Bee', section_index: 1 },
      ],
    })
    const ant = datesOf(tasks[0]!)
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${project_id}?layout=timeline&zoom=days`)
    await cardOf(page, 'Ant').locator('.time-bar').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    const { x, y, width, height } = await boxOf(page, 'Ant')
    expect(Math.round(width)).toBe(4 * 36)
    const line = y + height / 2
    await pull(page, [x + width / 2, line], 2 * 36)
    await becomes(ant, [at(3, '09:00'), at(6, '14:30')])
    await undo(page, 'BAR-1 from')
    await becomes(ant, [at(1, '09:00'), at(4, '14:30')])
    await becomes(async () => (await boxOf(page, 'Ant')).x, x)
    await pull(page, [x + width - 2, line], 3 * 36)
    await becomes(ant, [at(1, '09:00'), at(7, '14:30')])
    await pull(page, [x + 2, line], -36)
    await becomes(ant, [at(0, '09:00'), at(7, '14:30')])
    // The start cannot be dragged beyond the due date.
    await pull(page, [x - 34, line], 20 * 36)
    await becomes(ant, [at(7, '09:00'), at(7, '14:30')])
    // Escape cancels a drag, and a click opens the task.
    await page.mouse.move(x + 6 * 36 + 18, line)
    await page.mouse.down()
    await page.mouse.move(x + 9 * 36, line, { steps: 4 })
    await page
      .getByText(/^from|^due/)
      .last()
      .waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')
    await page.mouse.up()
    expect(await ant()).toEqual([at(7, '09:00'), at(7, '14:30')])
    await cardOf(page, 'Ant')
      .locator('.time-bar')
      .click({ position: { x: 18, y: 8 } })
    await page.getByRole('region', { name: 'Task BAR-1' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('keys move a task to other days, and a task without dates can be given a due date', async () => {
    const { project_id, tasks } = await makeBoard(desk, 'Keys', {
      tasks: [
        { title: 'Ant', section_index: 0, due_date: day(3) },
        { title: 'Bee', section_index: 0 },
      ],
    })
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${project_id}?zoom=days`)
    await cardOf(page, 'Ant').waitFor()
    for (const key of ['v', '5']) await page.keyboard.press(key)
    await cardOf(page, 'Ant').locator('.time-bar').waitFor()
    await page.keyboard.press('j')
    await becomes(focusIn(page), 'Ant')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    await becomes(datesOf(tasks[0]!), [null, day(5)])
    await page
      .getByText(/^KEY-1 due/)
      .first()
      .waitFor({ state: 'attached' })
    await becomes(focusIn(page), 'Ant')
    await page.keyboard.press('ControlOrMeta+z')
    await becomes(datesOf(tasks[0]!), [null, day(3)])
    await page.getByRole('button', { name: 'Set dates for KEY-2' }).click()
    await page.getByRole('textbox', { name: 'Due date' }).fill('tomorrow')
    await page.keyboard.press('Enter')
    await becomes(datesOf(tasks[1]!), [null, day(1)])
    await cardOf(page, 'Bee').locator('.time-bar').waitFor()
    // Tasks are sorted by due date.
    await becomes(titlesNow(page), ['Bee', 'Ant'])
    await page.getByRole('button', { name: 'Add a task to Next' }).click()
    await page.getByRole('textbox', { name: 'New task in Next' }).fill('Cat')
    await page.keyboard.press('Enter')
    await becomes(titlesNow(page), ['Bee', 'Ant', 'Cat'])
    await becomes(async () => (await taskOf(desk, 'KEY-3')).section, 'Next')
    expect(complaints).toEqual([])
  })

  test('draws dependencies, marks late ones live, and groups rows by label', async () => {
    const { project_id, tasks } = await makeBoard(desk, 'Links', {
      ...ideas('Ant', 'Bee'),
      labels: [{ name: 'garden', color: '#2f7d32' }],
    })
    const beacon = await desk.hire('Beacon')
    const dates = [day(2), day(6)]
    for (const [index, due_date] of dates.entries())
      await desk.http('PATCH', `/api/v1/tasks/${tasks[index]}`, { body: { due_date } })
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${project_id}?layout=timeline`)
    await cardOf(page, 'Bee').locator('.time-bar').waitFor()
    const links = page.locator('.links g')
    expect(await links.count()).toBe(0)
    const body = { source_ticket_number: tasks[1], target_ticket_number: tasks[0] }
    await desk.http('POST', '/api/v1/relations', { body: { ...body, relation_type: 'BlockedBy' } })
    await becomes(() => links.count(), 1)
    expect(await links.first().getAttribute('class')).toBe('')
    const ticket_number = tasks[0]!
    await beacon.rest('POST', '/api/mcp/tasks/lease/claim', { ticket_number })
    await beacon.tool('svc_tasks', 'update', {
      ticket_number,
      due_date: day(9),
      labels: ['garden'],
    })
    // The blocking task is now due after the task that it blocks.
    await becomes(() => links.first().getAttribute('class'), 'late')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Swimlanes by label' }).click()
    await becomes(
      () => page.locator('.row-name.group .name').allTextContents(),
      ['garden', 'No label'],
    )
    expect(new URL(page.url()).search).toContain('lanes=label')
    for (const zoom of ['Months', 'Days']) {
      await page.getByRole('button', { name: zoom, exact: true }).click()
      expect(new URL(page.url()).searchParams.get('zoom')).toBe(zoom.toLowerCase())
      await becomes(() => page.locator('.time-bar').count(), 2)
    }
    expect(await faultsInBothThemes(page)).toEqual([])
    expect(complaints).toEqual([])
  })
})

const titlesNow = (page: Page) => () => page.locator('.time-row .title').allTextContents()
