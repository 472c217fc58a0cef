import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { createBoard, tasksInIdeas } from './boards.ts'
import { addColleague } from './colleague.ts'
import { pressSequence } from './keys.ts'

describe.skipIf(isBrowserSkipped)('the archive', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  const statusOf = async (id: number): Promise<string> =>
    (await app.http('GET', `/api/v1/tasks/${id}`)).body.data.status
  const archive = (id: number) =>
    app.http('PATCH', `/api/v1/tasks/${id}`, { body: { status: 'Archive' } })
  const archiveBoard = (id: number) => app.http('POST', `/api/v1/projects/${id}/archive`)

  async function createArchivedTask(title: string) {
    const task = await app.createTask({ title })
    await archive(task.task_id)
    return task
  }

  test('says so when there are no archived tasks or boards', async () => {
    const { page, context, problems, go } = await app.openSession()
    await go('/archive')
    await page.getByRole('heading', { name: 'No archived tasks' }).waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.getByRole('link', { name: 'Boards', exact: true }).click()
    await page.getByRole('heading', { name: 'No archived boards' }).waitFor()
    expect(problems).toEqual([])
    await context.close()
  })

  test('opens from the sidebar, the board menu, the command palette and a shortcut', async () => {
    const { task_id } = await createArchivedTask('Sweep the hall')
    const { page, context, problems, go } = await app.openSession()
    const waitForArchive = async () => {
      await page.getByRole('heading', { name: 'Archive', level: 1 }).waitFor()
      await page.getByRole('button', { name: 'Sweep the hall' }).waitFor()
    }
    await go('/my')
    await page.getByRole('navigation').getByRole('link', { name: 'Archive' }).click()
    await waitForArchive()
    expect(await page.title()).toContain('Archive')

    await go(`/projects/${app.project_id}`)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Archived tasks' }).click()
    await waitForArchive()
    expect(await page.getByLabel('Board', { exact: true }).inputValue()).toBe(
      String(app.project_id),
    )

    await go('/my')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('archive')
    await page.getByRole('option', { name: /^Archive/ }).click()
    await waitForArchive()

    await go('/my')
    await pressSequence(page, 'g', 'x')
    await waitForArchive()
    await app.http('PATCH', `/api/v1/tasks/${task_id}`, { body: { status: 'Deleted' } })
    expect(problems).toEqual([])
    await context.close()
  })

  test('finds, opens and restores a task, and undo archives it again', async () => {
    const paint = await createArchivedTask('Paint the door')
    await createArchivedTask('Oil the hinges')
    const { page, context, problems, go } = await app.openSession()
    await go('/archive')
    const row = (title: string) => page.getByRole('listitem').filter({ hasText: title })
    await row('Oil the hinges').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])

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
    await expectEventually(() => statusOf(paint.task_id), 'Normal')
    await page.locator('input:focus').waitFor()
    await page.getByText(`Restored ${paint.ticket_number}`).waitFor()
    await page.getByRole('button', { name: /^Undo/ }).click()
    await row('Paint the door').waitFor()
    await expectEventually(() => statusOf(paint.task_id), 'Archive')
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await row('Oil the hinges').waitFor()
    expect(problems).toEqual([])
    await context.close()
  })

  test('is operated by keys alone, and restoring moves the focus to the next row', async () => {
    const [first, second] = [
      await createArchivedTask('Wash the van'),
      await createArchivedTask('Wax the van'),
    ]
    const { page, context, problems, go } = await app.openSession()
    await go('/archive?q=van')
    await page.getByRole('button', { name: 'Wax the van' }).waitFor()
    const focusedText = () => page.evaluate(() => document.activeElement?.textContent)
    await page.keyboard.press('j')
    await expectEventually(focusedText, 'Wax the van')
    await page.keyboard.press('j')
    await expectEventually(focusedText, 'Wash the van')
    await page.keyboard.press('k')
    await expectEventually(focusedText, 'Wax the van')
    await page.keyboard.press('r')
    await expectEventually(() => statusOf(second.task_id), 'Normal')
    await page.getByRole('button', { name: 'Wax the van' }).waitFor({ state: 'detached' })
    await expectEventually(focusedText, `Restore ${first.ticket_number}`)
    await page.keyboard.press('Enter')
    await expectEventually(() => statusOf(first.task_id), 'Normal')
    expect(problems).toEqual([])
    await context.close()
  })

  test('restores several deleted tasks from the trash at once, and undo deletes them again', async () => {
    const tasks = await Promise.all(
      ['Stack crates', 'Stack chairs', 'Stack plates'].map((title) => app.createTask({ title })),
    )
    for (const { task_id } of tasks)
      await app.http('PATCH', `/api/v1/tasks/${task_id}`, { body: { status: 'Deleted' } })
    const { page, context, problems, go } = await app.openSession()
    await go('/archive?show=trash&q=stack')
    await page.getByRole('button', { name: 'Stack crates' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByRole('checkbox').nth(1).check()
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('Control+a')
    await page.getByText('3 selected').waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.getByRole('toolbar').getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('heading', { name: 'No matching tasks' }).waitFor()
    const statuses = () => Promise.all(tasks.map(({ task_id }) => statusOf(task_id)))
    await expectEventually(async () => (await statuses()).join(), 'Normal,Normal,Normal')
    await page.getByRole('button', { name: /^Undo/ }).click()
    await expectEventually(async () => (await statuses()).join(), 'Deleted,Deleted,Deleted')
    await page.getByRole('button', { name: 'Stack crates' }).waitFor()
    expect(problems).toEqual([])
    await context.close()
  })

  test('restores an archived page', async () => {
    const { ticket_number } = await app.createTask({ title: 'Write the rules' })
    const { body } = await app.http('POST', `/api/v1/tasks/${ticket_number}/pages`, {
      body: { title: 'House rules', content: 'No noise' },
    })
    await app.http('DELETE', `/api/v1/pages/${body.data.page_id}`)
    const { page, context, problems, go } = await app.openSession({ width: 390, height: 844 })
    await go('/archive?show=pages')
    await page.getByRole('link', { name: 'House rules' }).waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Restore House rules' }).click()
    await page.getByRole('heading', { name: 'No archived pages' }).waitFor()
    // The row is hidden before the server has responded.
    const status = async () => (await app.http('GET', `/api/v1/pages/${body.data.page_id}`)).status
    await expectEventually(status, 200)
    expect(problems).toEqual([])
    await context.close()
  })

  test('adds a task that is archived elsewhere, and removes one that is restored', async () => {
    const { page, context, problems, go } = await app.openSession()
    await go('/archive?q=lamp')
    await page.getByRole('heading', { name: 'No matching tasks' }).waitFor()
    const { task_id } = await createArchivedTask('Mend the lamp')
    await page.getByRole('button', { name: 'Mend the lamp' }).waitFor()
    await app.http('PATCH', `/api/v1/tasks/${task_id}`, { body: { status: 'Normal' } })
    await page.getByRole('heading', { name: 'No matching tasks' }).waitFor()
    expect(problems).toEqual([])
    await context.close()
  })

  test('keeps a task that cannot be restored, and shows the reason', async () => {
    const { task_id } = await createArchivedTask('Count the chairs')
    const { page, context, go } = await app.openSession({ ignoredMessages: /status of 500/ })
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
    const { project_id, tasks } = await createBoard(app, 'Old fair', {
      tasks: [{ title: 'Rent tents', section_index: 0 }],
    })
    await app.http('PATCH', `/api/v1/tasks/${tasks[0]}`, { body: { status: 'Archive' } })
    await archiveBoard(project_id)
    const { page, context, problems, go } = await app.openSession({ width: 390, height: 844 })
    await go('/archive?q=tents')
    await page.getByRole('heading', { name: 'No matching tasks' }).waitFor()
    await go(`/archive?board=${project_id}`)
    await page.getByRole('button', { name: 'Rent tents' }).waitFor()
    await page.getByRole('option', { name: 'Old fair', selected: true }).waitFor({
      state: 'attached',
    })
    await page.getByRole('link', { name: 'Boards', exact: true }).click()
    await page.getByRole('link', { name: 'Old fair' }).waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Restore Old fair' }).click()
    await page.getByRole('heading', { name: 'No archived boards' }).waitFor()
    await expectEventually(
      async () => (await app.http('GET', `/api/v1/projects/${project_id}`)).body.data.status,
      'Normal',
    )
    await page.getByRole('button', { name: /^Undo/ }).click()
    await page.getByRole('link', { name: 'Old fair' }).waitFor()
    expect(problems).toEqual([])
    await context.close()
  })

  test('does not let a member restore a board; only owners and admins may', async () => {
    const { project_id } = await createBoard(app, 'Old market', { tasks: [] })
    await archiveBoard(project_id)
    const { page, context, problems, go } = await addColleague(app, 'Kim')
    await go('/archive?show=boards')
    const row = page.getByRole('listitem').filter({ hasText: 'Old market' })
    await row.getByText('Owners and admins of the team can restore it').waitFor()
    expect(await row.getByRole('button').count()).toBe(0)
    await row.getByRole('link', { name: 'Old market' }).click()
    await page.getByText('Owners and admins of the team can restore it.').waitFor()
    expect(await page.getByRole('button', { name: 'Restore' }).count()).toBe(0)
    expect(problems).toEqual([])
    await context.close()
  })

  test('loads more tasks page by page while scrolling', async () => {
    const all = Array.from({ length: 70 }, (_, at) => `Crate ${at + 1}`)
    const { tasks } = await createBoard(app, 'Warehouse', tasksInIdeas(...all))
    for (const ticket_numbers of [tasks.slice(0, 35), tasks.slice(35)]) {
      const body = { ticket_numbers, status: 'Archive' }
      expect((await app.http('PATCH', '/api/v1/tasks', { body })).status).toBe(200)
    }
    const { page, context, problems, go } = await app.openSession()
    await go('/archive?q=crate')
    await page.getByText('70 archived tasks').waitFor({ state: 'attached' })
    const rows = page.locator('.archive .rows')
    await rows.getByRole('listitem').first().waitFor()
    const titles = new Set<string>()
    await expectEventually(async () => {
      for (const title of await rows.locator('.row-title').allTextContents()) titles.add(title)
      await rows.evaluate((element) => element.scrollBy(0, 400))
      return titles.size
    }, 70)
    expect(problems).toEqual([])
    await context.close()
  })

  const trashed = async (title: string) => {
    const task = await app.createTask({ title })
    await app.http('PATCH', `/api/v1/tasks/${task.task_id}`, { body: { status: 'Deleted' } })
    return task
  }
  const existing = async (id: number): Promise<number> =>
    (await app.http('GET', `/api/v1/tasks/${id}`)).status

  test('deletes a task in the trash forever after a confirmation, by mouse and by keys', async () => {
    const [first, second] = [await trashed('Burn the letter'), await trashed('Burn the map')]
    const { page, context, problems, go } = await app.openSession()
    await go('/archive?show=trash&q=Burn')
    const row = (title: string) => page.getByRole('listitem').filter({ hasText: title })
    await row('Burn the letter')
      .getByRole('button', { name: /forever$/ })
      .click()
    const dialog = page.getByRole('dialog', { name: 'Delete 1 task forever?' })
    await dialog.getByText(`${first.ticket_number} Burn the letter`).waitFor()
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await existing(first.task_id)).toBe(200)
    await row('Burn the letter')
      .getByRole('button', { name: /forever$/ })
      .click()
    await dialog.getByRole('button', { name: 'Delete forever' }).click()
    await row('Burn the letter').waitFor({ state: 'detached' })
    await page.getByText('Deleted 1 task forever').waitFor()
    expect(await existing(first.task_id)).toBe(404)

    await page.getByRole('button', { name: 'Burn the map' }).focus()
    await page.keyboard.press('Delete')
    await dialog.waitFor()
    await dialog.getByRole('button', { name: 'Delete forever' }).press('Enter')
    await page.getByRole('heading', { name: 'No matching tasks' }).waitFor()
    expect(await existing(second.task_id)).toBe(404)
    expect(problems).toEqual([])
    await context.close()
  })

  test('empties the trash of a board and tells how many tasks that deletes', async () => {
    await trashed('Shred one')
    await trashed('Shred two')
    const { page, context, problems, go } = await app.openSession()
    await go('/archive?show=trash')
    await page.getByRole('button', { name: 'Shred two' }).waitFor()
    const rows = await page.locator('.archived').count()
    await page.getByRole('button', { name: 'Empty trash' }).click()
    const dialog = page.getByRole('dialog', { name: `Delete ${rows} tasks forever?` })
    await dialog.getByRole('button', { name: 'Delete forever' }).click()
    await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
    await page.getByRole('button', { name: 'Empty trash' }).click()
    await page.getByText('Nothing in the trash that you may delete forever').waitFor()
    expect(problems).toEqual([])
    await context.close()
  })
})
