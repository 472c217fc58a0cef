import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssues } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import {
  cardOf,
  columnOf,
  createBoard,
  drag,
  fetchTask,
  focusedName,
  tasksInIdeas,
  titleOf,
  titlesByColumn,
  titlesIn,
  undoFromToast,
} from './boards.ts'
import { holdWrites } from './held-writes.ts'

describe.skipIf(isBrowserSkipped)('a board', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  test('keeps the order of tasks that are added in quick succession', async () => {
    const { project_id } = await createBoard(app, 'Quick')
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    await page.getByRole('heading', { name: 'No tasks yet' }).waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.keyboard.press('c')
    const field = page.getByRole('textbox', { name: 'New task in Ideas' })
    for (const title of ['First', 'Second', 'Third']) {
      await field.fill(title)
      await field.press('Enter')
    }
    await expectEventually(() => titlesIn(page, 'Ideas'), ['First', 'Second', 'Third'])
    await expectEventually(
      async () => (await titlesByColumn(app, project_id)).Ideas,
      ['First', 'Second', 'Third'],
    )
    await cardOf(page, 'Third').getByText('QUI-3').waitFor()
    await field.press('Escape')
    await field.waitFor({ state: 'detached' })
    await columnOf(page, 'Doing').getByRole('button', { name: 'Add a task to Doing' }).click()
    await page.getByRole('textbox', { name: 'New task in Doing' }).press('Escape')
    await expectEventually(focusedName(page), 'Add a task to Doing')
    expect(problems).toEqual([])
  })

  test('shows each of several new tasks once when the server is slow', async () => {
    const { project_id } = await createBoard(app, 'Slow')
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    // The responses arrive after the events.
    const delivery = Promise.withResolvers<void>()
    await page.route('**/api/v1/tasks', async (route) => {
      const response = await route.fetch()
      await delivery.promise
      await route.fulfill({ response })
    })
    await page.keyboard.press('c')
    const field = page.getByRole('textbox', { name: 'New task in Ideas' })
    for (const title of ['First', 'Second', 'Third']) {
      await field.fill(title)
      await field.press('Enter')
    }
    await cardOf(page, 'First').getByText('SLO-1').waitFor()
    expect(await titlesIn(page, 'Ideas')).toEqual(['First', 'Second', 'Third'])
    delivery.resolve()
    await cardOf(page, 'Third').getByText('SLO-3').waitFor()
    expect(await titlesIn(page, 'Ideas')).toEqual(['First', 'Second', 'Third'])
    await cardOf(page, 'First').getByText('SLO-1').waitFor()
    expect(problems).toEqual([])
  })

  test('moves a card by dragging within its column and to another, and undo reverts it', async () => {
    const { project_id } = await createBoard(app, 'Mouse', tasksInIdeas('Ant', 'Bee', 'Cat'))
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    await drag(page, cardOf(page, 'Ant'), cardOf(page, 'Cat'), 'bottom')
    await expectEventually(() => titlesIn(page, 'Ideas'), ['Bee', 'Cat', 'Ant'])
    await drag(page, cardOf(page, 'Ant'), cardOf(page, 'Cat'), 'top')
    await expectEventually(() => titlesIn(page, 'Ideas'), ['Bee', 'Ant', 'Cat'])
    await drag(page, cardOf(page, 'Ant'), columnOf(page, 'Doing'), 'bottom')
    await expectEventually(() => titlesIn(page, 'Doing'), ['Ant'])
    await page.getByText('Moved MOU-1 to Doing').waitFor()
    await expectEventually(async () => (await titlesByColumn(app, project_id)).Doing, ['Ant'])
    await undoFromToast(page, 'Moved MOU-1 to Doing')
    await expectEventually(() => titlesIn(page, 'Ideas'), ['Bee', 'Ant', 'Cat'])
    await expectEventually(
      async () => (await titlesByColumn(app, project_id)).Ideas,
      ['Bee', 'Ant', 'Cat'],
    )
    expect((await titlesByColumn(app, project_id)).Doing).toEqual([])
    expect(problems).toEqual([])
  })

  test('moves a card with the keys, announces its position, and one undo reverts all moves', async () => {
    const { project_id } = await createBoard(app, 'Keys', tasksInIdeas('Ant', 'Bee', 'Cat'))
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    await titleOf(page, 'Ant').waitFor()
    await page.keyboard.press('j')
    await expectEventually(focusedName(page), 'Ant')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await expectEventually(() => titlesIn(page, 'Ideas'), ['Bee', 'Cat', 'Ant'])
    await page.getByText('KEY-1 moved to Ideas, 3 of 3').waitFor({ state: 'attached' })
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    await expectEventually(() => titlesIn(page, 'Doing'), ['Ant'])
    expect(await titlesIn(page, 'Next')).toEqual([])
    await expectEventually(focusedName(page), 'Ant')
    await page.keyboard.press('k')
    await page.keyboard.press('ArrowLeft')
    await expectEventually(focusedName(page), 'Bee')
    await page.keyboard.press('ControlOrMeta+z')
    // One undo reverts the whole sequence of moves.
    await expectEventually(() => titlesIn(page, 'Ideas'), ['Ant', 'Bee', 'Cat'])
    expect(await titlesIn(page, 'Doing')).toEqual([])
    await expectEventually(
      async () => (await titlesByColumn(app, project_id)).Ideas,
      ['Ant', 'Bee', 'Cat'],
    )
    expect(problems).toEqual([])
  })

  test('edits priority, size, labels, assignees and column with single keys', async () => {
    const { project_id, tasks } = await createBoard(app, 'Letters', {
      ...tasksInIdeas('Ant', 'Bee'),
      labels: [{ name: 'garden', color: '#2f7d32' }],
    })
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    await titleOf(page, 'Ant').waitFor()
    await page.keyboard.press('j')
    const pick = async (key: string, list: string, ...typed: string[]) => {
      await page.keyboard.press(key)
      await page.getByRole('combobox', { name: list }).waitFor()
      expect(await accessibilityIssues(page)).toEqual([])
      for (const one of typed) await page.keyboard.type(one)
      await page.keyboard.press('Enter')
    }
    await pick('p', 'Priority', 'Urg')
    await cardOf(page, 'Ant').getByRole('button', { name: 'Priority: Urgent' }).waitFor()
    await pick('e', 'Size', 'XL')
    await cardOf(page, 'Ant').getByTitle('Size').getByText('XL').waitFor()
    await pick('l', 'Labels', 'gar')
    await page.keyboard.press('Escape')
    await cardOf(page, 'Ant').getByText('garden').waitFor()
    await pick('a', 'Assignees', 'Ada')
    await page.keyboard.press('Escape')
    await cardOf(page, 'Ant').getByRole('button', { name: 'Assignees: Ada' }).waitFor()
    await pick('s', 'Column', 'Next')
    await expectEventually(() => titlesIn(page, 'Next'), ['Ant'])
    await expectEventually(focusedName(page), 'Ant')
    // The card shows each change before the server has responded.
    await expectEventually(async () => {
      const { priority, estimate, labels, assignees, section } = await fetchTask(app, tasks[0]!)
      const names = [...labels, ...assignees].map((one: { name: string }) => one.name)
      return [priority, estimate, ...names, section]
    }, [1, 6, 'garden', 'Ada', 'Next'])
    expect(problems).toEqual([])
  })

  test('moves a card back and shows the reason when the server refuses the move', async () => {
    const { project_id } = await createBoard(app, 'Refused', tasksInIdeas('Ant', 'Bee'))
    const { page, problems, go } = await app.openSession({ ignoredMessages: /409/ })
    await page.route('**/place', (route) =>
      route.fulfill({
        status: 409,
        json: { success: false, message: 'Somebody else holds it', hint: 'Wait for them' },
      }),
    )
    await go(`/projects/${project_id}`)
    await titleOf(page, 'Ant').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Shift+ArrowRight')
    await page.getByRole('alert').getByText('Somebody else holds it. Wait for them').waitFor()
    await expectEventually(() => titlesIn(page, 'Ideas'), ['Ant', 'Bee'])
    expect(await titlesIn(page, 'Next')).toEqual([])
    expect(problems).toEqual([])
  })

  test('restores the typed title to its field when creating the task fails', async () => {
    const { project_id } = await createBoard(app, 'Full', tasksInIdeas('Ant'))
    const { page, problems, go } = await app.openSession({ ignoredMessages: /507/ })
    const refuse = await holdWrites(page, '**/api/v1/tasks', 507, 'The disk is full')
    await go(`/projects/${project_id}`)
    await titleOf(page, 'Ant').waitFor()
    await page.keyboard.press('c')
    const field = page.getByRole('textbox', { name: 'New task in Ideas' })
    await field.fill('Write to the harbour')
    await field.press('Enter')
    await field.press('Escape')
    await field.waitFor({ state: 'detached' })
    await refuse()
    await page.getByRole('alert').getByText('The disk is full').waitFor()
    await expectEventually(() => field.inputValue(), 'Write to the harbour')
    expect(await titlesIn(page, 'Ideas')).toEqual(['Ant'])
    await page.unrouteAll()
    await field.press('Enter')
    await expectEventually(
      async () => (await titlesByColumn(app, project_id)).Ideas,
      ['Ant', 'Write to the harbour'],
    )
    expect(problems).toEqual([])
  })
})
