import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Desk, noBrowser, openDesk, type Person } from '../desk.ts'
import { faultsInBothThemes } from '../faults.ts'
import { becomes, columnOf, makeBoard, undo } from './boards.ts'

const told = (page: Page, words: string | RegExp) =>
  page.getByLabel('What happened').getByText(words).waitFor()
const rows = (page: Page, list: string) => page.getByRole('list', { name: list })
const namesIn = (page: Page, list: string) => () =>
  rows(page, list)
    .locator('.inline')
    .evaluateAll((some) =>
      some
        .filter((one) => /^Name of/.test(one.getAttribute('aria-label') ?? ''))
        .map((one) => (one as HTMLInputElement).value),
    )

/** The heading of the settings section that contains the focus. */
const inFocus = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.closest('.board-part')?.querySelector('h2')?.textContent,
  )

describe.skipIf(noBrowser)('the settings of a board', () => {
  let desk: Desk
  let ada: Person
  let page: Page
  let project_id: number
  let idOf: (title: string) => number
  beforeAll(async () => {
    desk = await openDesk()
    // A name that is taken is refused with 409.
    ada = await desk.sit({ may: /status of 409/ })
    page = ada.page
    const labels = [{ name: 'plants', color: '#123456' }]
    const tasks = [
      { title: 'Dig', section_index: 1, labels: ['plants'] },
      { title: 'Sow', section_index: 1 },
    ]
    ;({ project_id, idOf } = await makeBoard(desk, 'Garden', { labels, tasks }))
  }, 60_000)
  afterAll(() => desk?.leave())

  const at = (of: string) => ada.go(`/settings/board/${project_id}?of=${of}`)
  const api = `/api/v1/projects`
  const board = async () => (await desk.http('GET', `${api}/${project_id}`)).body.data
  const columns = async () =>
    (await desk.http('GET', `${api}/${project_id}/sections?include_hidden=true`)).body.data
  const titles = async () => (await columns()).map((one: { title: string }) => one.title)
  const column = async (title: string) =>
    (await columns()).find((one: { title: string }) => one.title === title)

  test('open from the menu of the board, and rename it with undo', async () => {
    await ada.go(`/projects/${project_id}`)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Board settings' }).click()
    await page.waitForURL(`**/settings/board/${project_id}`)
    const name = page.getByRole('textbox', { name: 'Name of the board' })
    await name.fill('Kitchen garden')
    await name.press('Enter')
    await page.getByRole('heading', { name: 'Settings of Kitchen garden' }).waitFor()
    await becomes(async () => (await board()).title, 'Kitchen garden')
    await undo(page, 'Renamed to Kitchen garden')
    await becomes(async () => (await board()).title, 'Garden')
    await name.fill('Never')
    await name.press('Escape')
    expect(await name.inputValue()).toBe('Garden')
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  test('edit the description as Markdown, and keep an unsaved draft over a reload', async () => {
    await at('general')
    await page.getByRole('button', { name: 'Add description' }).click()
    const field = page.getByRole('textbox', { name: 'Description of the board' })
    await page.locator('.editor [contenteditable=true]').click()
    await page.keyboard.type('For **us** and _friends_.')
    await page.reload()
    await page.getByRole('button', { name: 'Add description' }).click()
    await field.first().waitFor()
    await page.getByText('For **us**').waitFor()
    await page.getByRole('button', { name: /^Save/ }).click()
    await told(page, 'Saved the description')
    await page.locator('.prose strong').getByText('us').waitFor()
    expect((await board()).description).toBe('<p>For <strong>us</strong> and <em>friends</em>.</p>')
    await page.getByRole('button', { name: 'Edit description' }).click()
    await page.getByText('For **us** and *friends*.').waitFor()
    await page.locator('.editor [contenteditable=true]').click()
    await page.keyboard.type('Oh. ')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Edit description' }).click()
    await page.locator('.cm-line').getByText('Oh. ').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await becomes(() => inFocus(page), 'Description')
    expect(await page.getByText('Oh. ').count()).toBe(0)
  })

  test('change access and auto-archive days, and archive the board with undo', async () => {
    await at('general')
    await page.getByRole('radio', { name: /^Invited people/ }).check()
    await becomes(async () => (await board()).access, 'invited')
    await undo(page, 'Only invited people can see this board')
    await becomes(async () => (await board()).access, 'team')
    await page.getByRole('checkbox', { name: 'Archive automatically' }).check()
    await becomes(async () => (await board()).auto_archive_days, 30)
    const days = page.getByRole('textbox', { name: 'Days until archived' })
    await days.fill('14')
    await days.press('Enter')
    await becomes(async () => (await board()).auto_archive_days, 14)
    await page.getByRole('button', { name: 'Archive Garden' }).click()
    await page.getByRole('heading', { name: 'Archived board' }).waitFor()
    await becomes(async () => (await board()).status, 'Archive')
    await undo(page, 'Archived Garden')
    await page.getByRole('heading', { name: 'Archive board' }).waitFor()
    await becomes(async () => (await board()).status, 'Normal')
  })

  test('move columns by keys and by dragging, rename, limit, hide and configure them', async () => {
    await at('columns')
    await becomes(namesIn(page, 'Columns, from left to right'), ['Ideas', 'Next', 'Doing', 'Done'])
    const handle = page.getByRole('button', { name: 'Move Next' })
    await handle.focus()
    await page.keyboard.press('ArrowDown')
    await becomes(titles, ['Ideas', 'Doing', 'Next', 'Done'])
    await page.keyboard.press('ArrowUp')
    await becomes(titles, ['Ideas', 'Next', 'Doing', 'Done'])
    expect(await handle.evaluate((one) => one === document.activeElement)).toBe(true)
    const to = (await page.getByRole('button', { name: 'Move Ideas' }).boundingBox())!
    await page.getByRole('button', { name: 'Move Doing' }).hover()
    await page.mouse.down()
    await page.mouse.move(to.x + 8, to.y + 40, { steps: 5 })
    await page.mouse.move(to.x + 8, to.y + 4, { steps: 5 })
    await page.mouse.up()
    await becomes(titles, ['Doing', 'Ideas', 'Next', 'Done'])
    await undo(page, 'Moved Doing, now column 1 of 4')
    await becomes(titles, ['Ideas', 'Next', 'Doing', 'Done'])

    const name = page.getByRole('textbox', { name: 'Name of the column Doing' })
    await name.fill('Making')
    await name.press('Enter')
    await becomes(titles, ['Ideas', 'Next', 'Making', 'Done'])
    const does = page.getByRole('group', { name: 'Settings of Next' })
    await does.getByLabel('Role').selectOption('Review')
    await does.getByLabel('Counts as done').selectOption('Yes')
    await does.getByLabel('Assigns to').selectOption('Ada')
    await does.getByRole('textbox', { name: 'Limit of Next' }).fill('1')
    await page.keyboard.press('Enter')
    await does.getByLabel('Hidden').check()
    await becomes(
      async () => {
        const { role, is_done, hidden, wip_limit, auto_assign } = await column('Next')
        return { role, is_done, hidden, wip_limit, to: auto_assign?.name }
      },
      { role: 'verify', is_done: true, hidden: true, wip_limit: 1, to: 'Ada' },
    )
    await undo(page, 'Hid Next')
    await becomes(async () => (await column('Next')).hidden, false)
    await does.getByRole('textbox', { name: 'Limit of Next' }).fill('many')
    await page.keyboard.press('Enter')
    await told(page, 'The limit must be a number from 1 to 1000, or empty')
    await does.getByLabel('Counts as done').selectOption('No')
    await becomes(async () => (await column('Next')).is_done, false)
    expect(await faultsInBothThemes(page)).toEqual([])
  })

  test('mark a column over its limit on the board, where the limit can be raised', async () => {
    await ada.go(`/projects/${project_id}`)
    const next = columnOf(page, 'Next')
    await next.getByText('2/1').waitFor()
    expect(await next.locator('.count').textContent()).toBe('2/1, over the limit')
    expect(await faultsInBothThemes(page)).toEqual([])
    await next.getByRole('button', { name: 'More about Next' }).click()
    await page.getByRole('menuitem', { name: 'Set limit…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Maximum number of tasks').fill('zero')
    await dialog.getByRole('alert').getByText('Enter a number from 1 to 1000').waitFor()
    expect(await dialog.getByRole('button', { name: 'Set limit' }).isDisabled()).toBe(true)
    expect(await faultsInBothThemes(page)).toEqual([])
    await dialog.getByLabel('Maximum number of tasks').fill('5')
    await page.keyboard.press('Enter')
    await becomes(async () => (await column('Next')).wip_limit, 5)
    await becomes(() => next.locator('.count').textContent(), '2/5, within the limit')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Show as a list' }).click()
    await page.locator('.line-head').getByText('2/5').waitFor()
    await page.keyboard.press('Control+z')
    await becomes(async () => (await column('Next')).wip_limit, 1)
    await page.locator('.line-head').getByText('2/1').waitFor()
  })

  test('add a column, restore a deleted empty one by undo, and move the tasks of a deleted one', async () => {
    await at('columns')
    const add = page.getByRole('textbox', { name: 'Name of a new column' })
    await add.fill('Waiting')
    await add.press('Enter')
    await becomes(titles, ['Ideas', 'Next', 'Making', 'Done', 'Waiting'])
    await add.fill('waiting')
    await add.press('Enter')
    await told(page, /already has a column "Waiting"/)
    await becomes(() => add.inputValue(), 'waiting')
    const remove = async (title: string) => {
      await page.getByRole('button', { name: `More about ${title}` }).click()
      await page.getByRole('menuitem', { name: 'Delete…' }).click()
    }
    await remove('Making')
    await becomes(titles, ['Ideas', 'Next', 'Done', 'Waiting'])
    await undo(page, 'Deleted Making')
    await becomes(titles, ['Ideas', 'Next', 'Making', 'Done', 'Waiting'])
    await remove('Next')
    const dialog = page.getByRole('dialog', { name: 'Delete Next?' })
    await dialog.getByLabel('Move 2 tasks to').selectOption('Done')
    expect(await faultsInBothThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Delete column' }).click()
    await told(page, 'Deleted Next and moved its tasks to Done')
    await becomes(titles, ['Ideas', 'Making', 'Done', 'Waiting'])
    const { body } = await desk.http('GET', `${api}/${project_id}/sections/${idOf('Done')}`)
    expect(body.data.tasks).toHaveLength(2)
  })

  test('create, colour and rename labels, and say how many tasks lose a deleted one', async () => {
    await at('labels')
    const labels = async () =>
      (await board()).labels.map(({ name, color }: { name: string; color: string }) => [
        name,
        color,
      ])
    await page.getByRole('combobox', { name: 'Colour of plants: #123456' }).click()
    await page.getByRole('combobox', { name: 'Colour of plants', exact: true }).fill('green')
    await page.keyboard.press('Enter')
    await becomes(labels, [['plants', '#2a8244']])
    await page.getByRole('combobox', { name: 'Colour of plants: Green' }).waitFor()
    const name = page.getByRole('textbox', { name: 'Name of the label plants' })
    await name.fill('flowers')
    await name.press('Enter')
    await becomes(labels, [['flowers', '#2a8244']])
    await undo(page, 'Renamed plants to flowers')
    await becomes(labels, [['plants', '#2a8244']])
    await page.getByRole('textbox', { name: 'Name of a new label' }).fill('tools')
    await page.keyboard.press('Enter')
    await becomes(async () => (await labels()).length, 2)
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Delete the label plants' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 task loses it.').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Delete label' }).click()
    await becomes(
      async () => (await board()).labels.map((one: { name: string }) => one.name),
      ['tools'],
    )
    await becomes(() => rows(page, 'Labels').getByRole('textbox').count(), 1)
    await becomes(() => inFocus(page), 'Labels')
  })

  test('no errors, warnings or requests to other hosts occurred', () => {
    expect(ada.complaints).toEqual([])
  })
})
