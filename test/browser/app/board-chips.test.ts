import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssues, accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import {
  cardOf,
  createBoard,
  createGardenBoard,
  fetchTask,
  focusedName,
  tasksInIdeas,
  titleOf,
  titlesByColumn,
  titlesIn,
} from './boards.ts'

const labelNames = async (app: WebApp, ticket: string) =>
  (await fetchTask(app, ticket)).labels.map((one: { name: string }) => one.name)

describe.skipIf(isBrowserSkipped)('the chips of a card', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  test('a click on a chip edits that field in place and does not open the task', async () => {
    const { project_id, tasks } = await createGardenBoard(app, 'Chips')
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    const roses = cardOf(page, 'Prune the roses')
    await roses.getByRole('button', { name: 'Priority: Urgent' }).click()
    await page.getByRole('combobox', { name: 'Priority' }).waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.getByRole('option', { name: 'Low' }).click()
    await roses.getByRole('button', { name: 'Priority: Low' }).waitFor()
    await expectEventually(async () => (await fetchTask(app, tasks[0]!)).priority, 4)
    await roses.getByRole('button', { name: 'Labels: garden' }).click()
    await page.getByRole('option', { name: 'house' }).click()
    await page.keyboard.press('Escape')
    await roses.getByRole('button', { name: 'Labels: garden, house' }).waitFor()
    await expectEventually(focusedName(page), 'Labels: garden, house')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('ControlOrMeta+z')
    await roses.getByRole('button', { name: 'Labels: garden', exact: true }).waitFor()
    await page.keyboard.press('ControlOrMeta+z')
    await roses.getByRole('button', { name: 'Priority: Urgent' }).waitFor()
    expect(problems).toEqual([])
  })

  test('fields that are not set appear below the pointer, and the card keeps its size', async () => {
    const { project_id, tasks } = await createBoard(app, 'Ghosts', tasksInIdeas('Ant', 'Bee'))
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    const ant = cardOf(page, 'Ant')
    const before = await ant.boundingBox()
    await ant.hover()
    const assignMe = ant.getByRole('button', { name: 'Assign to me' })
    await assignMe.waitFor()
    expect(await ant.boundingBox()).toEqual(before)
    await expectEventually(
      () => ant.locator('.card-tools').evaluate((e) => getComputedStyle(e).opacity),
      '1',
    )
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await assignMe.click()
    await ant.getByRole('button', { name: 'Assignees: Ada' }).waitFor()
    await ant.getByRole('button', { name: 'Set due date' }).click()
    await page.getByRole('button', { name: /^Tomorrow/ }).click()
    await ant.getByRole('button', { name: /^Due: / }).waitFor()
    await ant.getByRole('button', { name: 'Mark as done' }).click()
    await expectEventually(() => titlesIn(page, 'Done'), ['Ant'])
    await expectEventually(async () => (await titlesByColumn(app, project_id)).Done, ['Ant'])
    const { assignees, due_date } = await fetchTask(app, tasks[0]!)
    expect([assignees.length, typeof due_date]).toEqual([1, 'string'])
    expect(problems).toEqual([])
  })

  test('F2 and the arrow keys reach the chips, Enter opens one, and Escape leaves them', async () => {
    const { project_id } = await createGardenBoard(app, 'Roving')
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    await titleOf(page, 'Prune the roses').focus()
    // Chips are no tab stops.
    await page.keyboard.press('Tab')
    await expectEventually(focusedName(page), 'Paint the fence')
    await page.keyboard.press('k')
    await expectEventually(focusedName(page), 'Prune the roses')
    const tool = cardOf(page, 'Prune the roses').getByRole('button', {
      name: 'Assign',
      exact: true,
    })
    await tool.waitFor()
    await page.keyboard.press('F2')
    await expectEventually(focusedName(page), 'Assign')
    await page.keyboard.press('ArrowLeft')
    await expectEventually(focusedName(page), 'Labels: garden')
    await page.keyboard.press('ArrowLeft')
    await expectEventually(focusedName(page), 'Priority: Urgent')
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Priority' }).waitFor()
    await page.keyboard.type('High')
    await page.keyboard.press('Enter')
    await expectEventually(focusedName(page), 'Priority: High')
    await page.keyboard.press('Escape')
    await expectEventually(focusedName(page), 'Prune the roses')
    expect(problems).toEqual([])
  })

  test('a label that does not exist is created in the picker with a color, and undo deletes it', async () => {
    const { project_id, tasks } = await createGardenBoard(app, 'New labels')
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    const tap = cardOf(page, 'Fix the tap')
    await tap.getByRole('button', { name: 'Labels: house' }).click()
    await page.keyboard.type('water')
    await page.getByRole('button', { name: 'Teal' }).click()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: 'water', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await tap.getByRole('button', { name: 'Labels: house, water' }).waitFor()
    await expectEventually(() => labelNames(app, tasks[2]!), ['house', 'water'])
    const { labels } = await fetchTask(app, tasks[2]!)
    expect(labels.at(-1).color).toBe('#0f7f76')
    await page.keyboard.press('ControlOrMeta+z')
    await tap.getByRole('button', { name: 'Labels: house', exact: true }).waitFor()
    await page.keyboard.press('ControlOrMeta+z')
    const names = async () => {
      const { body } = await app.http('GET', `/api/v1/projects/${project_id}/labels`)
      return body.data.map((one: { name: string }) => one.name)
    }
    await expectEventually(names, ['garden', 'house'])
    expect(problems).toEqual([])
  })

  test('a column that does not exist is created in the picker, and the task moves there', async () => {
    const { project_id } = await createBoard(app, 'New columns', tasksInIdeas('Ant'))
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    await titleOf(page, 'Ant').focus()
    await page.keyboard.press('s')
    await page.getByRole('combobox', { name: 'Column' }).fill('Parked')
    await page.keyboard.press('Enter')
    await expectEventually(() => titlesIn(page, 'Parked'), ['Ant'])
    await expectEventually(async () => (await titlesByColumn(app, project_id)).Parked, ['Ant'])
    expect(problems).toEqual([])
  })

  test('a chip shows the reason and the former value when the server refuses the change', async () => {
    const { project_id } = await createGardenBoard(app, 'Refusals')
    const { page, problems, go } = await app.openSession({ ignoredMessages: /409/ })
    await page.route('**/api/v1/tasks', (route) =>
      route.fulfill({
        status: 409,
        json: { success: false, message: 'Beacon holds it', hint: 'Wait for it' },
      }),
    )
    await go(`/projects/${project_id}`)
    const roses = cardOf(page, 'Prune the roses')
    await roses.getByRole('button', { name: 'Priority: Urgent' }).click()
    await page.getByRole('option', { name: 'Low' }).click()
    await page.getByRole('alert').getByText('Beacon holds it. Wait for it').waitFor()
    await roses.getByRole('button', { name: 'Priority: Urgent' }).waitFor()
    expect(problems).toEqual([])
  })
})
