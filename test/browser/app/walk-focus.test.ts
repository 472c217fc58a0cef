import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { type BrowserSession, isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { columnOf, createGardenBoard, focusedName } from './boards.ts'

type Step = string | ((page: Page) => Promise<unknown>)

/** What a person does with the keyboard, and the name of what has the focus at the end. */
interface Walk {
  path: string
  steps: Step[]
  end: string
}

const button = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).first().focus()
const link = (name: string) => (page: Page) => page.getByRole('link', { name }).first().focus()
const shown = (role: 'dialog' | 'listbox' | 'menu' | 'region', name?: string) => (page: Page) =>
  page
    .getByRole(role, name === undefined ? {} : { name })
    .first()
    .waitFor()
const field = (page: Page) => page.getByRole('textbox', { name: 'New task' }).first().waitFor()
const item = (name: RegExp) => async (page: Page) => {
  const found = page.getByRole('menuitem', { name }).first()
  await found.waitFor()
  await found.focus()
  await page.keyboard.press('Enter')
}
const row = (title: string) => (page: Page) =>
  page.getByRole('grid').getByRole('button', { name: title, exact: true }).focus()
const task = [button('Prune the roses')]
const openTask = [...task, 'Enter', shown('region', 'Comments')]

describe.skipIf(isBrowserSkipped)('the focus of somebody who uses only the keyboard', () => {
  let app: WebApp
  let session: BrowserSession
  let board = ''
  let settings = ''
  beforeAll(async () => {
    app = await openWebApp()
    session = await app.openSession()
    const { project_id } = await createGardenBoard(app, 'Garden')
    board = `/projects/${project_id}`
    settings = `/settings/board/${project_id}`
    for (const name of ['Beacon', 'Lantern']) await app.createAgent({ name })
  })
  afterAll(() => app?.close())

  async function expectEnds(walks: Walk[]) {
    const { page, problems, go } = session
    for (const { path, steps, end } of walks) {
      await go(path)
      await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'))
      for (const step of steps)
        await (typeof step === 'string' ? page.keyboard.press(step) : step(page))
      await expectEventually(focusedName(page), end)
    }
    expect(problems).toEqual([])
  }

  test('returns to the card when what opened over it closes', () =>
    expectEnds(
      [
        [...task, 'Control+k', shown('dialog'), 'Escape'],
        [...task, 'Shift+?', shown('dialog'), 'Escape'],
        [...task, 'g', 'z', shown('dialog'), 'Escape'],
        [...task, 'Shift+F10', shown('menu'), 'Escape'],
        [...task, 'c', field, 'Escape'],
        [...task, 'l', shown('listbox'), 'Escape'],
        [...openTask, 'Escape'],
      ].map((steps) => ({ path: board, steps, end: 'Prune the roses' })),
    ))

  test('Escape closes one level at a time', () =>
    expectEnds([
      { path: board, steps: [...openTask, 'l', shown('listbox'), 'Escape'], end: 'Labels: garden' },
      { path: settings, steps: [link('Labels'), 'Escape'], end: 'Labels' },
    ]))

  test('goes to what is beside a removed card, row or agent', () =>
    expectEnds([
      {
        path: board,
        steps: [button('Paint the fence'), 'Shift+F10', item(/^Archive/)],
        end: 'Prune the roses',
      },
      {
        path: `${board}?layout=list`,
        steps: [row('Order tiles'), 'Shift+F10', item(/^Delete/)],
        end: 'Collapse Done',
      },
      {
        path: '/agents',
        steps: [button('More about Lantern'), 'Enter', item(/^Archive/)],
        end: 'Beacon',
      },
    ]))

  test('follows a card that an agent moves, and stays in what is being typed', async () => {
    const { page, problems, go } = session
    const { project_id, idOf, tasks } = await createGardenBoard(app, 'Shared')
    const agent = await app.connectAgent('Mover')
    const [ticket_number] = tasks
    await agent.callTool('svc_tasks', 'claim', { ticket_number })
    const move = async (section: string) => {
      const body = { section_id: idOf(section) }
      const { status } = await agent.rest('PATCH', `/api/v1/tasks/${ticket_number}`, body)
      expect(status).toBe(200)
    }
    await go(`/projects/${project_id}`)
    await button('Prune the roses')(page)
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    for (const section of ['Doing', 'Next', 'Ideas']) {
      await move(section)
      await columnOf(page, section).getByText('Prune the roses').waitFor()
      await expectEventually(focusedName(page), 'Prune the roses')
    }
    await page.keyboard.press('c')
    await field(page)
    await page.keyboard.type('Dig ')
    await move('Next')
    await columnOf(page, 'Next').getByText('Prune the roses').waitFor()
    await page.keyboard.type('the bed')
    await page.keyboard.press('Enter')
    await columnOf(page, 'Ideas').getByText('Dig the bed').waitFor()
    expect(problems).toEqual([])
  })

  test('returns to the button of a dialog, and to the list from a field', () =>
    expectEnds([
      {
        path: '/agents',
        steps: [button('New agent'), 'Enter', shown('dialog'), 'Escape'],
        end: 'New agent N',
      },
      {
        path: `${settings}?of=labels`,
        steps: [button('Delete the label house'), 'Enter', shown('dialog'), 'Escape'],
        end: 'Delete the label house',
      },
      { path: '/my', steps: ['c', 'Escape'], end: 'Views of My Tasks' },
    ]))
})
