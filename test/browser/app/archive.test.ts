import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { faultsInBothThemes } from '../faults.ts'
import { becomes, ideas, makeBoard } from './boards.ts'
import { colleague } from './colleague.ts'

describe.skipIf(noBrowser)('the archive', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk()
  }, 60_000)
  afterAll(() => desk?.leave())

  const statusOf = async (id: number): Promise<string> =>
    (await desk.http('GET', `/api/v1/tasks/${id}`)).body.data.status
  const archive = (id: number) =>
    desk.http('PATCH', `/api/v1/tasks/${id}`, { body: { status: 'Archive' } })
  const archiveBoard = (id: number) => desk.http('POST', `/api/v1/projects/${id}/archive`)

  async function archived(title: string) {
    const task = await desk.create({ title })
    await archive(task.task_id)
    return task
  }

  test('says so when there are no archived tasks or boards', async () => {
    const { page, context, complaints, go } = await desk.sit()
    await go('/archive')
    await page.getByRole('heading', { name: 'No archived tasks' }).waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('link', { name: 'Boards', exact: true }).click()
    await page.getByRole('heading', { name: 'No archived boards' }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('opens from the sidebar, the board menu, the command palette and a shortcut', async () => {
    const { task_id } = await archived('Sweep the hall')
    const { page, context, complaints, go } = await desk.sit()
    const isThere = async () => {
      await page.getByRole('heading', { name: 'Archive', level: 1 }).waitFor()
      await page.getByRole('button', { name: 'Sweep the hall' }).waitFor()
    }
    await go('/my')
    await page.getByRole('navigation').getByRole('link', { name: 'Archive' }).click()
    await isThere()
    expect(await page.title()).toContain('Archive')

    await go(`/projects/${desk.project_id}`)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Archived tasks' }).click()
    await isThere()
    expect(await page.getByLabel('Board', { exact: true }).inputValue()).toBe(
      String(desk.project_id),
    )

    await go('/my')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('archive')
    await page.getByRole('option', { name: /^Archive/ }).click()
    await isThere()

    await go('/my')
    await page.keyboard.press('g')
    await page.keyboard.press('x')
    await isThere()
    await desk.http('PATCH', `/api/v1/tasks/${task_id}`, { body: { status: 'Deleted' } })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('finds, opens and restores a task, and undo archives it again', async () => {
    const paint = await archived('Paint the door')
    await archived('Oil the hinges')
    const { page, context, complaints, go } = await desk.sit()
    await go('/archive')
    const row = (title: string) => page.getByRole('listitem').filter({ hasText: title })
    await row('Oil the hinges').waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])

    await page.getByLabel('Search archived tasks').fill('door')
    await row('Oil the hinges').waitFor({ state: 'detached' })
    await row('Paint the door').getByRole('button', { name: 'Paint the door' }).click()
    const panel = page.getByRole('article', { name: /Paint the door/ })
    await panel.getByText('This task is archived').waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })

    await row('Paint the door')
      .getByRole('button', { name: /^Restore/ })
      .click()
    await page.getByRole('heading', { name: 'No matching tasks' }).waitFor()
    await becomes(() => statusOf(paint.task_id), 'Normal')
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe('input')
    await page.getByText(`Restored ${paint.ticket_number}`).waitFor()
    await page.getByRole('button', { name: /^Undo/ }).click()
    await row('Paint the door').waitFor()
    await becomes(() => statusOf(paint.task_id), 'Archive')
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await row('Oil the hinges').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('is operated by keys alone, and restoring moves the focus to the next row', async () => {
    const [first, second] = [await archived('Wash the van'), await archived('Wax the van')]
    const { page, context, complaints, go } = await desk.sit()
    await go('/archive?q=van')
    await page.getByRole('button', { name: 'Wax the van' }).waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await page.keyboard.press('j')
    await becomes(focused, 'Wax the van')
    await page.keyboard.press('j')
    await becomes(focused, 'Wash the van')
    await page.keyboard.press('k')
    await becomes(focused, 'Wax the van')
    await page.keyboard.press('r')
    await becomes(() => statusOf(second.task_id), 'Normal')
    await page.getByRole('button', { name: 'Wax the van' }).waitFor({ state: 'detached' })
    expect(await focused()).toBe(`Restore ${first.ticket_number}`)
    await page.keyboard.press('Enter')
    await becomes(() => statusOf(first.task_id), 'Normal')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('adds a task that is archived elsewhere, and removes one that is restored', async () => {
    const { page, context, complaints, go } = await desk.sit()
    await go('/archive?q=lamp')
    await page.getByRole('heading', { name: 'No matching tasks' }).waitFor()
    const { task_id } = await archived('Mend the lamp')
    await page.getByRole('button', { name: 'Mend the lamp' }).waitFor()
    await desk.http('PATCH', `/api/v1/tasks/${task_id}`, { body: { status: 'Normal' } })
    await page.getByRole('heading', { name: 'No matching tasks' }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('keeps a task that cannot be restored, and shows the reason', async () => {
    const { task_id } = await archived('Count the chairs')
    const { page, context, go } = await desk.sit({ may: /status of 500/ })
    await context.route(`**/api/v1/tasks/${task_id}`, (route) =>
      route.fulfill({
        status: 500,
        body: JSON.stringify({ success: false, message: 'The disk is full' }),
      }),
    )
    await go('/archive?q=chairs')
    await page.getByRole('button', { name: /^Restore/ }).click()
    await page.getByText('The disk is full').waitFor()
    await page.getByRole('button', { name: 'Count the chairs' }).waitFor()
    await context.close()
  })

  test('lists archived boards, restores one, and shows its archived tasks', async () => {
    const { project_id, tasks } = await makeBoard(desk, 'Old fair', {
      tasks: [{ title: 'Rent tents', section_index: 0 }],
    })
    await desk.http('PATCH', `/api/v1/tasks/${tasks[0]}`, { body: { status: 'Archive' } })
    await archiveBoard(project_id)
    const { page, context, complaints, go } = await desk.sit({ width: 390, height: 844 })
    await go('/archive?q=tents')
    await page.getByRole('heading', { name: 'No matching tasks' }).waitFor()
    await go(`/archive?board=${project_id}`)
    await page.getByRole('button', { name: 'Rent tents' }).waitFor()
    await page.getByRole('option', { name: 'Old fair', selected: true }).waitFor({
      state: 'attached',
    })
    await page.getByRole('link', { name: 'Boards', exact: true }).click()
    await page.getByRole('link', { name: 'Old fair' }).waitFor()
    expect(await faultsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Restore Old fair' }).click()
    await page.getByRole('heading', { name: 'No archived boards' }).waitFor()
    await becomes(
      async () => (await desk.http('GET', `/api/v1/projects/${project_id}`)).body.data.status,
      'Normal',
    )
    await page.getByRole('button', { name: /^Undo/ }).click()
    await page.getByRole('link', { name: 'Old fair' }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('does not let a member restore a board; only owners and admins may', async () => {
    const { project_id } = await makeBoard(desk, 'Old market', { tasks: [] })
    await archiveBoard(project_id)
    const { page, context, complaints, go } = await colleague(desk, 'Kim')
    await go('/archive?show=boards')
    const row = page.getByRole('listitem').filter({ hasText: 'Old market' })
    await row.getByText('Owners and admins of the team can restore it').waitFor()
    expect(await row.getByRole('button').count()).toBe(0)
    await row.getByRole('link', { name: 'Old market' }).click()
    await page.getByText('Owners and admins of the team can restore it.').waitFor()
    expect(await page.getByRole('button', { name: 'Restore' }).count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('loads more tasks page by page while scrolling', async () => {
    const all = Array.from({ length: 70 }, (_, at) => `Crate ${at + 1}`)
    const { tasks } = await makeBoard(desk, 'Warehouse', ideas(...all))
    for (const ticket_numbers of [tasks.slice(0, 35), tasks.slice(35)]) {
      const body = { ticket_numbers, status: 'Archive' }
      expect((await desk.http('PATCH', '/api/v1/tasks', { body })).status).toBe(200)
    }
    const { page, context, complaints, go } = await desk.sit()
    await go('/archive?q=crate')
    await page.getByText('70 archived tasks').waitFor({ state: 'attached' })
    const rows = page.locator('.archive .rows')
    await rows.getByRole('listitem').first().waitFor()
    const titles = new Set<string>()
    await becomes(async () => {
      for (const title of await rows.locator('.what').allTextContents()) titles.add(title)
      await rows.evaluate((element) => element.scrollBy(0, 400))
      return titles.size
    }, 70)
    expect(complaints).toEqual([])
    await context.close()
  })
})
