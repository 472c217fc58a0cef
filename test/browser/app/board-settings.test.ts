import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { columnOf, createBoard, undoFromToast } from './boards.ts'
import { waitForToast } from './toasts.ts'

const rows = (page: Page, list: string) => page.getByRole('list', { name: list })
const namesIn = (page: Page, list: string) => () =>
  rows(page, list)
    .locator('.inline')
    .evaluateAll((elements) =>
      elements
        .filter((one) => /^Name of/.test(one.getAttribute('aria-label') ?? ''))
        .map((one) => (one as HTMLInputElement).value),
    )

/** The heading of the settings section that contains the focus. */
const focusedSection = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.closest('.settings-section')?.querySelector('h2')?.textContent,
  )

describe.skipIf(isBrowserSkipped)('the settings of a board', () => {
  let app: WebApp
  let ada: BrowserSession
  let page: Page
  let project_id: number
  let idOf: (title: string) => number
  beforeAll(async () => {
    app = await openWebApp()
    // The server refuses a name that is taken with 409.
    ada = await app.openSession({ ignoredMessages: /status of 409/ })
    page = ada.page
    const fetchLabels = [{ name: 'plants', color: '#123456' }]
    const tasks = [
      { title: 'Dig', section_index: 1, labels: ['plants'] },
      { title: 'Sow', section_index: 1 },
    ]
    ;({ project_id, idOf } = await createBoard(app, 'Garden', { labels: fetchLabels, tasks }))
  })
  afterAll(() => app?.close())

  const openSection = (section: string) => ada.go(`/settings/board/${project_id}?of=${section}`)
  const api = `/api/v1/projects`
  const fetchBoard = async () => (await app.http('GET', `${api}/${project_id}`)).body.data
  const fetchColumns = async () =>
    (await app.http('GET', `${api}/${project_id}/sections?include_hidden=true`)).body.data
  const columnTitles = async () => (await fetchColumns()).map((one: { title: string }) => one.title)
  const fetchColumn = async (title: string) =>
    (await fetchColumns()).find((one: { title: string }) => one.title === title)

  test('open from the menu of the board, and rename it with undo', async () => {
    await ada.go(`/projects/${project_id}`)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Board settings' }).click()
    await page.waitForURL(`**/settings/board/${project_id}`)
    const name = page.getByRole('textbox', { name: 'Name of the board' })
    await name.fill('Kitchen garden')
    await name.press('Enter')
    await page.getByRole('heading', { name: 'Settings of Kitchen garden' }).waitFor()
    await expectEventually(async () => (await fetchBoard()).title, 'Kitchen garden')
    await undoFromToast(page, 'Renamed to Kitchen garden')
    await expectEventually(async () => (await fetchBoard()).title, 'Garden')
    await name.fill('Never')
    await name.press('Escape')
    expect(await name.inputValue()).toBe('Garden')
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
  })

  test('edit the description as Markdown, and keep an unsaved draft over a reload', async () => {
    await openSection('general')
    await page.getByRole('button', { name: 'Add description' }).click()
    const field = page.getByRole('textbox', { name: 'Description of the board' })
    const line = page.locator('.cm-line')
    await page.locator('.editor [contenteditable=true]').click()
    await page.keyboard.type('For **us** and _friends_.')
    await page.reload()
    await page.getByRole('button', { name: 'Add description' }).click()
    await field.first().waitFor()
    await line.filter({ hasText: /us.* and .*friends/ }).waitFor()
    await page.getByRole('button', { name: /^Save/ }).click()
    await waitForToast(page, 'Saved the description')
    await page.locator('.prose strong').getByText('us').waitFor()
    expect((await fetchBoard()).description).toBe(
      '<p>For <strong>us</strong> and <em>friends</em>.</p>',
    )
    await page.getByRole('button', { name: 'Edit description' }).click()
    await line.filter({ hasText: /us.* and .*friends/ }).waitFor()
    await page.locator('.editor [contenteditable=true]').click()
    await page.keyboard.type('Oh. ')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Edit description' }).click()
    await line.filter({ hasText: 'Oh. ' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expectEventually(() => focusedSection(page), 'Description')
    expect(await page.getByText('Oh. ').count()).toBe(0)
  })

  test('change access and auto-archive days, and archive the board with undo', async () => {
    await openSection('general')
    await page.getByRole('radio', { name: /^Invited people/ }).check()
    await expectEventually(async () => (await fetchBoard()).access, 'invited')
    await undoFromToast(page, 'Only invited people can see this board')
    await expectEventually(async () => (await fetchBoard()).access, 'team')
    await page.getByRole('checkbox', { name: 'Archive automatically' }).check()
    await expectEventually(async () => (await fetchBoard()).auto_archive_days, 30)
    const daysField = page.getByRole('textbox', { name: 'Days until archived' })
    await daysField.fill('14')
    await daysField.press('Enter')
    await expectEventually(async () => (await fetchBoard()).auto_archive_days, 14)
    await page.getByRole('button', { name: 'Archive Garden' }).click()
    await page.getByRole('heading', { name: 'Archived board' }).waitFor()
    await expectEventually(async () => (await fetchBoard()).status, 'Archive')
    await undoFromToast(page, 'Archived Garden')
    await page.getByRole('heading', { name: 'Archive board' }).waitFor()
    await expectEventually(async () => (await fetchBoard()).status, 'Normal')
  })

  test('move columns by keys and by dragging, rename, limit, hide and configure them', async () => {
    await openSection('columns')
    await expectEventually(namesIn(page, 'Columns, from left to right'), [
      'Ideas',
      'Next',
      'Doing',
      'Done',
    ])
    const handle = page.getByRole('button', { name: 'Move Next' })
    await handle.focus()
    await page.keyboard.press('ArrowDown')
    await expectEventually(columnTitles, ['Ideas', 'Doing', 'Next', 'Done'])
    await handle.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('ArrowUp')
    await expectEventually(columnTitles, ['Ideas', 'Next', 'Doing', 'Done'])
    await handle.and(page.locator(':focus')).waitFor()
    const target = (await page.getByRole('button', { name: 'Move Ideas' }).boundingBox())!
    await page.getByRole('button', { name: 'Move Doing' }).hover()
    await page.mouse.down()
    await page.mouse.move(target.x + 8, target.y + 40, { steps: 5 })
    await page.mouse.move(target.x + 8, target.y + 4, { steps: 5 })
    await page.mouse.up()
    await expectEventually(columnTitles, ['Doing', 'Ideas', 'Next', 'Done'])
    await undoFromToast(page, 'Moved Doing, now column 1 of 4')
    await expectEventually(columnTitles, ['Ideas', 'Next', 'Doing', 'Done'])

    const name = page.getByRole('textbox', { name: 'Name of the column Doing' })
    await name.fill('Making')
    await name.press('Enter')
    await expectEventually(columnTitles, ['Ideas', 'Next', 'Making', 'Done'])
    const columnSettings = page.getByRole('group', { name: 'Settings of Next' })
    await columnSettings.getByLabel('Role').selectOption('Review')
    await columnSettings.getByLabel('Counts as done').selectOption('Yes')
    await columnSettings.getByLabel('Assigns to').selectOption('Ada')
    await columnSettings.getByRole('textbox', { name: 'Limit of Next' }).fill('1')
    await page.keyboard.press('Enter')
    await columnSettings.getByLabel('Hidden').check()
    await expectEventually(
      async () => {
        const { role, is_done, hidden, wip_limit, auto_assign } = await fetchColumn('Next')
        return { role, is_done, hidden, wip_limit, to: auto_assign?.name }
      },
      { role: 'verify', is_done: true, hidden: true, wip_limit: 1, to: 'Ada' },
    )
    await undoFromToast(page, 'Hid Next')
    await expectEventually(async () => (await fetchColumn('Next')).hidden, false)
    await columnSettings.getByRole('textbox', { name: 'Limit of Next' }).fill('many')
    await page.keyboard.press('Enter')
    await waitForToast(page, 'The limit must be a number from 1 to 1000, or empty')
    await columnSettings.getByLabel('Counts as done').selectOption('No')
    await expectEventually(async () => (await fetchColumn('Next')).is_done, false)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
  })

  test('a move that is still being sent stays visible when somebody renames another column', async () => {
    await openSection('columns')
    const columns = namesIn(page, 'Columns, from left to right')
    await expectEventually(columns, ['Ideas', 'Next', 'Making', 'Done'])
    const held = Promise.withResolvers<void>()
    await page.route('**/sections/*', async (route) => {
      await held.promise
      await route.continue()
    })
    const handle = page.getByRole('button', { name: 'Move Next' })
    await handle.focus()
    await page.keyboard.press('ArrowDown')
    await expectEventually(columns, ['Ideas', 'Making', 'Next', 'Done'])
    const { section_id } = await fetchColumn('Ideas')
    const reload = page.waitForResponse(`**${api}/${project_id}/manifest`)
    await app.http('PATCH', `${api}/${project_id}/sections/${section_id}`, {
      body: { title: 'Dreams' },
    })
    await (await reload).finished()
    // Lists are loaded at most every 400 ms.
    await Bun.sleep(700)
    expect(await columns()).toEqual(['Ideas', 'Making', 'Next', 'Done'])
    held.resolve()
    await expectEventually(columns, ['Dreams', 'Making', 'Next', 'Done'])
    await handle.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('ArrowUp')
    await expectEventually(columnTitles, ['Dreams', 'Next', 'Making', 'Done'])
    await page.unroute('**/sections/*')
    await app.http('PATCH', `${api}/${project_id}/sections/${section_id}`, {
      body: { title: 'Ideas' },
    })
    await expectEventually(columns, ['Ideas', 'Next', 'Making', 'Done'])
  })

  test('mark a column over its limit on the board, where the limit can be raised', async () => {
    await ada.go(`/projects/${project_id}`)
    const next = columnOf(page, 'Next')
    await next.getByText('2/1').waitFor()
    expect(await next.locator('.count').textContent()).toBe('2/1, over the limit')
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await next.getByRole('button', { name: 'More about Next' }).click()
    await page.getByRole('menuitem', { name: 'Set limit…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Maximum number of tasks').fill('zero')
    await dialog.getByRole('alert').getByText('Enter a number from 1 to 1000').waitFor()
    expect(await dialog.getByRole('button', { name: 'Set limit' }).isDisabled()).toBe(true)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await dialog.getByLabel('Maximum number of tasks').fill('5')
    await page.keyboard.press('Enter')
    await expectEventually(async () => (await fetchColumn('Next')).wip_limit, 5)
    await expectEventually(() => next.locator('.count').textContent(), '2/5, within the limit')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Show as a list' }).click()
    await page.locator('.line-head').getByText('2/5').waitFor()
    await page.keyboard.press('Control+z')
    await expectEventually(async () => (await fetchColumn('Next')).wip_limit, 1)
    await page.locator('.line-head').getByText('2/1').waitFor()
  })

  test('add a column, restore a deleted empty one by undo, and move the tasks of a deleted one', async () => {
    await openSection('columns')
    const newColumnField = page.getByRole('textbox', { name: 'Name of a new column' })
    await newColumnField.fill('Waiting')
    await newColumnField.press('Enter')
    await expectEventually(columnTitles, ['Ideas', 'Next', 'Making', 'Done', 'Waiting'])
    await newColumnField.fill('waiting')
    await newColumnField.press('Enter')
    await waitForToast(page, /already has a column "Waiting"/)
    await expectEventually(() => newColumnField.inputValue(), 'waiting')
    const deleteColumn = async (title: string) => {
      await page.getByRole('button', { name: `More about ${title}` }).click()
      await page.getByRole('menuitem', { name: 'Delete…' }).click()
    }
    await deleteColumn('Making')
    await expectEventually(columnTitles, ['Ideas', 'Next', 'Done', 'Waiting'])
    await undoFromToast(page, 'Deleted Making')
    await expectEventually(columnTitles, ['Ideas', 'Next', 'Making', 'Done', 'Waiting'])
    await deleteColumn('Next')
    const dialog = page.getByRole('dialog', { name: 'Delete Next?' })
    await dialog.getByLabel('Move 2 tasks to').selectOption('Done')
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Delete column' }).click()
    await waitForToast(page, 'Deleted Next and moved its tasks to Done')
    await expectEventually(columnTitles, ['Ideas', 'Making', 'Done', 'Waiting'])
    const { body } = await app.http('GET', `${api}/${project_id}/sections/${idOf('Done')}`)
    expect(body.data.tasks).toHaveLength(2)
  })

  test('create, colour and rename labels, and say how many tasks lose a deleted one', async () => {
    await openSection('labels')
    const fetchLabels = async () =>
      (await fetchBoard()).labels.map(({ name, color }: { name: string; color: string }) => [
        name,
        color,
      ])
    await page.getByRole('combobox', { name: 'Colour of plants: #123456' }).click()
    await page.getByRole('combobox', { name: 'Colour of plants', exact: true }).fill('green')
    await page.keyboard.press('Enter')
    await expectEventually(fetchLabels, [['plants', '#2a8244']])
    await page.getByRole('combobox', { name: 'Colour of plants: Green' }).waitFor()
    const name = page.getByRole('textbox', { name: 'Name of the label plants' })
    await name.fill('flowers')
    await name.press('Enter')
    await expectEventually(fetchLabels, [['flowers', '#2a8244']])
    await undoFromToast(page, 'Renamed plants to flowers')
    await expectEventually(fetchLabels, [['plants', '#2a8244']])
    await page.getByRole('textbox', { name: 'Name of a new label' }).fill('tools')
    await page.keyboard.press('Enter')
    await expectEventually(async () => (await fetchLabels()).length, 2)
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Delete the label plants' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 task loses it.').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Delete label' }).click()
    await expectEventually(
      async () => (await fetchBoard()).labels.map((one: { name: string }) => one.name),
      ['tools'],
    )
    await expectEventually(() => rows(page, 'Labels').getByRole('textbox').count(), 1)
    await expectEventually(() => focusedSection(page), 'Labels')
  })

  test('no errors, warnings or requests to other hosts occurred', () => {
    expect(ada.problems).toEqual([])
  })
})
