import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssues } from '../page-checks.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { waitForToast } from './toasts.ts'

const VIEWS = '/api/v1/my-tasks/views'
const BUILT_IN = ['Assigned to me', 'Created by me', 'Watched']
const titles = (page: Page) => page.locator('.todos .row-title').allInnerTexts()
const groups = (page: Page) => page.locator('.todos h2').allInnerTexts()
const tabs = (page: Page) => page.getByLabel('Views of My Tasks').getByRole('link')
const waitForTitles = (page: Page, expected: readonly string[]) =>
  page.waitForFunction(
    (expectedTitles) =>
      [...document.querySelectorAll('.todos .row-title')].map((one) => one.textContent).join() ===
      expectedTitles,
    expected.join(),
  )

describe.skipIf(isBrowserSkipped)('views of My Tasks', () => {
  let app: WebApp
  let ada: BrowserSession
  let page: Page
  let garden: number
  beforeAll(async () => {
    app = await openWebApp()
    const board = await app.http('POST', '/api/v1/projects', {
      body: {
        ...{ team_id: app.team_id, title: 'Garden', labels: [{ name: 'outside' }] },
        sections: [{ title: 'To do' }, { title: 'Waiting' }, { title: 'Done' }],
      },
    })
    garden = board.body.data.project_id
    const fields = { assignee_ids: [app.user_id] }
    await app.createTask({ title: 'Alpha', priority: 3, ...fields })
    await app.createTask({ title: 'Bravo', priority: 1, ...fields })
    await app.createTask({ title: 'Charlie', project_id: garden, priority: 2, ...fields })
    await app.createTask({ title: 'Delta', project_id: garden, labels: ['outside'], ...fields })
    ada = await app.openSession()
    page = ada.page
  })
  afterAll(() => app?.close())

  const fetchViews = async () => (await app.http('GET', VIEWS)).body.data
  const panel = () => page.getByRole('dialog', { name: 'View options' })
  const clickOption = (name: string) => panel().getByRole('button', { name, exact: true }).click()

  test('grouping, sorting and filters apply at once and are kept in the URL over a reload', async () => {
    await ada.go('/my')
    await waitForTitles(page, ['Alpha', 'Bravo', 'Charlie', 'Delta'])
    await page.keyboard.press('f')
    await clickOption('By board')
    await page.getByRole('heading', { name: /^Garden/ }).waitFor()
    expect(await groups(page)).toEqual(['Garden\n2', 'Home\n2'])
    await panel().getByLabel('Sort by').selectOption('Priority')
    await waitForTitles(page, ['Charlie', 'Delta', 'Bravo', 'Alpha'])
    await clickOption('Urgent')
    await clickOption('High')
    await waitForTitles(page, ['Charlie', 'Bravo'])
    expect(await accessibilityIssues(page)).toEqual([])
    await page.reload()
    await waitForTitles(page, ['Charlie', 'Bravo'])
    const parameters = new URL(page.url()).searchParams
    expect([parameters.get('group'), parameters.get('sort')]).toEqual(['board', 'Priority'])
    expect(parameters.getAll('priority')).toEqual(['1', '2'])
    expect(await fetchViews()).toEqual([])
  })

  test('a view saves grouping, sorting, filters and a board for new tasks', async () => {
    await page.keyboard.press('f')
    await panel().getByRole('button', { name: 'Save as a view…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save as a view' })
    await dialog.getByLabel('Name').fill('Now')
    await dialog.getByLabel('New tasks go to').selectOption('Garden')
    expect(await accessibilityIssues(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await waitForToast(page, 'Saved the view Now')
    await expectEventually(() => tabs(page).allInnerTexts(), [...BUILT_IN, 'Now'])
    const [view] = await fetchViews()
    expect(view).toMatchObject({
      ...{ title: 'Now', grouping: 'board', default_project_id: garden },
      sorting_stack: [{ mode: 'Priority', order: 'Ascending' }],
      board_filters: { groups: [{ rules: [{ field: 'priority', op: 'any_of', value: [1, 2] }] }] },
    })
    expect(new URL(page.url()).search).toBe(`?view=${view.view_id}`)
    await waitForTitles(page, ['Charlie', 'Bravo'])
  })

  test('new tasks go to the default board of the view', async () => {
    await page.keyboard.press('c')
    await page.keyboard.type('Echo !urgent')
    await page.keyboard.press('Enter')
    await waitForTitles(page, ['Echo', 'Charlie', 'Bravo'])
    const { data } = (await app.http('GET', '/api/v1/my-tasks')).body
    expect(data.find((one: { title: string }) => one.title === 'Echo').project_id).toBe(garden)
  })

  test('changes to a view can be cleared or saved to the view', async () => {
    await page.keyboard.press('Escape')
    await page.keyboard.press('f')
    await clickOption('Home')
    await waitForTitles(page, ['Bravo'])
    await clickOption('Clear')
    await waitForTitles(page, ['Echo', 'Charlie', 'Bravo'])
    await clickOption('Home')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Save changes to Now' }).click()
    await waitForToast(page, 'Saved changes to Now')
    expect((await fetchViews())[0].project_ids).toEqual([app.project_id])
    expect(new URL(page.url()).searchParams.has('boards')).toBe(false)
    expect(await titles(page)).toEqual(['Bravo'])
    expect(await page.getByRole('button', { name: 'Save changes to Now' }).count()).toBe(0)
  })

  test('a view is renamed, leaves out columns, is moved, and is used as the default', async () => {
    await app.http('POST', VIEWS, { body: { title: 'Later' } })
    await tabs(page).getByText('Later').waitFor()
    await chooseFromViewMenu('Now', 'Edit view…')
    const dialog = page.getByRole('dialog', { name: 'Edit view' })
    await dialog.getByLabel('Name').fill('At home')
    await dialog.getByRole('button', { name: 'To do' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await waitForToast(page, 'Updated the view At home')
    await page.getByRole('heading', { name: 'No matching tasks' }).waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await chooseFromViewMenu('At home', 'Move right')
    await chooseFromViewMenu('At home', 'Use as default')
    // The menu runs its command after it has closed.
    await page.waitForFunction(() => localStorage.getItem('my-views')?.includes('first'))
    await ada.go('/my')
    await page.getByRole('heading', { name: 'No matching tasks' }).waitFor()
    await expectEventually(() => tabs(page).allInnerTexts(), [...BUILT_IN, 'Later', 'At home'])
    await page.locator('.nav-tabs [aria-current]').getByText('At home').waitFor()
    await tabs(page).getByText('Assigned to me').click()
    await page.getByText('Delta').waitFor()
    expect(new URL(page.url()).searchParams.get('view')).toBe('all')
  })
  const chooseFromViewMenu = async (view: string, item: string) => {
    await page.getByRole('button', { name: `More about the view ${view}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }

  test('deleting a view removes it from the server, and undo creates it again', async () => {
    await tabs(page).getByText('At home').click()
    const before = (await fetchViews()).find((one: { title: string }) => one.title === 'At home')
    await chooseFromViewMenu('At home', 'Delete view')
    await waitForToast(page, 'Deleted the view At home')
    expect((await fetchViews()).map(({ title }: { title: string }) => title)).toEqual(['Later'])
    await expectEventually(() => tabs(page).allInnerTexts(), [...BUILT_IN, 'Later'])
    await page.keyboard.press('Control+z')
    await tabs(page).getByText('At home').waitFor()
    const after = (await fetchViews()).find((one: { title: string }) => one.title === 'At home')
    const { view_id: _1, created_at: _2, updated_at: _3, ...unchanged } = before
    expect(after).toMatchObject(unchanged)
  })

  test('completed tasks are hidden until requested, and then load page by page', async () => {
    const { body } = await app.http('GET', `/api/v1/projects/${garden}/sections`)
    const section_id = body.data.find((one: { done: boolean }) => one.done).section_id
    const fields = { project_id: garden, section_id, assignee_ids: [app.user_id] }
    for (let at = 0; at < 60; at += 20)
      await Promise.all(
        Array.from({ length: 20 }, (_, offset) =>
          app.createTask({ title: `Finished ${at + offset}`, ...fields }),
        ),
      )
    await ada.go('/my?view=all')
    await page.getByText('Delta').waitFor()
    expect(await page.getByText('Finished').count()).toBe(0)
    await page.keyboard.press('f')
    await clickOption('Show completed')
    await page.getByRole('heading', { name: /^Done\s*60/ }).waitFor()
    await page.keyboard.press('Escape')
    const titlesSeen = new Set<string>()
    await page.locator('.todos').hover()
    await expectEventually(async () => {
      for (const title of await page.locator('.todo.done .row-title').allInnerTexts())
        titlesSeen.add(title)
      await page.mouse.wheel(0, 400)
      return titlesSeen.size
    }, 60)
    expect(await page.locator('.todos .todo').count()).toBeLessThan(60)
  })

  test('without a default board, adding a task asks for one once and remembers it', async () => {
    await ada.go('/my?view=all')
    await page.getByText('Delta').waitFor()
    await page.keyboard.press('c')
    await page.keyboard.type('Foxtrot today')
    await page.keyboard.press('Enter')
    const boardQuestion = page.getByRole('group', { name: /^Which board/ })
    await boardQuestion.waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('.todos').getByText('Foxtrot').waitFor()
    expect(await boardQuestion.count()).toBe(0)
    const { data } = (await app.http('GET', '/api/v1/user/context')).body
    expect(data.profile.default_board).toBe(app.project_id)
    await page.keyboard.type('Golf today')
    await page.keyboard.press('Enter')
    await page.locator('.todos').getByText('Golf').waitFor()
  })

  test('the tabs show what somebody created or watches, live and with its assignees', async () => {
    const scout = await app.connectAgent('Scout')
    const { task_id } = await scout.callTool('svc_tasks', 'create', {
      ...{ project_id: garden, title: 'Hotel' },
    })
    const body = { agent_id: scout.agent_id }
    await app.http('POST', `/api/v1/tasks/${task_id}/assign`, { body })
    await ada.go('/my?view=all')
    await page.getByText('Delta').waitFor()
    await tabs(page).getByText('Watched').click()
    await page.locator('.nav-tabs [aria-current]').getByText('Watched').waitFor()
    await page.getByText('Delta').waitFor()
    expect(new URL(page.url()).searchParams.get('show')).toBe('watched')
    expect(await page.getByText('Hotel').count()).toBe(0)
    await app.http('PUT', `/api/v1/tasks/${task_id}/watch`)
    const hotel = page.getByRole('article').filter({ hasText: 'Hotel' })
    await hotel.getByRole('img', { name: 'Scout, agent' }).waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.keyboard.press('f')
    await clickOption('Created by me')
    await page.locator('.nav-tabs [aria-current]').getByText('Created by me').waitFor()
    await hotel.waitFor({ state: 'detached' })
    await panel().getByRole('button', { name: 'Save as a view…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save as a view' })
    await dialog.getByLabel('Name').fill('Handed over')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.locator('.nav-tabs [aria-current]').getByText('Handed over').waitFor()
    const view = (await fetchViews()).find((one: { title: string }) => one.title === 'Handed over')
    expect(view.involvement).toBe('created')
    await page.getByText('Delta').waitFor()
    expect(new URL(page.url()).search).toBe(`?view=${view.view_id}`)
  })

  test('the dark theme is accessible, an unknown view shows all tasks, and no errors are logged', async () => {
    const other = await app.openSession({ theme: 'dark' })
    await other.go('/my')
    await other.page.getByText('Delta').waitFor()
    // A link to a deleted view shows all tasks, and the browser logs no refused request.
    await other.go('/my?view=gone')
    await other.page.getByText('Delta').waitFor()
    await other.page.keyboard.press('f')
    await other.page.getByRole('dialog', { name: 'View options' }).waitFor()
    expect(await accessibilityIssues(other.page)).toEqual([])
    expect([...ada.problems, ...other.problems]).toEqual([])
  })
})
