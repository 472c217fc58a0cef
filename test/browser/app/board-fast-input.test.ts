import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssues } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import {
  cardOf,
  columnOf,
  createBoard,
  createGardenBoard,
  fetchTask,
  focusedName,
  tasksInIdeas,
  titleOf,
  titlesByColumn,
  titlesIn,
  undoFromToast,
} from './boards.ts'

describe.skipIf(isBrowserSkipped)('fast input on a board', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  test('a value typed before its list has loaded is picked with Enter', async () => {
    const { project_id, tasks } = await createGardenBoard(app, 'Early')
    const { page, problems, go } = await app.openSession()
    await page.route(/assets\/pick.*\.js/, async (route) => {
      await Bun.sleep(1000)
      await route.continue()
    })
    await go(`/projects/${project_id}`)
    await cardOf(page, 'Prune the roses').getByRole('button', { name: 'Priority: Urgent' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('High')
    await page.keyboard.press('Enter')
    await expectEventually(focusedName(page), 'Priority: High')
    await expectEventually(async () => (await fetchTask(app, tasks[0]!)).priority, 2)
    expect(problems).toEqual([])
  })

  test('a card is moved across ten columns without pauses, keeps the focus, and one undo reverts it', async () => {
    const sections = Array.from({ length: 10 }, (_, at) => ({ title: `Column ${at}` }))
    const tasks = [{ title: 'Ant', section_index: 0 }]
    const { project_id } = await createBoard(app, 'Wide', { sections, tasks })
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    await titleOf(page, 'Ant').focus()
    await page.keyboard.down('Shift')
    // The key presses do not wait for each other.
    const { keyboard } = page
    await Promise.all(
      Array.from({ length: 9 }, () => [
        keyboard.down('ArrowRight'),
        keyboard.up('ArrowRight'),
      ]).flat(),
    )
    await page.keyboard.up('Shift')
    await expectEventually(() => titlesIn(page, 'Column 9'), ['Ant'])
    const columnsOnServer = async () =>
      Object.entries(await titlesByColumn(app, project_id)).flatMap(([name, titles]) =>
        titles.map(() => name),
      )
    // The message is shown for a few seconds only, so it is checked before the server.
    await page.locator('.toast').filter({ hasText: 'to Column 9' }).waitFor()
    expect(await page.locator('.toast').count()).toBe(1)
    await expectEventually(columnsOnServer, ['Column 9'])
    await expectEventually(focusedName(page), 'Ant')
    const { x, width } = (await titleOf(page, 'Ant').boundingBox())!
    expect(x + width).toBeLessThan(1360)
    await page.keyboard.press('ControlOrMeta+z')
    await expectEventually(() => titlesIn(page, 'Column 0'), ['Ant'])
    await expectEventually(columnsOnServer, ['Column 0'])
    expect(problems).toEqual([])
  })

  test('keys typed before a picker loads go into its field, and Ctrl+C copies the task', async () => {
    const { project_id, tasks } = await createBoard(app, 'Early', tasksInIdeas('Ant'))
    const { page, problems, go } = await app.openSession()
    await page.route(/picker.*\.js/, async (route) => {
      await Bun.sleep(500)
      await route.continue()
    })
    await go(`/projects/${project_id}`)
    await titleOf(page, 'Ant').focus()
    await page.keyboard.type('purgent')
    const field = page.getByRole('combobox', { name: 'Priority' })
    await field.waitFor()
    await expectEventually(() => field.inputValue(), 'urgent')
    expect(await page.getByRole('combobox', { name: 'Size' }).count()).toBe(0)
    await page.keyboard.press('Enter')
    await expectEventually(async () => (await fetchTask(app, tasks[0]!)).priority, 1)
    expect((await fetchTask(app, tasks[0]!)).estimate ?? 0).toBe(0)
    await expectEventually(focusedName(page), 'Ant')
    await page.evaluate(() => getSelection()?.removeAllRanges())
    await page.keyboard.press('ControlOrMeta+c')
    await page
      .locator('.toast')
      .filter({ hasText: `Copied ${tasks[0]}` })
      .waitFor()
    const clipboard = await page.evaluate(() => navigator.clipboard.readText())
    expect(clipboard).toBe(`${tasks[0]} Ant\n${app.url}/t/${tasks[0]}`)
    expect(problems).toEqual([])
  })

  test('keys typed before quick add loads go into it, not into the filter bar', async () => {
    const { project_id } = await createGardenBoard(app, 'Bars')
    const { page, problems, go } = await app.openSession()
    await page.route(/assets\/filters.*\.js/, async (route) => {
      await Bun.sleep(500)
      await route.continue()
    })
    await page.route(/assets\/quick-add-field.*\.js/, async (route) => {
      await page.getByRole('combobox', { name: 'Filter by' }).waitFor()
      await route.continue()
    })
    await go(`/projects/${project_id}?priority=1`)
    await page.getByRole('button', { name: 'Add a task to Doing' }).click()
    await page.keyboard.type('Call the gardener')
    await page.keyboard.press('Enter')
    await expectEventually(() => titlesIn(page, 'Doing'), ['Call the gardener'])
    expect(await page.getByRole('combobox', { name: 'Filter by' }).inputValue()).toBe('')
    expect(problems).toEqual([])
  })

  test('a task clicked while it is being created opens once it exists', async () => {
    const { project_id } = await createBoard(app, 'Made')
    const { page, problems, go } = await app.openSession()
    const { promise: gate, resolve: openGate } = Promise.withResolvers<void>()
    await page.route('**/api/v1/tasks', async (route) => {
      await gate
      await route.continue()
    })
    await go(`/projects/${project_id}`)
    await page.getByRole('button', { name: 'Add a task to Ideas' }).click()
    await page.keyboard.type('Ant')
    await page.keyboard.press('Enter')
    await titleOf(page, 'Ant').click()
    await page.getByText('Creating the task').waitFor()
    expect(await page.getByRole('region', { name: /^Task / }).count()).toBe(0)
    openGate()
    await page.waitForURL(/task=MAD-1/)
    expect(problems).toEqual([])
  })

  test('a new column takes the focus, a cancelled one returns it, and undo removes the new one', async () => {
    const { project_id } = await createBoard(app, 'Columns')
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    const addColumnButton = page.getByRole('button', { name: 'Add column' })
    await addColumnButton.click()
    await page.keyboard.press('Escape')
    await expectEventually(focusedName(page), 'Add column')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Soon')
    await page.keyboard.press('Enter')
    await expectEventually(focusedName(page), 'Add a task to Soon')
    await undoFromToast(page, 'Added Soon')
    await columnOf(page, 'Soon').waitFor({ state: 'detached' })
    expect(Object.keys(await titlesByColumn(app, project_id))).not.toContain('Soon')
    expect(problems).toEqual([])
  })

  test('a card shows four of many labels, and an archived board offers no way to add tasks', async () => {
    const names = ['red', 'blue', 'green', 'white', 'black', 'brown']
    const { project_id } = await createBoard(app, 'Old', {
      labels: names.map((name) => ({ name, color: '#2f7d32' })),
      tasks: [{ title: 'Ant', section_index: 0, labels: names }],
    })
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    await cardOf(page, 'Ant').getByText('+2').waitFor()
    expect(await cardOf(page, 'Ant').locator('.dot').count()).toBe(4)
    await app.http('POST', `/api/v1/projects/${project_id}/archive`, { body: {} })
    const banner = page.getByRole('status').filter({ hasText: 'This board is archived' })
    await banner.waitFor()
    expect(await page.getByRole('button', { name: /^Add a/ }).count()).toBe(0)
    await page.keyboard.press('c')
    expect(await page.getByRole('textbox', { name: /^New task/ }).count()).toBe(0)
    expect(await accessibilityIssues(page)).toEqual([])
    await banner.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('button', { name: 'Add a task to Ideas' }).waitFor()
    await undoFromToast(page, 'Restored Old')
    await banner.waitFor()
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await accessibilityIssues(page)).toEqual([])
    expect(problems).toEqual([])
  })
})
