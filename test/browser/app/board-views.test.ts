import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { cardOf, cardTitles, createGardenBoard, titlesIn } from './boards.ts'

describe.skipIf(isBrowserSkipped)('views of a board', () => {
  let app: WebApp
  let ada: BrowserSession
  let page: Page
  let project_id: number
  beforeAll(async () => {
    app = await openWebApp()
    ada = await app.openSession()
    page = ada.page
    const board = await createGardenBoard(app, 'Garden')
    project_id = board.project_id
    await app.http('POST', `/api/v1/projects/${project_id}/custom-fields`, {
      body: { name: 'Effort', type: 'number' },
    })
    await ada.go(`/projects/${project_id}`)
    await cardOf(page, 'Prune the roses').waitFor()
  })
  afterAll(() => app?.close())

  const dialog = () => page.getByRole('dialog').filter({ has: page.locator('.view-editor') })
  const openEditor = async (view: string, item: string) => {
    await page.getByRole('button', { name: `View: ${view}` }).click()
    await page.locator('[role^=menuitem]', { hasText: item }).first().click()
    await dialog().waitFor()
  }
  const saveView = async (title: string) => {
    await dialog().getByRole('button', { name: 'Save' }).click()
    await dialog().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: `View: ${title}` }).waitFor()
  }
  const fetchView = async (title: string) =>
    (await app.http('GET', `/api/v1/views?project_id=${project_id}`)).body.data.find(
      (one: { title: string }) => one.title === title,
    )
  /** Picks an entry of a list that a part of a condition opens. */
  const pick = async (part: RegExp, option: string, within = dialog()) => {
    await within.getByRole('combobox', { name: part }).last().click()
    await page.locator('.popup').getByRole('option', { name: option }).first().click()
  }
  const waitForCount = (text: string) => dialog().locator('.count').getByText(text).waitFor()

  test('combine conditions in groups, and the editor counts the matching tasks', async () => {
    await openEditor('All tasks', 'Save as a view…')
    await dialog().getByLabel('Name').fill('Soon')
    await waitForCount('4 matching tasks')
    await dialog().getByRole('button', { name: 'Add condition' }).click()
    await pick(/^Field: /, 'Label')
    await pick(/^Value of Label/, 'garden')
    await page.keyboard.press('Escape')
    await waitForCount('2 matching tasks')
    await dialog().getByRole('button', { name: 'Add condition to group' }).click()
    await pick(/^Field: /, 'Title')
    await dialog().getByLabel('Value of Title').fill('tap')
    await waitForCount('0 matching tasks')
    await dialog().getByLabel('Where').selectOption('any condition matches')
    await waitForCount('3 matching tasks')
    await dialog().getByRole('button', { name: 'Add group' }).click()
    const second = dialog().getByRole('group', { name: 'Group 2' })
    await pick(/^Field: /, 'Size', second)
    await pick(/^Operator for Size/, 'is empty', second)
    await waitForCount('1 matching task')
    await dialog().getByLabel('Tasks that match').selectOption('any group')
    await waitForCount('4 matching tasks')
    await dialog().getByLabel('Tasks that match').selectOption('all groups')
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await saveView('Soon')
    await expectEventually(cardTitles(page), ['Prune the roses'])
    expect((await fetchView('Soon')).board_filters.groups).toEqual([
      {
        match: 'ANY',
        rules: [
          { field: 'label', op: 'any_of', value: ['garden'] },
          { field: 'title', op: 'contains', value: 'tap' },
        ],
      },
      { match: 'ALL', rules: [{ field: 'size', op: 'empty' }] },
    ])
  })

  test('the menu exports the tasks of the open view as a file', async () => {
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export as CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('Garden - Soon.csv')
    const text = await new Response((await file.createReadStream()) as never).text()
    expect(text).toContain(',Prune the roses,')
    expect(text).not.toContain('Fix the tap')
  })

  test('filter by a custom field, with the matches shown after saving', async () => {
    const { cards } = (await app.http('GET', `/api/v1/projects/${project_id}/board`)).body.data
    const tap = cards.find(({ title }: { title: string }) => title === 'Fix the tap')
    await app.http('PUT', `/api/v1/tasks/${tap.ticket_number}/custom-fields`, {
      body: { field_name: 'Effort', value: 5 },
    })
    await openEditor('Soon', 'Edit view…')
    await dialog()
      .getByRole('button', { name: /^Remove filter:/ })
      .first()
      .click()
    await dialog()
      .getByRole('button', { name: /^Remove filter:/ })
      .first()
      .click()
    await pick(/^Field: /, 'Effort')
    await pick(/^Operator for Effort/, 'is more than')
    await dialog().getByLabel('Value of Effort').fill('3')
    await waitForCount('1 matching task')
    await saveView('Soon')
    await expectEventually(cardTitles(page), ['Fix the tap'])
  })

  test('sort by several fields, which are reordered by button and by dragging', async () => {
    await openEditor('Soon', 'Edit view…')
    await dialog()
      .getByRole('button', { name: /^Remove filter:/ })
      .click()
    await dialog().getByLabel('Sort by').selectOption('Priority')
    await dialog().getByRole('button', { name: 'Then by' }).click()
    await dialog().getByLabel('Then by, 2').selectOption('Title')
    await dialog().getByRole('button', { name: 'Then by' }).click()
    await dialog().getByLabel('Then by, 3').selectOption('Effort')
    const sortFields = () =>
      dialog()
        .locator('.sorting select')
        .evaluateAll((all) => all.map((one) => (one as HTMLSelectElement).selectedOptions[0]!.text))
    await dialog().getByRole('button', { name: 'Move up: Effort' }).click()
    expect(await sortFields()).toEqual(['Priority', 'Effort', 'Title'])
    await dialog()
      .locator('.sorting li')
      .nth(2)
      .locator('.grip')
      .dragTo(dialog().locator('.sorting li').first())
    await expectEventually(sortFields, ['Title', 'Priority', 'Effort'])
    await dialog().getByRole('button', { name: 'Ascending' }).first().click()
    await dialog().getByRole('button', { name: 'Remove sorting by Effort' }).click()
    await saveView('Soon')
    await expectEventually(() => titlesIn(page, 'Ideas'), ['Prune the roses', 'Paint the fence'])
    expect((await fetchView('Soon')).sorting_stack).toEqual([
      { mode: 'Title', order: 'Descending' },
      { mode: 'Priority', order: 'Ascending' },
    ])
  })

  test('show subtasks in five ways, and only the selected columns', async () => {
    const roses = (await app.http('GET', '/api/v1/search/tasks?query=roses')).body.data[0]
    const { sections } = (await app.http('GET', `/api/v1/projects/${project_id}/board`)).body.data
    await app.createTask({
      ...{ project_id, title: 'Sharpen the shears', parent_task_id: roses.task_id },
      section_id: sections[1].section_id,
    })
    await cardOf(page, 'Sharpen the shears').waitFor()
    const subtaskList = cardOf(page, 'Prune the roses').getByRole('list', { name: 'Subtasks' })
    const count = cardOf(page, 'Prune the roses').getByText('0/1')
    const subtaskDisplay = async () => [
      (await cardTitles(page)()).includes('Sharpen the shears'),
      (await subtaskList.count()) > 0,
      (await count.count()) > 0,
    ]
    for (const [name, setting, expected] of [
      ['As a count on the parent', 'Parent', [false, false, true]],
      ['As a list on the parent', 'Card', [false, true, true]],
      ['As cards and as a list on the parent', 'Flattened_Card', [true, true, true]],
      ['Not at all', 'None', [false, false, false]],
      ['As separate cards', 'Flattened', [true, false, true]],
    ] as const) {
      await openEditor('Soon', 'Edit view…')
      await dialog().getByRole('radio', { name, exact: true }).check()
      await saveView('Soon')
      await expectEventually(subtaskDisplay, expected)
      expect((await fetchView('Soon')).subtask_setting).toBe(setting)
    }
    await openEditor('Soon', 'Edit view…')
    await dialog().getByRole('checkbox', { name: 'Doing' }).uncheck()
    await dialog().getByLabel('Visible to everyone on the board').uncheck()
    await saveView('Soon')
    await expectEventually(() => page.getByRole('region', { name: /^Doing, / }).count(), 0)
    expect(await fetchView('Soon')).toMatchObject({
      ...{ visibility: 'Private' },
      visible_section_ids: [0, 1, 3].map((at) => sections[at].section_id),
    })
    expect(ada.problems).toEqual([])
  })
})
