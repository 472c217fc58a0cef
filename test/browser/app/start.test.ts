import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { connectClient } from '../../binary/agent-client.ts'
import { createFolder, type RunningServer, startServer } from '../../binary/cork.ts'
import { parseJson } from '../../support/json.ts'
import { waitUntil } from '../../support/wait.ts'
import { accessibilityIssues } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import {
  copyConfiguration,
  createAgent,
  mcpServerConfig,
  waitForConnection,
} from './agent-dialog.ts'

const PASSWORD = 'correct horse battery'

/** The name of each template, its last column, and some of its tasks. */
const TEMPLATES = [
  ['Bug tracker', 'Closed', 'Move this card to the next column', 'Connect an agent'],
  ['Content calendar', 'Published', 'Example: what we learned this month', 'Connect an agent'],
  ['Personal week', 'Done', 'Plan the week', 'Move this card'],
  ['Agents at work', 'Done', 'Decide what agents may do alone', 'Connect an agent'],
  ['Example board', 'Done', 'Exports time out', 'Write the upgrade guide'],
] as const

describe.skipIf(isBrowserSkipped)('setting up an empty server', () => {
  let app: WebApp
  let empty: RunningServer
  beforeAll(async () => {
    app = await openWebApp()
    empty = await startServer(join(createFolder(), 'data'))
  })
  afterAll(async () => {
    await empty?.end()
    await app?.close()
  })

  const columnTitles = (page: Page) =>
    page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents()

  test('leads from the setup link to a team, a board and a connected agent; the link works once', async () => {
    const link = await waitUntil(
      () => /^Set up Corkboard with this one-time link: (\S+)$/m.exec(empty.out())?.[1],
    )
    const options = { signedOut: true, url: empty.url, ignoredMessages: /status of 40[09]/ }
    const { page, problems } = await app.openSession(options)

    await page.goto(link)
    await page.locator('#setup-name:focus').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.keyboard.type('Ada Byron')
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Password').fill('short')
    await page.getByLabel('Team').fill('Harbour')
    await page.keyboard.press('Enter')
    await page.getByText('The password must have at least 10 characters').waitFor()
    await page.locator('#setup-password:focus').waitFor()
    expect(await page.getByLabel('Team').inputValue()).toBe('Harbour')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')

    await page.getByRole('heading', { name: 'Welcome, Ada Byron' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/new')
    const step = page.getByRole('list', { name: 'First steps' }).locator('[aria-current]')
    expect(await step.textContent()).toBe('A board')
    expect(await page.getByRole('main').getByRole('button').count()).toBe(6)
    expect(await accessibilityIssues(page)).toEqual([])
    await page.getByRole('button', { name: 'Software project' }).click()

    const dialog = page.getByRole('dialog', { name: 'Connect your agent' })
    await dialog.waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.keyboard.type('Claude on my laptop')
    await page.keyboard.press('Enter')
    await dialog.getByText('Waiting for Claude on my laptop to connect').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])

    const command = await copyConfiguration(page, 'Claude Code')
    const [, url, header] =
      /^claude mcp add --transport http corkboard (\S+) --header "(.+)"$/.exec(command)!
    const [name, value] = header!.split(': ') as [string, string]
    expect(await dialog.getByText('is connected').count()).toBe(0)
    const agent = await connectClient({ type: 'http', url: url!, headers: { [name]: value } })
    await waitForConnection(page, 'Claude on my laptop')
    expect(await accessibilityIssues(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Go to board' }).click()
    await dialog.waitFor({ state: 'hidden' })

    expect(await columnTitles(page)).toEqual(['Ideas', 'Next', 'In progress', 'Review', 'Shipped'])
    const { boards } = await agent.callTool('svc_user_context', 'hello')
    expect(boards).toEqual([{ project_id: 1, title: 'Product' }])
    const playbook = await agent.callTool('svc_projects', 'get_playbook', { project_id: 1 })
    expect(playbook.working_rules).toContain('Claim a task before you work on it')
    const [task] = await agent.callTool('svc_tasks', 'next', { project_id: 1, claim: true })
    expect(task.title).toBe('Connect an agent and give it this task')
    const card = page.getByRole('main').locator('li', { hasText: task.title })
    await card.getByText('Claude on my laptop').first().waitFor()
    await agent.close()

    await page.goto(link)
    await page.getByRole('heading', { name: 'Corkboard is set up' }).waitFor()
    expect(await page.getByLabel('Your name').count()).toBe(0)
    expect(await page.getByText(/Conflict|Request /).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Sign in' }).count()).toBe(1)
    expect(problems).toEqual([])
  })
})

describe.skipIf(isBrowserSkipped)('new boards and agents on a server in use', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  const boardIdOf = (page: Page) => Number(/projects\/(\d+)/.exec(page.url())![1])
  const fetchManifest = async (project_id: number) =>
    (await app.http('GET', `/api/v1/projects/${project_id}/manifest`)).body.data

  test('a board is created from any template, with its columns, tasks, labels and rules', async () => {
    const { page, problems, go } = await app.openSession({ theme: 'dark' })
    await go('/new')
    for (const [name, last, ...titles] of TEMPLATES) {
      await page.getByRole('link', { name: 'New board' }).click()
      await page.getByRole('button', { name }).click()
      await page.waitForURL(/projects\/\d+$/)
      for (const title of titles) await page.getByText(title).first().waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
      const { sections, labels, playbook } = await fetchManifest(boardIdOf(page))
      expect(sections.at(-1)).toMatchObject({ title: last, role: 'done', done: true })
      expect(sections.filter(({ done }: { done: boolean }) => done)).toHaveLength(1)
      expect(labels.length).toBeGreaterThan(2)
      const hasRules = playbook.working_rules !== null
      expect([name, hasRules]).toEqual([name, !name.startsWith('Example')])
    }
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('a refused board keeps its typed name and shows the reason, and can be created again', async () => {
    const { page, problems, go } = await app.openSession({ ignoredMessages: /status of 500/ })
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
    expect((await fetchManifest(boardIdOf(page))).title).toBe('Lighthouse')
    await page.getByRole('link', { name: 'Lighthouse' }).waitFor()
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('an agent connects with the configuration shown for each program', async () => {
    const { page, problems, go } = await app.openSession({ theme: 'dark' })
    await go(`/projects/${app.project_id}`)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('connect an agent')
    await page.getByRole('option', { name: 'Connect an agent', exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await createAgent(page, 'Cursor at work')
    const cursor = parseJson(await copyConfiguration(page, 'Cursor'))
    const { corkboard } = cursor.mcpServers
    expect(corkboard).toEqual({ url: `${app.url}/mcp`, headers: corkboard.headers })
    const first = await connectClient({ type: 'http', ...corkboard })
    await waitForConnection(page, 'Cursor at work')
    await first.close()
    await page.keyboard.press('Escape')

    await page.getByRole('link', { name: 'Connect an agent' }).click()
    const { token } = await createAgent(page, 'Code at home', { onlyBoard: 'Home' })
    const code = parseJson(await copyConfiguration(page, 'VS Code'))
    expect(code.servers.corkboard).toEqual(mcpServerConfig(app.url, token))
    const second = await connectClient(code.servers.corkboard)
    await waitForConnection(page, 'Code at home')
    const { boards } = await second.callTool('svc_user_context', 'hello')
    expect(boards).toEqual([{ project_id: app.project_id, title: 'Home' }])
    await second.close()
    await page.keyboard.press('Escape')

    await page.getByRole('link', { name: 'Connect an agent' }).click()
    await createAgent(page, 'A script')
    const shell = Bun.spawn(['sh', '-c', await copyConfiguration(page, 'Plain HTTP')], {
      stderr: 'ignore',
    })
    expect(await new Response(shell.stdout).text()).toContain('A script')
    await waitForConnection(page, 'A script')
    expect(await accessibilityIssues(page)).toEqual([])
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('closing without copying the token asks first, and a taken name is refused at its field', async () => {
    const { page, problems } = await app.openSession({ ignoredMessages: /status of 409/ })
    await page.goto(`${app.url}/projects/${app.project_id}?connect=`)
    const { token } = await createAgent(page, 'Scout')
    await page.keyboard.press('Escape')
    await page.getByRole('alert').getByText('will not be shown again').waitFor()
    expect(await page.getByText(token).count()).toBeGreaterThan(0)
    expect(await accessibilityIssues(page)).toEqual([])
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
    expect(await accessibilityIssues(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(problems).toEqual([])
    await page.context().close()
  })
})
