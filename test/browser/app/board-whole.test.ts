import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { faults } from '../faults.ts'
import {
  GARDEN as ALL,
  becomes,
  columnOf,
  drag,
  focusIn,
  heldIn,
  ideas,
  makeBoard,
  makeGarden,
  taskOf,
  titleOf,
  titles,
  titlesIn,
  undo,
} from './boards.ts'

describe.skipIf(noBrowser)('columns and bulk changes of a board', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk()
  }, 60_000)
  afterAll(() => desk?.leave())

  test('columns are renamed, moved, added, hidden, marked as done and deleted, with undo', async () => {
    const { project_id } = await makeBoard(desk, 'Columns', ideas('Ant', 'Bee'))
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${project_id}`)
    const columns = async () => Object.keys(await heldIn(desk, project_id))
    const choose = async (column: string, item: string | RegExp) => {
      await page.getByRole('button', { name: `More about ${column}` }).click()
      await page.locator('[role^=menuitem]', { hasText: item }).first().click()
    }
    await titleOf(page, 'Ant').waitFor()
    await page.getByRole('button', { name: 'More about Ideas' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
    expect(await faults(page)).toEqual([])
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Column name' }).fill('Seeds')
    await page.keyboard.press('Enter')
    await becomes(focusIn(page), 'More about Seeds')
    await becomes(columns, ['Seeds', 'Next', 'Doing', 'Done'])
    await undo(page, 'Renamed to Seeds')
    await becomes(columns, ['Ideas', 'Next', 'Doing', 'Done'])

    // Dragging uses positions on the screen, so the new order must be shown before the next drag.
    const seen = () => page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents()
    const named = (title: string) => page.getByRole('heading', { name: title, exact: true })
    await drag(page, named('Ideas'), columnOf(page, 'Doing'), 'right')
    await becomes(columns, ['Next', 'Doing', 'Ideas', 'Done'])
    await becomes(seen, ['Next', 'Doing', 'Ideas', 'Done'])
    await drag(page, named('Ideas'), columnOf(page, 'Next'), 'left')
    await becomes(columns, ['Ideas', 'Next', 'Doing', 'Done'])
    await choose('Next', 'Move left')
    await becomes(columns, ['Next', 'Ideas', 'Doing', 'Done'])
    await choose('Next', 'Add column to the right')
    await page.getByRole('textbox', { name: 'New column name' }).fill('Soon')
    await page.keyboard.press('Enter')
    await becomes(columns, ['Next', 'Soon', 'Ideas', 'Doing', 'Done'])

    await choose('Doing', 'Hide')
    await columnOf(page, 'Doing').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Show hidden columns', exact: true }).click()
    await columnOf(page, 'Doing').getByRole('img', { name: 'Hidden' }).waitFor()
    await choose('Ideas', 'Counts as done')
    await columnOf(page, 'Ideas').getByRole('img', { name: 'Counts as done' }).waitFor()
    await undo(page, 'Ideas counts as done')
    await columnOf(page, 'Ideas')
      .getByRole('img', { name: 'Counts as done' })
      .waitFor({ state: 'detached' })

    await choose('Ideas', 'Delete…')
    const dialog = page.getByRole('dialog', { name: 'Delete Ideas?' })
    await dialog.getByRole('combobox', { name: 'Move its 2 tasks to' }).selectOption('Soon')
    expect(await faults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Delete column' }).click()
    await becomes(() => titlesIn(page, 'Soon'), ['Ant', 'Bee'])
    await columnOf(page, 'Ideas').waitFor({ state: 'detached' })
    await undo(page, 'Deleted Ideas')
    await becomes(() => titlesIn(page, 'Ideas'), ['Ant', 'Bee'])
    expect(await heldIn(desk, project_id)).toEqual({
      ...{ Next: [], Soon: [], Ideas: ['Ant', 'Bee'], Doing: [], Done: [] },
    })
    expect(complaints).toEqual([])
  })

  test('selected cards are changed, archived and deleted together, and undo reverts each change', async () => {
    const { project_id, tasks } = await makeGarden(desk, 'Many')
    const { page, complaints, go } = await desk.sit({ theme: 'dark' })
    await go(`/projects/${project_id}`)
    await titleOf(page, ALL[0]!).click({ modifiers: ['Shift'] })
    await titleOf(page, 'Fix the tap').click({ modifiers: ['Shift'] })
    const bar = page.getByRole('toolbar', { name: 'Selected tasks' })
    await bar.getByText('3 selected').waitFor()
    await page.keyboard.press('Escape')
    await bar.waitFor({ state: 'detached' })
    await page.keyboard.press('ControlOrMeta+a')
    await bar.getByText('4 selected').waitFor()
    await titleOf(page, 'Order tiles').click({ modifiers: ['ControlOrMeta'] })
    await bar.getByText('3 selected').waitFor()
    expect(await faults(page)).toEqual([])

    const of = async (name: string) =>
      Promise.all(tasks.slice(0, 3).map(async (ticket) => (await taskOf(desk, ticket))[name]))
    await bar.getByRole('button', { name: 'Priority' }).click()
    await page.getByRole('option', { name: 'Low' }).click()
    await becomes(() => of('priority'), [4, 4, 4])
    await page.keyboard.press('ControlOrMeta+z')
    await becomes(() => of('priority'), [1, 3, 2])

    await bar.getByRole('button', { name: 'Assign' }).click()
    await page.getByRole('option', { name: /Ada/ }).click()
    await page.keyboard.press('Escape')
    await becomes(async () => (await of('assignees')).map((some) => some.length), [1, 1, 1])

    await bar.getByRole('button', { name: 'Archive' }).click()
    await becomes(titles(page), ['Order tiles'])
    await becomes(() => of('status'), ['Archive', 'Archive', 'Archive'])
    await page.getByRole('button', { name: /^Undo/ }).last().click()
    await becomes(titles(page), ALL)
    await becomes(() => of('status'), ['Normal', 'Normal', 'Normal'])

    await page.keyboard.press('ControlOrMeta+a')
    await bar.getByRole('button', { name: 'Delete' }).click()
    await becomes(titles(page), [])
    await page.keyboard.press('ControlOrMeta+z')
    await becomes(titles(page), ALL)
    await becomes(async () => Object.values(await heldIn(desk, project_id)).flat(), ALL)
    expect(complaints).toEqual([])
  })

  test('an unknown board is reported, and a large one says how many tasks are not shown', async () => {
    const { project_id } = await makeGarden(desk, 'Large')
    const { page, complaints, go } = await desk.sit({ may: /404/ })
    await go('/projects/999999')
    const missing = page.getByRole('alert')
    await missing.getByRole('heading', { name: 'Board not found' }).waitFor()
    expect(await missing.textContent()).not.toMatch(/svc_|GET /)
    expect(await faults(page)).toEqual([])
    await missing.getByRole('link', { name: 'Go to your board' }).click()
    await page.waitForURL(/projects\/\d+$/)
    expect(await page.getByText('not shown here').count()).toBe(0)
    await page.route(`**/api/v1/projects/${project_id}/board*`, async (route) => {
      const response = await route.fetch()
      const { data, ...rest } = await response.json()
      await route.fulfill({ response, json: { ...rest, data: { ...data, left_out: 1200 } } })
    })
    await go(`/projects/${project_id}`)
    await page.getByText('1,200 older tasks are not shown here').waitFor()
    expect(await faults(page)).toEqual([])
    await page.getByRole('button', { name: 'Search for them' }).click()
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    expect(complaints).toEqual([])
  })
})
