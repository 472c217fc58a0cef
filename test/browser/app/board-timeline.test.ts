import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
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

  test('dates are drawn with the mouse, for a task without dates and for a new one, with undo', async () => {
    const { project_id, tasks } = await createBoard(app, 'Draw', tasksInIdeas('Ant'))
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}?layout=timeline&zoom=days`)
    const ant = datesOf(tasks[0]!)
    const draw = async (row: Locator, days: number) => {
      const track = (await row.locator('.draw-track').boundingBox())!
      const today = (await page.locator('.time-lines .now').boundingBox())!
      const y = track.y + track.height / 2
      await dragBy(page, [today.x + 36, y], days * 36)
    }
    await draw(cardOf(page, 'Ant'), 3)
    const [from, to] = [dayFromNow(1), dayFromNow(4)]
    await expectEventually(ant, [timeFromNow(1, '00:00'), to])
    await expectEventually(async () => Math.round((await boxOf(page, 'Ant')).width), 4 * 36)
    await undoFromToast(page, 'DRA-1 from')
    await expectEventually(ant, [null, null])

    await draw(page.locator('.group-row').nth(1), 3)
    const field = page.getByRole('textbox', { name: 'New task in Next' })
    await field.fill('Bee')
    await field.press('Enter')
    await cardOf(page, 'Bee').locator('.time-bar').waitFor()
    await expectEventually(async () => {
      const { section, start_date, due_date } = await fetchTask(app, 'DRA-2')
      return [section, start_date.slice(0, 10), due_date]
    }, ['Next', from, to])
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test('keys lengthen and shorten a task, one undo reverts all of it, and groups can be folded', async () => {
    const { project_id, tasks } = await createBoard(app, 'Length', {
      tasks: [{ title: 'Ant', section_index: 0, due_date: dayFromNow(3) }],
    })
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}?layout=timeline&zoom=days`)
    await cardOf(page, 'Ant').locator('.time-bar').waitFor()
    await page.keyboard.press('j')
    await expectEventually(focusedName(page), 'Ant')
    for (const side of ['Right', 'Right', 'Left'])
      await page.keyboard.press(`Alt+Shift+Arrow${side}`)
    await expectEventually(datesOf(tasks[0]!), [timeFromNow(3, '00:00'), dayFromNow(4)])
    await page.keyboard.press('ControlOrMeta+z')
    await expectEventually(datesOf(tasks[0]!), [null, dayFromNow(3)])
    const group = page.getByRole('button', { name: /Ideas 1$/ })
    await group.click()
    await cardOf(page, 'Ant').waitFor({ state: 'detached' })
    await page.reload()
    await group.waitFor()
    expect(await group.getAttribute('aria-expanded')).toBe('false')
    await group.press('Enter')
    await cardOf(page, 'Ant').waitFor()
    expect(problems).toEqual([])
  })

  test('Ctrl and the wheel zoom around the pointer, and dragging the background pans', async () => {
    const { project_id } = await createBoard(app, 'Zoom', {
      tasks: [{ title: 'Ant', section_index: 0, due_date: dayFromNow(3) }],
    })
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}?layout=timeline&zoom=days`)
    const { x, y, width, height } = await boxOf(page, 'Ant')
    const middle = async () => {
      const box = await boxOf(page, 'Ant')
      return Math.abs(box.x + box.width / 2 - (x + width / 2)) < 12
    }
    await page.mouse.move(x + width / 2, y + height / 2)
    await page.keyboard.down('Control')
    for (let step = 0; step < 3; step++) await page.mouse.wheel(0, 100)
    await page.keyboard.up('Control')
    await expectEventually(async () => new URL(page.url()).searchParams.get('zoom'), null)
    await expectEventually(async () => (await boxOf(page, 'Ant')).width < width, true)
    await expectEventually(middle, true)
    const before = (await boxOf(page, 'Ant')).x
    const axis = (await page.locator('.axis-days').boundingBox())!
    await dragBy(page, [x + 100, axis.y + 10], -60)
    await expectEventually(
      async () => Math.abs((await boxOf(page, 'Ant')).x - (before - 60)) < 3,
      true,
    )
    expect(problems).toEqual([])
  })

  test('bars take the color of the column, the label, the person or the priority, which is kept', async () => {
    const { project_id } = await createBoard(app, 'Hues', {
      labels: [{ name: 'garden', color: '#2f7d32' }],
      tasks: [
        {
          ...{ title: 'Ant', section_index: 0, due_date: dayFromNow(3) },
          ...{ priority: 1, labels: ['garden'] },
        },
        { title: 'Bee', section_index: 0, due_date: dayFromNow(4) },
      ],
    })
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}?layout=timeline`)
    const colorOf = (title: string) => () =>
      cardOf(page, title)
        .locator('.time-bar')
        .evaluate((bar) => (bar as HTMLElement).style.getPropertyValue('--mark'))
    await expectEventually(colorOf('Ant'), 'var(--edge)')
    const chooseColor = async (name: string) => {
      await page.getByRole('button', { name: /^Colour:/ }).press('Enter')
      await page.getByRole('menuitemcheckbox', { name }).click()
    }
    await chooseColor('Label')
    await expectEventually(colorOf('Ant'), '#2f7d32')
    expect(await colorOf('Bee')()).toBe('')
    await page.getByRole('list', { name: 'Colours' }).getByText('garden').waitFor()
    await chooseColor('Priority')
    await expectEventually(colorOf('Ant'), '#d14343')
    await go(`/projects/${project_id}?layout=calendar`)
    await page.getByRole('button', { name: 'Colour: Priority' }).waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
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
