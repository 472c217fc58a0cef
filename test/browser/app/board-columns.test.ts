import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssues, accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import {
  cardTitles,
  columnOf,
  createBoard,
  createGardenBoard,
  drag,
  fetchTask,
  focusedName,
  GARDEN_TITLES,
  tasksInIdeas,
  titleOf,
  titlesByColumn,
  titlesIn,
  undoFromToast,
} from './boards.ts'

describe.skipIf(isBrowserSkipped)('columns and bulk changes of a board', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  test('columns are renamed, moved, added, hidden, marked as done and deleted, with undo', async () => {
    const { project_id } = await createBoard(app, 'Columns', tasksInIdeas('Ant', 'Bee'))
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    const fetchColumns = async () => Object.keys(await titlesByColumn(app, project_id))
    const chooseFromMenu = async (column: string, item: string | RegExp) => {
      await page.getByRole('button', { name: `More about ${column}` }).click()
      await page.locator('[role^=menuitem]', { hasText: item }).first().click()
    }
    await titleOf(page, 'Ant').waitFor()
    await page.getByRole('button', { name: 'More about Ideas' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Column name' }).fill('Seeds')
    await page.keyboard.press('Enter')
    await expectEventually(focusedName(page), 'More about Seeds')
    await expectEventually(fetchColumns, ['Seeds', 'Next', 'Doing', 'Done'])
    await undoFromToast(page, 'Renamed to Seeds')
    await expectEventually(fetchColumns, ['Ideas', 'Next', 'Doing', 'Done'])

    // Dragging uses positions on the screen, so the new order must be shown before the next drag.
    const shownColumns = () =>
      page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents()
    const headingOf = (title: string) => page.getByRole('heading', { name: title, exact: true })
    await drag(page, headingOf('Ideas'), columnOf(page, 'Doing'), 'right')
    await expectEventually(fetchColumns, ['Next', 'Doing', 'Ideas', 'Done'])
    await expectEventually(shownColumns, ['Next', 'Doing', 'Ideas', 'Done'])
    await drag(page, headingOf('Ideas'), columnOf(page, 'Next'), 'left')
    await expectEventually(fetchColumns, ['Ideas', 'Next', 'Doing', 'Done'])
    await chooseFromMenu('Next', 'Move left')
    await expectEventually(fetchColumns, ['Next', 'Ideas', 'Doing', 'Done'])
    await expectEventually(shownColumns, ['Next', 'Ideas', 'Doing', 'Done'])
    await chooseFromMenu('Next', 'Add column to the right')
    await page.getByRole('textbox', { name: 'New column name' }).fill('Soon')
    await page.keyboard.press('Enter')
    await expectEventually(fetchColumns, ['Next', 'Soon', 'Ideas', 'Doing', 'Done'])
    // The new column moves the others, and a click at the old place of a button opens no menu.
    await expectEventually(shownColumns, ['Next', 'Soon', 'Ideas', 'Doing', 'Done'])

    await chooseFromMenu('Doing', 'Hide')
    await columnOf(page, 'Doing').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Show hidden columns', exact: true }).click()
    await columnOf(page, 'Doing').getByRole('img', { name: 'Hidden' }).waitFor()
    await chooseFromMenu('Ideas', 'Counts as done')
    await columnOf(page, 'Ideas').getByRole('img', { name: 'Counts as done' }).waitFor()
    await undoFromToast(page, 'Ideas counts as done')
    await columnOf(page, 'Ideas')
      .getByRole('img', { name: 'Counts as done' })
      .waitFor({ state: 'detached' })

    await chooseFromMenu('Ideas', 'Delete…')
    const dialog = page.getByRole('dialog', { name: 'Delete Ideas?' })
    await dialog.getByRole('combobox', { name: 'Move its 2 tasks to' }).selectOption('Soon')
    expect(await accessibilityIssues(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Delete column' }).click()
    await expectEventually(() => titlesIn(page, 'Soon'), ['Ant', 'Bee'])
    await columnOf(page, 'Ideas').waitFor({ state: 'detached' })
    await undoFromToast(page, 'Deleted Ideas')
    await expectEventually(() => titlesIn(page, 'Ideas'), ['Ant', 'Bee'])
    expect(await titlesByColumn(app, project_id)).toEqual({
      ...{ Next: [], Soon: [], Ideas: ['Ant', 'Bee'], Doing: [], Done: [] },
    })
    expect(problems).toEqual([])
  })

  test('a column gets a color and a role icon, warns at and over its limit, and undo restores it', async () => {
    const { project_id } = await createBoard(app, 'Tints', tasksInIdeas('Ant', 'Bee'))
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    const ideas = columnOf(page, 'Ideas')
    await ideas.getByRole('img', { name: 'New ideas' }).waitFor()
    const sectionOf = async (title: string) => {
      const { body } = await app.http('GET', `/api/v1/projects/${project_id}/sections`)
      return body.data.find((section: { title: string }) => section.title === title)
    }
    const colorOf = async () => (await sectionOf('Ideas')).color
    const tint = () =>
      ideas.evaluate((element) => getComputedStyle(element).getPropertyValue('--tint'))
    await page.getByRole('button', { name: 'More about Ideas' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Set colour…' }).click()
    await page.getByRole('combobox', { name: 'Colour of Ideas' }).fill('vio')
    expect(await accessibilityIssues(page)).toEqual([])
    await page.keyboard.press('Enter')
    await expectEventually(colorOf, '#8250c8')
    await expectEventually(tint, '#8250c8')
    await undoFromToast(page, 'Set the colour of Ideas to violet')
    await expectEventually(colorOf, null)
    await expectEventually(tint, '')

    const { section_id } = await sectionOf('Ideas')
    const setLimit = (wip_limit: number) =>
      app.http('PATCH', `/api/v1/projects/${project_id}/sections/${section_id}`, {
        body: { wip_limit },
      })
    const count = () => ideas.locator('.count').textContent()
    await setLimit(2)
    await expectEventually(count, '2/2, at the limit')
    await setLimit(1)
    await expectEventually(count, '2/1, over the limit')
    await expectEventually(tint, '#b3261e')
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test('selected cards are changed, archived and deleted together, and undo reverts each change', async () => {
    const { project_id, tasks } = await createGardenBoard(app, 'Many')
    const { page, problems, go } = await app.openSession({ theme: 'dark' })
    await go(`/projects/${project_id}`)
    await titleOf(page, GARDEN_TITLES[0]!).click({ modifiers: ['Shift'] })
    await titleOf(page, 'Fix the tap').click({ modifiers: ['Shift'] })
    const bar = page.getByRole('toolbar', { name: 'Selected tasks' })
    await bar.getByText('3 selected').waitFor()
    await page.keyboard.press('Escape')
    await bar.waitFor({ state: 'detached' })
    await page.keyboard.press('ControlOrMeta+a')
    await bar.getByText('4 selected').waitFor()
    await titleOf(page, 'Order tiles').click({ modifiers: ['ControlOrMeta'] })
    await bar.getByText('3 selected').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])

    const fetchValues = async (name: string) =>
      Promise.all(tasks.slice(0, 3).map(async (ticket) => (await fetchTask(app, ticket))[name]))
    await bar.getByRole('button', { name: 'Priority' }).click()
    await page.getByRole('option', { name: 'Low' }).click()
    await expectEventually(() => fetchValues('priority'), [4, 4, 4])
    await page.keyboard.press('ControlOrMeta+z')
    await expectEventually(() => fetchValues('priority'), [1, 3, 2])

    await bar.getByRole('button', { name: 'Assign' }).click()
    await page.getByRole('option', { name: /Ada/ }).click()
    await page.keyboard.press('Escape')
    await expectEventually(
      async () => (await fetchValues('assignees')).map((assignees) => assignees.length),
      [1, 1, 1],
    )

    await bar.getByRole('button', { name: 'Archive' }).click()
    await expectEventually(cardTitles(page), ['Order tiles'])
    await expectEventually(() => fetchValues('status'), ['Archive', 'Archive', 'Archive'])
    await page.getByRole('button', { name: /^Undo/ }).last().click()
    await expectEventually(cardTitles(page), GARDEN_TITLES)
    await expectEventually(() => fetchValues('status'), ['Normal', 'Normal', 'Normal'])

    await page.keyboard.press('ControlOrMeta+a')
    await bar.getByRole('button', { name: 'Delete' }).click()
    await expectEventually(cardTitles(page), [])
    await page.keyboard.press('ControlOrMeta+z')
    await expectEventually(cardTitles(page), GARDEN_TITLES)
    await expectEventually(
      async () => Object.values(await titlesByColumn(app, project_id)).flat(),
      GARDEN_TITLES,
    )
    expect(problems).toEqual([])
  })

  test('an unknown board is reported, and a large one says how many tasks are not shown', async () => {
    const { project_id } = await createGardenBoard(app, 'Large')
    const { page, problems, go } = await app.openSession({ ignoredMessages: /404/ })
    await go('/projects/999999')
    const alert = page.getByRole('alert')
    await alert.getByRole('heading', { name: 'Board not found' }).waitFor()
    expect(await alert.textContent()).not.toMatch(/svc_|GET /)
    expect(await accessibilityIssues(page)).toEqual([])
    await alert.getByRole('link', { name: 'Go to your board' }).click()
    await page.waitForURL(/projects\/\d+$/)
    expect(await page.getByText('not shown here').count()).toBe(0)
    await page.route(`**/api/v1/projects/${project_id}/board*`, async (route) => {
      const response = await route.fetch()
      const { data, ...rest } = await response.json()
      await route.fulfill({ response, json: { ...rest, data: { ...data, left_out: 1200 } } })
    })
    await go(`/projects/${project_id}`)
    await page.getByText('1,200 older tasks are not shown here').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.getByRole('button', { name: 'Search for them' }).click()
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    expect(problems).toEqual([])
  })
})
