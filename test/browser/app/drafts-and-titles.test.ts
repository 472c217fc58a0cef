import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectEventually } from '../../support/wait.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { addColleague } from './colleague.ts'
import { pressSequence } from './keys.ts'

describe.skipIf(isBrowserSkipped)('drafts, tab titles and the connection status', () => {
  let app: WebApp
  let agent: Awaited<ReturnType<WebApp['connectAgent']>>
  beforeAll(async () => {
    app = await openWebApp()
    agent = await app.connectAgent('Scout')
  })
  afterAll(() => app?.close())

  const post = async (path: string, body: object) =>
    (await app.http('POST', `/api/v1/${path}`, { body })).body.data

  test('the prompt of a run is kept over a reload', async () => {
    const { ticket_number } = await app.createTask({ title: 'Paint the fence' })
    await post(`tasks/${ticket_number}/runs`, { agent_id: agent.agent_id })
    const { page, problems, go } = await app.openSession()
    await go(`/t/${ticket_number}`)
    const promptField = page.getByRole('textbox', { name: /^Prompt \(optional\)/ })
    await page.getByRole('button', { name: 'Start a run…' }).click()
    await promptField.fill('Sand it first')
    await page.keyboard.press('Escape')
    await page.reload()
    await page.getByRole('button', { name: 'Start a run…' }).click()
    expect(await promptField.inputValue()).toBe('Sand it first')
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('tab titles name the run, page or agent, with the number of unread notifications', async () => {
    const { ticket_number } = await app.createTask({ title: 'Build a shed' })
    const { page_id } = await post(`tasks/${ticket_number}/pages`, {
      title: 'Plan',
      content: 'Oak',
    })
    const { run_id } = await post(`tasks/${ticket_number}/runs`, { agent_id: agent.agent_id })
    const { page, problems, go } = await app.openSession()
    const tabTitle = () => page.title()
    await go(`/runs/${run_id}`)
    await expectEventually(tabTitle, `Scout: ${ticket_number} Build a shed · Corkboard`)
    await agent.callTool('svc_comments', 'add', {
      ...{ ticket_number, text: '<p>@Ada look</p>' },
      mentions: [{ user_id: app.user_id, display_name: 'Ada' }],
    })
    await expectEventually(tabTitle, `(1) Scout: ${ticket_number} Build a shed · Corkboard`)
    await go(`/p/${page_id}`)
    await expectEventually(tabTitle, '(1) Plan · Corkboard')
    await pressSequence(page, 'g', 'a')
    await expectEventually(tabTitle, '(1) Agents · Corkboard')
    await page.getByRole('heading', { name: 'Scout' }).getByRole('link').click()
    await expectEventually(tabTitle, '(1) Scout · Corkboard')
    await go('/p/new')
    await page.getByRole('heading', { name: 'Task not found' }).waitFor()
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('a guest is not offered to start a run', async () => {
    const { ticket_number } = await app.createTask({ title: 'Mow the lawn' })
    await post(`tasks/${ticket_number}/runs`, { agent_id: agent.agent_id })
    const { page, problems, go } = await addColleague(app, 'Kim', {
      ...{ role: 'guest', project_id: app.project_id },
    })
    await go(`/t/${ticket_number}`)
    await page.getByRole('heading', { name: 'Runs' }).waitFor()
    expect(await page.getByRole('button', { name: 'Start a run…' }).count()).toBe(0)
    await page.getByRole('button', { name: `More about ${ticket_number}` }).click()
    await page.getByRole('menuitem', { name: 'Write a page' }).waitFor()
    expect(await page.getByRole('menuitem', { name: /Start a run/ }).count()).toBe(0)
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('a lost connection is shown as a small dot', async () => {
    const { page, go } = await app.openSession()
    await go('/agents')
    await page.getByTitle(/^Live/).waitFor()
    await app.kill()
    const dot = page.getByTitle('Not connected')
    await dot.waitFor()
    expect(await dot.boundingBox()).toMatchObject({ width: 8, height: 8 })
    await app.restart()
    await page.context().close()
  })
})
