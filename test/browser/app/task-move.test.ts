import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { accessibilityIssues } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { createBoard, tasksInIdeas } from './boards.ts'

/** The app loads 50 boards with the sidebar. */
const OTHER_BOARDS = 55

describe.skipIf(isBrowserSkipped)('moving a task to another board', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  test('finds a board by a title with a typo, also if the sidebar does not have it', async () => {
    const { tasks } = await createBoard(app, 'Workshop', tasksInIdeas('Sharpen the saw'))
    for (let at = 1; at <= OTHER_BOARDS; at++)
      await createBoard(app, at === 1 ? 'Glasshouse' : `Allotment ${at}`)
    const { page, problems, go } = await app.openSession()
    await go(`/t/${tasks[0]}`)
    await page.getByRole('button', { name: `More about ${tasks[0]}` }).click()
    await page.getByRole('menuitem', { name: 'Move to another board' }).click()
    await page.getByRole('combobox', { name: 'Move to which board?' }).waitFor()
    await page.keyboard.type('glashouse')
    const found = page.getByRole('option', { name: 'Glasshouse' })
    await found.waitFor()
    expect(await page.getByRole('option').count()).toBe(1)
    expect(await accessibilityIssues(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByText(/^Moved .* to Glasshouse as /).waitFor()
    expect(problems).toEqual([])
  })

  test('says that no board matches, and clearing the text shows all boards', async () => {
    const { tasks } = await createBoard(app, 'Bakery', tasksInIdeas('Proof the dough'))
    const { page, problems, go } = await app.openSession({ touch: true, width: 390, height: 800 })
    await go(`/t/${tasks[0]}`)
    await page.getByRole('button', { name: `More about ${tasks[0]}` }).tap()
    await page.getByRole('menuitem', { name: 'Move to another board' }).tap()
    const field = page.getByRole('combobox', { name: 'Move to which board?' })
    await field.fill('xylophone')
    await page.getByText('No matching boards').waitFor()
    await field.fill('')
    await page.getByRole('option', { name: 'Allotment 55' }).waitFor()
    expect(problems).toEqual([])
  })
})
