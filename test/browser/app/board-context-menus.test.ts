import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssues, accessibilityIssuesInBothThemes } from '../page-checks.ts'
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
import { centerOf, fingerOf } from './touch.ts'

const item = (page: Page, name: string | RegExp) => page.getByRole('menuitem', { name })
const option = (page: Page, name: string) =>
  page.getByRole('menuitemcheckbox', { name, exact: true })

describe.skipIf(isBrowserSkipped)('context menus', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  test('a right click on a card opens a menu that edits it without opening it', async () => {
    const { project_id, tasks } = await createGardenBoard(app, 'Right click')
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    await cardOf(page, 'Fix the tap').click({ button: 'right' })
    await page.getByRole('menu', { name: /^Actions for / }).waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await item(page, /^Priority/).click()
    await option(page, 'Low').click()
    await cardOf(page, 'Fix the tap').getByRole('button', { name: 'Priority: Low' }).waitFor()
    await expectEventually(async () => (await fetchTask(app, tasks[2]!)).priority, 4)
    await cardOf(page, 'Fix the tap').click({ button: 'right' })
    await item(page, 'Copy branch name').click()
    await page.getByText(`Copied ${tasks[2]!.toLowerCase()}-fix-the-tap`).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `${tasks[2]!.toLowerCase()}-fix-the-tap`,
    )
    expect(problems).toEqual([])
  })

  test('Shift+F10 opens the menu of the focused card, and the keys walk through it', async () => {
    const { project_id } = await createGardenBoard(app, 'Menu key')
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    await titleOf(page, 'Fix the tap').focus()
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menu', { name: /^Actions for / }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await expectEventually(focusedName(page), 'Fix the tap')
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menu').waitFor()
    await page.keyboard.type('Mov')
    await page.keyboard.press('ArrowRight')
    await option(page, 'Doing').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.keyboard.type('Doi')
    await page.keyboard.press('Enter')
    await expectEventually(() => titlesIn(page, 'Doing'), ['Fix the tap'])
    expect(problems).toEqual([])
  })

  test('the menu of a selected card acts on the whole selection, and undo restores it', async () => {
    const { project_id } = await createBoard(app, 'Many', tasksInIdeas('Ant', 'Bee', 'Cat'))
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    for (const title of ['Ant', 'Bee'])
      await titleOf(page, title).click({ modifiers: ['ControlOrMeta'] })
    await cardOf(page, 'Bee').click({ button: 'right' })
    await page.getByRole('menu', { name: 'Actions for 2 tasks' }).waitFor()
    expect(await item(page, 'Duplicate').count()).toBe(0)
    await item(page, 'Archive').click()
    await expectEventually(() => titlesIn(page, 'Ideas'), ['Cat'])
    await expectEventually(async () => (await titlesByColumn(app, project_id)).Ideas, ['Cat'])
    await undoFromToast(page, 'Archived 2 tasks')
    await expectEventually(() => titlesIn(page, 'Ideas'), ['Ant', 'Bee', 'Cat'])
    expect(problems).toEqual([])
  })

  test('a card is duplicated, gets a subtask and moves to another board from its menu', async () => {
    const { project_id } = await createBoard(app, 'Source', tasksInIdeas('Ant'))
    await createBoard(app, 'Target')
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    await cardOf(page, 'Ant').click({ button: 'right' })
    await item(page, 'Add a subtask…').click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Feed it')
    await page.keyboard.press('Enter')
    await expectEventually(() => titlesIn(page, 'Ideas'), ['Ant', 'Feed it'])
    await cardOf(page, 'Ant').click({ button: 'right' })
    await item(page, 'Duplicate').click()
    await page.getByRole('article', { name: /Ant \(copy\)/ }).waitFor()
    await page.keyboard.press('Escape')
    await cardOf(page, 'Feed it').click({ button: 'right' })
    await item(page, 'Move to board').click()
    await item(page, 'Target').click()
    await page.getByText(/^Moved .* to Target as TAR-1$/).waitFor()
    await expectEventually(() => titlesIn(page, 'Ideas'), ['Ant', 'Ant (copy)'])
    expect(problems).toEqual([])
  })

  test('the menus of a column, a board and a comment open by right click', async () => {
    const { project_id, tasks } = await createBoard(app, 'Nouns', tasksInIdeas('Ant'))
    await app.http('POST', `/api/v1/tasks/${tasks[0]}/comments`, { body: { text: 'Looks fine' } })
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}?task=${tasks[0]}`)
    await page.getByText('Looks fine').click({ button: 'right' })
    await item(page, 'Copy link').waitFor()
    expect(await item(page, 'Edit').count()).toBe(1)
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await columnOf(page, 'Ideas').getByRole('heading', { name: 'Ideas' }).click({ button: 'right' })
    await item(page, 'Rename').click()
    await page.getByRole('textbox', { name: 'Column name' }).fill('Dreams')
    await page.keyboard.press('Enter')
    await columnOf(page, 'Dreams').waitFor()
    await page.getByRole('link', { name: 'Nouns' }).click({ button: 'right' })
    await item(page, 'Board settings').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await item(page, 'Board settings').click()
    await page.waitForURL(/settings/)
    expect(problems).toEqual([])
  })

  test('a long press opens the menu of a column, and scrolling cancels it', async () => {
    const { project_id } = await createBoard(app, 'Fingers', tasksInIdeas('Ant'))
    const session = await app.openSession({ width: 390, height: 844, touch: true })
    const { page, problems, go } = session
    await go(`/projects/${project_id}`)
    const finger = fingerOf(await session.context.newCDPSession(page))
    const heading = columnOf(page, 'Ideas').getByRole('heading', { name: 'Ideas' })
    await heading.waitFor()
    const at = await centerOf(heading)
    await finger.down(at)
    await finger.move(at, [at[0], at[1] + 60])
    await Bun.sleep(700)
    await finger.up()
    expect(await page.getByRole('menu').count()).toBe(0)
    await finger.down(at)
    await item(page, 'Rename').waitFor()
    await finger.up()
    await item(page, 'Rename').tap()
    await page.getByRole('textbox', { name: 'Column name' }).waitFor()
    expect(problems).toEqual([])
  })
})
