import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cork } from '../../binary/cork.ts'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssues } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import {
  cardOf,
  columnOf,
  createBoard,
  focusedName,
  tasksInIdeas,
  titleOf,
  titlesByColumn,
  titlesIn,
} from './boards.ts'

describe.skipIf(isBrowserSkipped)('a board while others work on it', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  test('shows an agent claim a task, comment on it, move it to done and release it', async () => {
    const { project_id, tasks, idOf } = await createBoard(app, 'Agents', tasksInIdeas('Ant', 'Bee'))
    const agent = await app.connectAgent('Beacon')
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    const ant = cardOf(page, 'Ant')
    await ant.waitFor()
    expect(await page.getByText('working on this').count()).toBe(0)
    const ticket_number = tasks[0]!

    const lease = await agent.callTool('svc_tasks', 'claim', { ticket_number })
    await ant.getByText('Beacon is working on this').waitFor()
    await ant.getByRole('button', { name: 'Assignees: Beacon, agent, working' }).waitFor()
    await page.getByRole('status').getByText('1 working').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await agent.callTool('svc_comments', 'add', { ticket_number, text: '<p>Begun</p>' })
    await ant.getByRole('img', { name: 'Comments' }).waitFor()
    const moveTo = (to: string) =>
      agent.callTool('svc_tasks', 'update', { ticket_number, section_id: idOf(to) })
    await moveTo('Doing')
    await columnOf(page, 'Doing').getByText('Beacon is working on this').waitFor()
    expect(await titlesIn(page, 'Ideas')).toEqual(['Bee'])
    await moveTo('Done')
    await columnOf(page, 'Done').getByText('Ant').waitFor()
    const { lease_id, fencing_token } = lease
    await agent.rest('POST', '/api/mcp/tasks/lease/release', { lease_id, fencing_token })
    await page.getByText('Beacon is working on this').waitFor({ state: 'detached' })
    await expectEventually(() => page.getByText('1 working').count(), 0)
    expect(problems).toEqual([])
  })

  test('does not animate the mark of a working agent with reduced motion', async () => {
    const { project_id, tasks } = await createBoard(app, 'Rest', tasksInIdeas('Ant'))
    const agent = await app.connectAgent('Lantern')
    await agent.callTool('svc_tasks', 'claim', { ticket_number: tasks[0] })
    const { page, problems, go } = await app.openSession({ theme: 'dark' })
    await go(`/projects/${project_id}`)
    const pulse = cardOf(page, 'Ant').locator('.pulse')
    const animationCount = () => pulse.evaluate((element) => element.getAnimations().length)
    await expectEventually(animationCount, 1)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await expectEventually(animationCount, 0)
    expect(await accessibilityIssues(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test('updates after changes in another tab, by the command line and moves to another board', async () => {
    const { project_id, tasks } = await createBoard(app, 'Tabs', tasksInIdeas('Ant', 'Bee', 'Cat'))
    const other = await createBoard(app, 'Elsewhere')
    const { page, context, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    await titleOf(page, 'Ant').waitFor()
    const tab = await context.newPage()
    await tab.goto(`${app.url}/projects/${project_id}`)
    await titleOf(tab, 'Ant').waitFor()
    await tab.keyboard.press('j')
    await tab.keyboard.press('Shift+ArrowRight')
    await expectEventually(() => titlesIn(page, 'Next'), ['Ant'])

    const env = { CORK_URL: app.url, CORK_TOKEN: app.apiKey }
    const { code, err } = await cork(['tasks', 'create', String(project_id), 'Dig'], { env })
    expect([code, err]).toEqual([0, ''])
    await expectEventually(() => titlesIn(page, 'Ideas'), ['Bee', 'Cat', 'Dig'])

    await titleOf(page, 'Bee').focus()
    await app.http('POST', `/api/v1/tasks/${tasks[1]}/move`, {
      body: { target_project_id: other.project_id },
    })
    await expectEventually(() => titlesIn(page, 'Ideas'), ['Cat', 'Dig'])
    await expectEventually(focusedName(page), 'Cat')
    expect(problems).toEqual([])
  })

  test('keeps the text being typed and the card being dragged when others change tasks', async () => {
    const { project_id, tasks } = await createBoard(app, 'Hands', tasksInIdeas('Ant', 'Bee', 'Cat'))
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    await titleOf(page, 'Ant').waitFor()
    await page.keyboard.press('c')
    const field = page.getByRole('textbox', { name: 'New task in Ideas' })
    await field.pressSequentially('Half a tho')
    const rename = (ticket: string, title: string) =>
      app.http('PATCH', `/api/v1/tasks/${ticket}`, { body: { title } })
    await rename(tasks[1]!, 'Wasp')
    await titleOf(page, 'Wasp').waitFor()
    await page.keyboard.type('ught')
    expect(await field.inputValue()).toBe('Half a thought')
    await field.fill('')
    await field.press('Escape')

    const from = (await cardOf(page, 'Ant').boundingBox())!
    const to = (await columnOf(page, 'Doing').boundingBox())!
    await page.mouse.move(from.x + 40, from.y + 40)
    await page.mouse.down()
    await page.mouse.move(to.x + 100, to.y + 200, { steps: 4 })
    await rename(tasks[0]!, 'Emmet')
    await app.createTask({ project_id, title: 'New' })
    await expectEventually(() => titlesIn(page, 'Ideas'), ['Emmet', 'Wasp', 'Cat', 'New'])
    await page.mouse.move(to.x + 110, to.y + 210)
    await page.mouse.up()
    await expectEventually(() => titlesIn(page, 'Doing'), ['Emmet'])
    await expectEventually(async () => (await titlesByColumn(app, project_id)).Doing, ['Emmet'])
    expect(problems).toEqual([])
  })

  test('keeps a moved card in place when an older board response arrives', async () => {
    const { project_id, tasks } = await createBoard(app, 'Fast', tasksInIdeas('Ant', 'Bee'))
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    await titleOf(page, 'Ant').waitFor()
    let sendMove: (() => void) | undefined
    await page.route('**/place', async (route) => {
      await new Promise<void>((resolve) => {
        sendMove = resolve
      })
      await route.continue()
    })
    await page.keyboard.press('j')
    await page.keyboard.press('Shift+ArrowRight')
    await expectEventually(() => titlesIn(page, 'Next'), ['Ant'])
    await expectEventually(async () => sendMove !== undefined, true)
    await app.http('PATCH', `/api/v1/tasks/${tasks[0]}`, { body: { priority: 1 } })
    await app.http('PATCH', `/api/v1/tasks/${tasks[1]}`, { body: { title: 'Wasp' } })
    await titleOf(page, 'Wasp').waitFor()
    expect(await titlesIn(page, 'Next')).toEqual(['Ant'])
    // The server reads this response before the move, and it arrives after the move.
    let deliverResponse: (() => void) | undefined
    let isUnblocked = false
    await page.route(/\/board\?since=/, async (route) => {
      const response = await route.fetch()
      await new Promise<void>((resolve) => {
        deliverResponse = resolve
        if (isUnblocked) resolve()
      })
      await route.fulfill({ response })
    })
    await app.http('PATCH', `/api/v1/tasks/${tasks[1]}`, { body: { title: 'Hornet' } })
    await expectEventually(async () => deliverResponse !== undefined, true)
    const moveResponse = page.waitForResponse(/\/place$/)
    sendMove!()
    await moveResponse
    const deliver = deliverResponse!
    deliverResponse = undefined
    deliver()
    await titleOf(page, 'Hornet').waitFor()
    expect(await titlesIn(page, 'Next')).toEqual(['Ant'])
    await expectEventually(async () => deliverResponse !== undefined, true)
    expect(await titlesIn(page, 'Next')).toEqual(['Ant'])
    isUnblocked = true
    deliverResponse!()
    await cardOf(page, 'Ant').getByRole('button', { name: 'Priority: Urgent' }).waitFor()
    expect(await titlesIn(page, 'Next')).toEqual(['Ant'])
    expect(problems).toEqual([])
  })
})
