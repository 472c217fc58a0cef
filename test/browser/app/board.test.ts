import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { faults } from '../faults.ts'
import {
  becomes,
  cardOf,
  columnOf,
  drag,
  focusIn,
  heldIn,
  ideas,
  makeBoard,
  taskOf,
  titleOf,
  titlesIn,
  undo,
} from './boards.ts'

describe.skipIf(noBrowser)('a board', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk()
  }, 60_000)
  afterAll(() => desk?.leave())

  test('keeps the order of tasks that are added in quick succession', async () => {
    const { project_id } = await makeBoard(desk, 'Quick')
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${project_id}`)
    await page.getByRole('heading', { name: 'No tasks yet' }).waitFor()
    expect(await faults(page)).toEqual([])
    await page.keyboard.press('c')
    const field = page.getByRole('textbox', { name: 'New task in Ideas' })
    for (const title of ['First', 'Second', 'Third']) {
      await field.fill(title)
      await field.press('Enter')
    }
    await becomes(() => titlesIn(page, 'Ideas'), ['First', 'Second', 'Third'])
    await becomes(async () => (await heldIn(desk, project_id)).Ideas, ['First', 'Second', 'Third'])
    await cardOf(page, 'Third').getByText('QUI-3').waitFor()
    await field.press('Escape')
    await field.waitFor({ state: 'detached' })
    await columnOf(page, 'Doing').getByRole('button', { name: 'Add a task to Doing' }).click()
    await page.getByRole('textbox', { name: 'New task in Doing' }).press('Escape')
    await becomes(focusIn(page), 'Add a task to Doing')
    expect(complaints).toEqual([])
  })

  test('moves a card by dragging within its column and to another, and undo reverts it', async () => {
    const { project_id } = await makeBoard(desk, 'Mouse', ideas('Ant', 'Bee', 'Cat'))
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${project_id}`)
    await drag(page, cardOf(page, 'Ant'), cardOf(page, 'Cat'), 'bottom')
    await becomes(() => titlesIn(page, 'Ideas'), ['Bee', 'Cat', 'Ant'])
    await drag(page, cardOf(page, 'Ant'), cardOf(page, 'Cat'), 'top')
    await becomes(() => titlesIn(page, 'Ideas'), ['Bee', 'Ant', 'Cat'])
    await drag(page, cardOf(page, 'Ant'), columnOf(page, 'Doing'), 'bottom')
    await becomes(() => titlesIn(page, 'Doing'), ['Ant'])
    await page.getByText('Moved MOU-1 to Doing').waitFor()
    await becomes(async () => (await heldIn(desk, project_id)).Doing, ['Ant'])
    await undo(page, 'Moved MOU-1 to Doing')
    await becomes(() => titlesIn(page, 'Ideas'), ['Bee', 'Ant', 'Cat'])
    await becomes(async () => (await heldIn(desk, project_id)).Ideas, ['Bee', 'Ant', 'Cat'])
    expect((await heldIn(desk, project_id)).Doing).toEqual([])
    expect(complaints).toEqual([])
  })

  test('moves a card with the keys, announces its position, and one undo reverts all moves', async () => {
    const { project_id } = await makeBoard(desk, 'Keys', ideas('Ant', 'Bee', 'Cat'))
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${project_id}`)
    await titleOf(page, 'Ant').waitFor()
    await page.keyboard.press('j')
    await becomes(focusIn(page), 'Ant')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await becomes(() => titlesIn(page, 'Ideas'), ['Bee', 'Cat', 'Ant'])
    await page.getByText('KEY-1 moved to Ideas, 3 of 3').waitFor({ state: 'attached' })
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    await becomes(() => titlesIn(page, 'Doing'), ['Ant'])
    expect(await titlesIn(page, 'Next')).toEqual([])
    await becomes(focusIn(page), 'Ant')
    await page.keyboard.press('k')
    await page.keyboard.press('ArrowLeft')
    await becomes(focusIn(page), 'Bee')
    await page.keyboard.press('ControlOrMeta+z')
    // One undo reverts the whole sequence of moves.
    await becomes(() => titlesIn(page, 'Ideas'), ['Ant', 'Bee', 'Cat'])
    expect(await titlesIn(page, 'Doing')).toEqual([])
    await becomes(async () => (await heldIn(desk, project_id)).Ideas, ['Ant', 'Bee', 'Cat'])
    expect(complaints).toEqual([])
  })

  test('edits priority, size, labels, assignees and column with single keys', async () => {
    const { project_id, tasks } = await makeBoard(desk, 'Letters', {
      ...ideas('Ant', 'Bee'),
      labels: [{ name: 'garden', color: '#2f7d32' }],
    })
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${project_id}`)
    await titleOf(page, 'Ant').waitFor()
    await page.keyboard.press('j')
    const pick = async (key: string, list: string, ...typed: string[]) => {
      await page.keyboard.press(key)
      await page.getByRole('combobox', { name: list }).waitFor()
      expect(await faults(page)).toEqual([])
      for (const one of typed) await page.keyboard.type(one)
      await page.keyboard.press('Enter')
    }
    await pick('p', 'Priority', 'Urg')
    await cardOf(page, 'Ant')
      .getByTitle('Urgent')
      .or(cardOf(page, 'Ant').getByRole('img', { name: 'Urgent' }))
      .first()
      .waitFor()
    await pick('e', 'Size', 'XL')
    await cardOf(page, 'Ant').getByTitle('Size').getByText('XL').waitFor()
    await pick('l', 'Labels', 'gar')
    await page.keyboard.press('Escape')
    await cardOf(page, 'Ant').getByText('garden').waitFor()
    await pick('a', 'Assignees', 'Ada')
    await page.keyboard.press('Escape')
    await cardOf(page, 'Ant').getByRole('img', { name: 'Ada' }).waitFor()
    await pick('s', 'Column', 'Next')
    await becomes(() => titlesIn(page, 'Next'), ['Ant'])
    await becomes(focusIn(page), 'Ant')
    const { priority, estimate, labels, assignees } = await taskOf(desk, tasks[0]!)
    expect({ priority, estimate }).toEqual({ priority: 1, estimate: 6 })
    expect(labels.map((one: { name: string }) => one.name)).toEqual(['garden'])
    expect(assignees.map((one: { name: string }) => one.name)).toEqual(['Ada'])
    expect(complaints).toEqual([])
  })

  test('moves a card back and shows the reason when the server refuses the move', async () => {
    const { project_id } = await makeBoard(desk, 'Refused', ideas('Ant', 'Bee'))
    const { page, complaints, go } = await desk.sit({ may: /409/ })
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
    await becomes(() => titlesIn(page, 'Ideas'), ['Ant', 'Bee'])
    expect(await titlesIn(page, 'Next')).toEqual([])
    expect(complaints).toEqual([])
  })

  test('restores the typed title to its field when creating the task fails', async () => {
    const { project_id } = await makeBoard(desk, 'Full', ideas('Ant'))
    const { page, complaints, go } = await desk.sit({ may: /507/ })
    let answer = () => {}
    await page.route('**/api/v1/tasks', async (route) => {
      await new Promise<void>((now) => {
        answer = now
      })
      await route.fulfill({ status: 507, json: { success: false, message: 'The disk is full' } })
    })
    await go(`/projects/${project_id}`)
    await titleOf(page, 'Ant').waitFor()
    await page.keyboard.press('c')
    const field = page.getByRole('textbox', { name: 'New task in Ideas' })
    await field.fill('Write to the harbour')
    await field.press('Enter')
    await field.press('Escape')
    await field.waitFor({ state: 'detached' })
    answer()
    await page.getByRole('alert').getByText('The disk is full').waitFor()
    await becomes(() => field.inputValue(), 'Write to the harbour')
    expect(await titlesIn(page, 'Ideas')).toEqual(['Ant'])
    await page.unrouteAll()
    await field.press('Enter')
    await becomes(
      async () => (await heldIn(desk, project_id)).Ideas,
      ['Ant', 'Write to the harbour'],
    )
    expect(complaints).toEqual([])
  })
})
