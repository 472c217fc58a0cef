import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { faults } from '../faults.ts'
import {
  becomes,
  cardOf,
  columnOf,
  focusIn,
  heldIn,
  ideas,
  makeBoard,
  taskOf,
  titleOf,
  titlesIn,
  undo,
} from './boards.ts'

describe.skipIf(noBrowser)('fast input on a board', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk()
  }, 60_000)
  afterAll(() => desk?.leave())

  test('a card is moved across ten columns without pauses, keeps the focus, and one undo reverts it', async () => {
    const sections = Array.from({ length: 10 }, (_, at) => ({ title: `Column ${at}` }))
    const tasks = [{ title: 'Ant', section_index: 0 }]
    const { project_id } = await makeBoard(desk, 'Wide', { sections, tasks })
    const { page, complaints, go } = await desk.sit()
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
    await becomes(() => titlesIn(page, 'Column 9'), ['Ant'])
    await becomes(focusIn(page), 'Ant')
    const { x, width } = (await titleOf(page, 'Ant').boundingBox())!
    expect(x + width).toBeLessThan(1360)
    const held = async () =>
      Object.entries(await heldIn(desk, project_id)).flatMap(([name, some]) => some.map(() => name))
    await becomes(held, ['Column 9'])
    await page.locator('.toast').filter({ hasText: 'to Column 9' }).waitFor()
    expect(await page.locator('.toast').count()).toBe(1)
    await page.keyboard.press('ControlOrMeta+z')
    await becomes(() => titlesIn(page, 'Column 0'), ['Ant'])
    await becomes(held, ['Column 0'])
    expect(complaints).toEqual([])
  })

  test('keys typed before a picker loads go into its field, and Ctrl+C copies the task', async () => {
    const { project_id, tasks } = await makeBoard(desk, 'Early', ideas('Ant'))
    const { page, complaints, go } = await desk.sit()
    await page.route(/picker.*\.js/, async (route) => {
      await Bun.sleep(500)
      await route.continue()
    })
    await go(`/projects/${project_id}`)
    await titleOf(page, 'Ant').focus()
    await page.keyboard.type('purgent')
    const field = page.getByRole('combobox', { name: 'Priority' })
    await field.waitFor()
    await becomes(() => field.inputValue(), 'urgent')
    expect(await page.getByRole('combobox', { name: 'Size' }).count()).toBe(0)
    await page.keyboard.press('Enter')
    await becomes(async () => (await taskOf(desk, tasks[0]!)).priority, 1)
    expect((await taskOf(desk, tasks[0]!)).estimate ?? 0).toBe(0)
    await becomes(focusIn(page), 'Ant')
    await page.evaluate(() => getSelection()?.removeAllRanges())
    await page.keyboard.press('ControlOrMeta+c')
    await page
      .locator('.toast')
      .filter({ hasText: `Copied ${tasks[0]}` })
      .waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe(`${tasks[0]} Ant\n${desk.url}/t/${tasks[0]}`)
    expect(complaints).toEqual([])
  })

  test('a task clicked while it is being created opens once it exists', async () => {
    const { project_id } = await makeBoard(desk, 'Made')
    const { page, complaints, go } = await desk.sit()
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/api/v1/tasks', async (route) => {
      await answered
      await route.continue()
    })
    await go(`/projects/${project_id}`)
    await page.getByRole('button', { name: 'Add a task to Ideas' }).click()
    await page.keyboard.type('Ant')
    await page.keyboard.press('Enter')
    await titleOf(page, 'Ant').click()
    await page.getByText('Creating the task').waitFor()
    expect(await page.getByRole('region', { name: /^Task / }).count()).toBe(0)
    answer()
    await page.waitForURL(/task=MAD-1/)
    expect(complaints).toEqual([])
  })

  test('a new column takes the focus, a cancelled one returns it, and undo removes the new one', async () => {
    const { project_id } = await makeBoard(desk, 'Columns')
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${project_id}`)
    const more = page.getByRole('button', { name: 'Add column' })
    await more.click()
    await page.keyboard.press('Escape')
    await becomes(focusIn(page), 'Add column')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Soon')
    await page.keyboard.press('Enter')
    await becomes(focusIn(page), 'Add a task to Soon')
    await undo(page, 'Added Soon')
    await columnOf(page, 'Soon').waitFor({ state: 'detached' })
    expect(Object.keys(await heldIn(desk, project_id))).not.toContain('Soon')
    expect(complaints).toEqual([])
  })

  test('a card shows four of many labels, and an archived board offers no way to add tasks', async () => {
    const names = ['red', 'blue', 'green', 'white', 'black', 'brown']
    const { project_id } = await makeBoard(desk, 'Old', {
      labels: names.map((name) => ({ name, color: '#2f7d32' })),
      tasks: [{ title: 'Ant', section_index: 0, labels: names }],
    })
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${project_id}`)
    await cardOf(page, 'Ant').getByText('+2').waitFor()
    expect(await cardOf(page, 'Ant').locator('.dot').count()).toBe(4)
    await desk.http('POST', `/api/v1/projects/${project_id}/archive`, { body: {} })
    const band = page.getByRole('status').filter({ hasText: 'This board is archived' })
    await band.waitFor()
    expect(await page.getByRole('button', { name: /^Add a/ }).count()).toBe(0)
    await page.keyboard.press('c')
    expect(await page.getByRole('textbox', { name: /^New task/ }).count()).toBe(0)
    expect(await faults(page)).toEqual([])
    await band.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('button', { name: 'Add a task to Ideas' }).waitFor()
    await undo(page, 'Restored Old')
    await band.waitFor()
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await faults(page)).toEqual([])
    expect(complaints).toEqual([])
  })
})
