import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { folder, type Serving, serving } from '../../binary/cork.ts'
import { player, soon } from '../../binary/players.ts'
import { parse } from '../../json.ts'
import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { faults } from '../faults.ts'
import { connected, copied, makeAgent, serverIn } from './connecting.ts'

const PASSWORD = 'correct horse battery'

/** The name of each template, its last column, and some of its tasks. */
const TEMPLATES = [
  ['Bug tracker', 'Closed', 'Move this card to the next column', 'Connect an agent'],
  ['Content calendar', 'Published', 'Example: what we learned this month', 'Connect an agent'],
  ['Personal week', 'Done', 'Plan the week', 'Move this card'],
  ['Agents at work', 'Done', 'Decide what agents may do alone', 'Connect an agent'],
  ['Example board', 'Done', 'Exports time out', 'Write the upgrade guide'],
] as const

describe.skipIf(noBrowser)('setting up an empty server', () => {
  let desk: Desk
  let empty: Serving
  beforeAll(async () => {
    desk = await openDesk()
    empty = await serving(join(folder(), 'data'))
  }, 60_000)
  afterAll(async () => {
    await empty?.end()
    await desk?.leave()
  })

  const focused = (page: Page) => page.evaluate(() => document.activeElement?.id)
  const columns = (page: Page) =>
    page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents()

  test('leads from the setup link to a team, a board and a connected agent; the link works once', async () => {
    const link = await soon(
      () => /^Set up Corkboard with this one-time link: (\S+)$/m.exec(empty.out())?.[1],
    )
    const seat = { stranger: true, at: empty.url, may: /status of 40[09]/ }
    const { page, complaints } = await desk.sit(seat)

    await page.goto(link)
    expect(await focused(page)).toBe('setup-name')
    expect(await faults(page)).toEqual([])
    await page.keyboard.type('Ada Byron')
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Password').fill('short')
    await page.getByLabel('Team').fill('Harbour')
    await page.keyboard.press('Enter')
    await page.getByText('The password must have at least 10 characters').waitFor()
    expect(await focused(page)).toBe('setup-password')
    expect(await page.getByLabel('Team').inputValue()).toBe('Harbour')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')

    await page.getByRole('heading', { name: 'Welcome, Ada Byron' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/new')
    const step = page.getByRole('list', { name: 'First steps' }).locator('[aria-current]')
    expect(await step.textContent()).toBe('A board')
    expect(await page.getByRole('main').getByRole('button').count()).toBe(6)
    expect(await faults(page)).toEqual([])
    await page.getByRole('button', { name: 'Software project' }).click()

    const dialog = page.getByRole('dialog', { name: 'Connect your agent' })
    await dialog.waitFor()
    expect(await faults(page)).toEqual([])
    await page.keyboard.type('Claude on my laptop')
    await page.keyboard.press('Enter')
    await dialog.getByText('Waiting for Claude on my laptop to connect').waitFor()
    expect(await faults(page)).toEqual([])

    const command = await copied(page, 'Claude Code')
    const [, url, header] =
      /^claude mcp add --transport http corkboard (\S+) --header "(.+)"$/.exec(command)!
    const [name, value] = header!.split(': ') as [string, string]
    expect(await dialog.getByText('is connected').count()).toBe(0)
    const agent = await player({ type: 'http', url: url!, headers: { [name]: value } })
    await connected(page, 'Claude on my laptop')
    expect(await faults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Go to board' }).click()
    await dialog.waitFor({ state: 'hidden' })

    expect(await columns(page)).toEqual(['Ideas', 'Next', 'In progress', 'Review', 'Shipped'])
    const { boards } = await agent.tool('svc_user_context', 'hello')
    expect(boards).toEqual([{ project_id: 1, title: 'Product' }])
    const rules = await agent.tool('svc_projects', 'get_playbook', { project_id: 1 })
    expect(rules.working_rules).toContain('Claim a task before you work on it')
    const [task] = await agent.tool('svc_tasks', 'next', { project_id: 1, claim: true })
    expect(task.title).toBe('Connect an agent and give it this task')
    const card = page.getByRole('main').locator('li', { hasText: task.title })
    await card.getByText('Claude on my laptop').first().waitFor()
    await agent.close()

    await page.goto(link)
    await page.getByRole('heading', { name: 'Corkboard is set up' }).waitFor()
    expect(await page.getByLabel('Your name').count()).toBe(0)
    expect(await page.getByText(/Conflict|Request /).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Sign in' }).count()).toBe(1)
    expect(complaints).toEqual([])
  }, 60_000)
})

describe.skipIf(noBrowser)('new boards and agents on a server in use', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk()
  }, 60_000)
  afterAll(() => desk?.leave())

  const boardAt = (page: Page) => Number(/projects\/(\d+)/.exec(page.url())![1])
  const manifest = async (project_id: number) =>
    (await desk.http('GET', `/api/v1/projects/${project_id}/manifest`)).body.data

  test('a board is created from any template, with its columns, tasks, labels and rules', async () => {
    const { page, complaints, go } = await desk.sit({ theme: 'dark' })
    await go('/new')
    for (const [name, last, ...titles] of TEMPLATES) {
      await page.getByRole('link', { name: 'New board' }).click()
      await page.getByRole('button', { name }).click()
      await page.waitForURL(/projects\/\d+$/)
      for (const title of titles) await page.getByText(title).first().waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
      const { sections, labels, playbook } = await manifest(boardAt(page))
      expect(sections.at(-1)).toMatchObject({ title: last, role: 'done', done: true })
      expect(sections.filter(({ done }: { done: boolean }) => done)).toHaveLength(1)
      expect(labels.length).toBeGreaterThan(2)
      const hasRules = playbook.working_rules !== null
      expect([name, hasRules]).toEqual([name, !name.startsWith('Example')])
    }
    expect(complaints).toEqual([])
    await page.context().close()
  }, 30_000)

  test('a refused board keeps its typed name and shows the reason, and can be created again', async () => {
    const { page, complaints, go } = await desk.sit({ may: /status of 500/ })
    await go('/new')
    await page.getByLabel('Board name (optional)').fill('Lighthouse')
    await page.route('**/api/v1/projects', (route) =>
      route.fulfill({ status: 500, json: { success: false, message: 'The disk is full' } }),
    )
    await page.getByRole('button', { name: 'Personal week' }).click()
    await page.getByRole('alert').getByText('The disk is full').waitFor()
    expect(await page.getByLabel('Board name (optional)').inputValue()).toBe('Lighthouse')
    await page.unroute('**/api/v1/projects')
    await page.getByRole('button', { name: 'Personal week' }).click()
    await page.waitForURL(/projects\/\d+$/)
    expect((await manifest(boardAt(page))).title).toBe('Lighthouse')
    await page.getByRole('link', { name: 'Lighthouse' }).waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  }, 30_000)

  test('an agent connects with the configuration shown for each program', async () => {
    const { page, complaints, go } = await desk.sit({ theme: 'dark' })
    await go(`/projects/${desk.project_id}`)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('connect an agent')
    await page.getByRole('option', { name: 'Connect an agent', exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await makeAgent(page, 'Cursor at work')
    const cursor = parse(await copied(page, 'Cursor'))
    const { corkboard } = cursor.mcpServers
    expect(corkboard).toEqual({ url: `${desk.url}/mcp`, headers: corkboard.headers })
    const first = await player({ type: 'http', ...corkboard })
    await connected(page, 'Cursor at work')
    await first.close()
    await page.keyboard.press('Escape')

    await page.getByRole('link', { name: 'Connect an agent' }).click()
    const { token } = await makeAgent(page, 'Code at home', { only: 'Home' })
    const code = parse(await copied(page, 'VS Code'))
    expect(code.servers.corkboard).toEqual(serverIn(desk.url, token))
    const second = await player(code.servers.corkboard)
    await connected(page, 'Code at home')
    const { boards } = await second.tool('svc_user_context', 'hello')
    expect(boards).toEqual([{ project_id: desk.project_id, title: 'Home' }])
    await second.close()
    await page.keyboard.press('Escape')

    await page.getByRole('link', { name: 'Connect an agent' }).click()
    await makeAgent(page, 'A script')
    const shell = Bun.spawn(['sh', '-c', await copied(page, 'Plain HTTP')], { stderr: 'ignore' })
    expect(await new Response(shell.stdout).text()).toContain('A script')
    await connected(page, 'A script')
    expect(await faults(page)).toEqual([])
    expect(complaints).toEqual([])
    await page.context().close()
  }, 60_000)

  test('closing without copying the token asks first, and a taken name is refused at its field', async () => {
    const { page, complaints } = await desk.sit({ may: /status of 409/ })
    await page.goto(`${desk.url}/projects/${desk.project_id}?connect=`)
    const { token } = await makeAgent(page, 'Scout')
    await page.keyboard.press('Escape')
    await page.getByRole('alert').getByText('will not be shown again').waitFor()
    expect(await page.getByText(token).count()).toBeGreaterThan(0)
    expect(await faults(page)).toEqual([])
    await page.getByRole('button', { name: 'Close anyway' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await page.getByText(token).count()).toBe(0)

    await page.getByRole('link', { name: 'Connect an agent' }).click()
    const name = page.getByLabel('Agent name')
    await name.fill('Scout')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    expect([await name.inputValue(), await name.getAttribute('aria-invalid')]).toEqual([
      'Scout',
      'true',
    ])
    expect(await faults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(complaints).toEqual([])
    await page.context().close()
  }, 30_000)
})
