import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Desk, noBrowser, openDesk, type Person } from '../desk.ts'
import { faults } from '../faults.ts'

const VIEWS = '/api/v1/my-tasks/views'
const titles = (page: Page) => page.locator('.todos .what').allInnerTexts()
const groups = (page: Page) => page.locator('.todos h2').allInnerTexts()
const tabs = (page: Page) => page.getByLabel('Views of My Tasks').getByRole('link')
const told = (page: Page, words: string | RegExp) =>
  page.getByLabel('What happened').getByText(words).waitFor()
const until = (page: Page, want: readonly string[]) =>
  page.waitForFunction(
    (some) =>
      [...document.querySelectorAll('.todos .what')].map((one) => one.textContent).join() === some,
    want.join(),
  )

describe.skipIf(noBrowser)('views of My Tasks', () => {
  let desk: Desk
  let ada: Person
  let page: Page
  let garden: number
  beforeAll(async () => {
    desk = await openDesk()
    const board = await desk.http('POST', '/api/v1/projects', {
      body: {
        ...{ team_id: desk.team_id, title: 'Garden', labels: [{ name: 'outside' }] },
        sections: [{ title: 'To do' }, { title: 'Waiting' }, { title: 'Done' }],
      },
    })
    garden = board.body.data.project_id
    const own = { assignee_ids: [desk.user_id] }
    await desk.create({ title: 'Alpha', priority: 3, ...own })
    await desk.create({ title: 'Bravo', priority: 1, ...own })
    await desk.create({ title: 'Charlie', project_id: garden, priority: 2, ...own })
    await desk.create({ title: 'Delta', project_id: garden, labels: ['outside'], ...own })
    ada = await desk.sit()
    page = ada.page
  }, 60_000)
  afterAll(() => desk?.leave())

  const kept = async () => (await desk.http('GET', VIEWS)).body.data
  const panel = () => page.getByRole('dialog', { name: 'View options' })
  const turn = (name: string) => panel().getByRole('button', { name, exact: true }).click()

  test('grouping, sorting and filters apply at once and are kept in the URL over a reload', async () => {
    await ada.go('/my')
    await until(page, ['Alpha', 'Bravo', 'Charlie', 'Delta'])
    await page.keyboard.press('f')
    await turn('By board')
    await page.getByRole('heading', { name: /^Garden/ }).waitFor()
    expect(await groups(page)).toEqual(['Garden\n2', 'Home\n2'])
    await panel().getByLabel('Sort by').selectOption('Priority')
    await until(page, ['Charlie', 'Delta', 'Bravo', 'Alpha'])
    await turn('Urgent')
    await turn('High')
    await until(page, ['Charlie', 'Bravo'])
    expect(await faults(page)).toEqual([])
    await page.reload()
    await until(page, ['Charlie', 'Bravo'])
    const said = new URL(page.url()).searchParams
    expect([said.get('group'), said.get('sort')]).toEqual(['board', 'Priority'])
    expect(said.getAll('priority')).toEqual(['1', '2'])
    expect(await kept()).toEqual([])
  })

  test('a view saves grouping, sorting, filters and a board for new tasks', async () => {
    await page.keyboard.press('f')
    await panel().getByRole('button', { name: 'Save as a view…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save as a view' })
    await dialog.getByLabel('Name').fill('Now')
    await dialog.getByLabel('New tasks go to').selectOption('Garden')
    expect(await faults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await told(page, 'Saved the view Now')
    expect(await tabs(page).allInnerTexts()).toEqual(['All', 'Now'])
    const [view] = await kept()
    expect(view).toMatchObject({
      ...{ title: 'Now', grouping: 'board', default_project_id: garden },
      sorting_stack: [{ mode: 'Priority', order: 'Ascending' }],
      board_filters: { groups: [{ rules: [{ field: 'priority', op: 'any_of', value: [1, 2] }] }] },
    })
    expect(new URL(page.url()).search).toBe(`?view=${view.view_id}`)
    await until(page, ['Charlie', 'Bravo'])
  })

  test('new tasks go to the default board of the view', async () => {
    await page.keyboard.press('c')
    await page.keyboard.type('Echo !urgent')
    await page.keyboard.press('Enter')
    await until(page, ['Echo', 'Charlie', 'Bravo'])
    const { data } = (await desk.http('GET', '/api/v1/my-tasks')).body
    expect(data.find((one: { title: string }) => one.title === 'Echo').project_id).toBe(garden)
  })

  test('changes to a view can be cleared or saved to the view', async () => {
    await page.keyboard.press('Escape')
    await page.keyboard.press('f')
    await turn('Home')
    await until(page, ['Bravo'])
    await turn('Clear')
    await until(page, ['Echo', 'Charlie', 'Bravo'])
    await turn('Home')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Save changes to Now' }).click()
    await told(page, 'Saved changes to Now')
    expect((await kept())[0].project_ids).toEqual([desk.project_id])
    expect(new URL(page.url()).searchParams.has('boards')).toBe(false)
    expect(await titles(page)).toEqual(['Bravo'])
    expect(await page.getByRole('button', { name: 'Save changes to Now' }).count()).toBe(0)
  })

  test('a view is renamed, leaves out columns, is moved, and is used as the default', async () => {
    await desk.http('POST', VIEWS, { body: { title: 'Later' } })
    await tabs(page).getByText('Later').waitFor()
    await menu('Now', 'Edit view…')
    const dialog = page.getByRole('dialog', { name: 'Edit view' })
    await dialog.getByLabel('Name').fill('At home')
    await dialog.getByRole('button', { name: 'To do' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await told(page, 'Updated the view At home')
    await page.getByRole('heading', { name: 'No matching tasks' }).waitFor()
    expect(await faults(page)).toEqual([])
    await menu('At home', 'Move right')
    await menu('At home', 'Use as default')
    await ada.go('/my')
    await page.getByRole('heading', { name: 'No matching tasks' }).waitFor()
    expect(await tabs(page).allInnerTexts()).toEqual(['All', 'Later', 'At home'])
    await page.locator('.looks [aria-current]').getByText('At home').waitFor()
    await tabs(page).getByText('All').click()
    await page.getByText('Delta').waitFor()
    expect(new URL(page.url()).searchParams.get('view')).toBe('all')
  })
  const menu = async (view: string, deed: string) => {
    await page.getByRole('button', { name: `More about the view ${view}` }).click()
    await page.getByRole('menuitem', { name: deed }).click()
  }

  test('deleting a view removes it from the server, and undo creates it again', async () => {
    await tabs(page).getByText('At home').click()
    const before = (await kept()).find((one: { title: string }) => one.title === 'At home')
    await menu('At home', 'Delete view')
    await told(page, 'Deleted the view At home')
    expect((await kept()).map(({ title }: { title: string }) => title)).toEqual(['Later'])
    expect(await tabs(page).allInnerTexts()).toEqual(['All', 'Later'])
    await page.keyboard.press('Control+z')
    await tabs(page).getByText('At home').waitFor()
    const after = (await kept()).find((one: { title: string }) => one.title === 'At home')
    const { view_id: _1, created_at: _2, updated_at: _3, ...same } = before
    expect(after).toMatchObject(same)
  })

  test('completed tasks are hidden until requested, and then load page by page', async () => {
    const { body } = await desk.http('GET', `/api/v1/projects/${garden}/sections`)
    const section_id = body.data.find((one: { done: boolean }) => one.done).section_id
    const own = { project_id: garden, section_id, assignee_ids: [desk.user_id] }
    for (let at = 0; at < 60; at += 20)
      await Promise.all(
        Array.from({ length: 20 }, (_, by) =>
          desk.create({ title: `Finished ${at + by}`, ...own }),
        ),
      )
    await ada.go('/my?view=all')
    await page.getByText('Delta').waitFor()
    expect(await page.getByText('Finished').count()).toBe(0)
    await page.keyboard.press('f')
    await turn('Show completed')
    await page.getByRole('heading', { name: /^Done\s*60/ }).waitFor()
    await page.keyboard.press('Escape')
    const seen = new Set<string>()
    for (let step = 0; seen.size < 60 && step < 100; step++) {
      for (const title of await page.locator('.todo.done .what').allInnerTexts()) seen.add(title)
      await page.locator('.todos').hover()
      await page.mouse.wheel(0, 400)
    }
    expect(seen.size).toBe(60)
    expect(await page.locator('.todos .todo').count()).toBeLessThan(60)
  })

  test('without a default board, adding a task asks for one once and remembers it', async () => {
    await ada.go('/my?view=all')
    await page.getByText('Delta').waitFor()
    await page.keyboard.press('c')
    await page.keyboard.type('Foxtrot today')
    await page.keyboard.press('Enter')
    const asking = page.getByRole('group', { name: /^Which board/ })
    await asking.waitFor()
    expect(await faults(page)).toEqual([])
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('.todos').getByText('Foxtrot').waitFor()
    expect(await asking.count()).toBe(0)
    const { data } = (await desk.http('GET', '/api/v1/user/context')).body
    expect(data.profile.default_board).toBe(desk.project_id)
    await page.keyboard.type('Golf today')
    await page.keyboard.press('Enter')
    await page.locator('.todos').getByText('Golf').waitFor()
  })

  test('the dark theme is accessible, an unknown view shows all tasks, and no errors are logged', async () => {
    const other = await desk.sit({ theme: 'dark' })
    await other.go('/my')
    await other.page.getByText('Delta').waitFor()
    // A link to a deleted view shows all tasks, and the browser logs no refused request.
    await other.go('/my?view=gone')
    await other.page.getByText('Delta').waitFor()
    await other.page.keyboard.press('f')
    await other.page.getByRole('dialog', { name: 'View options' }).waitFor()
    expect(await faults(other.page)).toEqual([])
    expect([...ada.complaints, ...other.complaints]).toEqual([])
  })
})
