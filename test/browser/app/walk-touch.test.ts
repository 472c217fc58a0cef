import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssues } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { cardOf, createGardenBoard, fetchTask, titleOf, titlesByColumn } from './boards.ts'
import { centerOf, fingerOf, type Point, swipe, waitForTouchDrag } from './touch.ts'

/** A working day on a phone, with a finger only, while an agent works on the same board. */
describe.skipIf(isBrowserSkipped)('by touch, while an agent works on the board', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  const openPhone = async (path: string) => {
    const session = await app.openSession({ width: 390, height: 844, touch: true })
    await session.go(path)
    const cdp = await session.context.newCDPSession(session.page)
    return { ...session, cdp, finger: fingerOf(cdp) }
  }

  /** An agent that comments on a task and adds others until it is stopped. */
  async function startAgent(project_id: number, own: string) {
    const { token } = await app.createAgent({ name: `Heron ${project_id}` })
    const call = (method: string, path: string, body: object) =>
      app.http(method, path, { body, secret: token })
    let count = 0
    let isStopped = false
    const work = (async () => {
      while (!isStopped) {
        count++
        await call('POST', `/api/v1/tasks/${own}/comments`, { text: `Step ${count}` })
        await call('POST', '/api/v1/tasks', { project_id, title: `Found ${count}` })
        await Bun.sleep(400)
      }
    })()
    return async () => {
      isStopped = true
      await work
      return count
    }
  }

  const fits = (page: Page) =>
    page.evaluate(
      () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
    )

  test('a board is scrolled, a card opened, edited, dragged and added', async () => {
    const { project_id, tasks } = await createGardenBoard(app, 'Phone')
    const stop = await startAgent(project_id, tasks[2]!)
    const { page, cdp, finger, problems } = await openPhone(`/projects/${project_id}`)
    await waitForTouchDrag(page, cdp)
    expect(await fits(page)).toBe(true)

    const board = page.locator('.board')
    const [x, y] = await centerOf(cardOf(page, 'Paint the fence'))
    await swipe(board, finger, [x, y + 300], [x - 250, y + 300])
    expect(await board.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(50)
    await board.evaluate((element) => element.scrollTo({ left: 0 }))

    await cardOf(page, 'Prune the roses')
      .getByRole('button', { name: /^Priority/ })
      .tap()
    await page.getByRole('option', { name: 'Low' }).tap()
    await expectEventually(async () => (await fetchTask(app, tasks[0]!)).priority, 4)

    const fence = await centerOf(cardOf(page, 'Paint the fence'))
    await finger.down(fence)
    await page.getByRole('menu').waitFor()
    await finger.up()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.getByRole('menuitem', { name: 'Watch or stop watching' }).tap()
    await page.getByText(/You no longer watch/).waitFor()

    const start = await centerOf(cardOf(page, 'Prune the roses'))
    await finger.down(start)
    await page.locator('.dragged-card').waitFor()
    const edge: Point = [384, start[1]]
    await finger.move(start, edge)
    await expectEventually(() => board.evaluate(({ scrollLeft }) => scrollLeft > 200), true)
    await finger.move(edge, [200, start[1]])
    await finger.up()
    await expectEventually(
      async () => (await titlesByColumn(app, project_id)).Ideas!.includes('Prune the roses'),
      false,
    )

    await page.getByRole('button', { name: 'Add a task to Ideas' }).tap()
    await page.getByRole('textbox', { name: 'New task in Ideas' }).waitFor()
    await page.keyboard.type('Rake the leaves !2')
    await page.keyboard.press('Enter')
    await expectEventually(
      async () => (await titlesByColumn(app, project_id)).Ideas!.includes('Rake the leaves'),
      true,
    )
    expect(await stop()).toBeGreaterThan(1)
    expect(problems).toEqual([])
  })

  test('a task is written, commented and ticked', async () => {
    const { project_id, tasks } = await createGardenBoard(app, 'Texts')
    const stop = await startAgent(project_id, tasks[2]!)
    const { page, problems } = await openPhone(`/projects/${project_id}`)
    await titleOf(page, 'Paint the fence').tap()
    const panel = page.getByRole('dialog')
    await panel.getByRole('button', { name: /^Add a description/ }).tap()
    await page.locator('.writing .code:not([hidden])').waitFor()
    await page.keyboard.type('- [ ] Buy paint')
    await panel.getByText('Saved').first().waitFor()
    await panel.getByRole('textbox', { name: 'Title' }).tap()
    const description = async () =>
      (await fetchTask(app, `${tasks[1]}?format=markdown`)).description
    await expectEventually(description, '- [ ] Buy paint')
    await panel.locator('.description').getByRole('checkbox').tap()
    await expectEventually(description, '- [x] Buy paint')
    await panel.getByRole('textbox', { name: 'Comment' }).tap()
    await page.keyboard.type('Bought it')
    await panel.getByRole('button', { name: /^Comment/ }).tap()
    await panel.getByText('Bought it').waitFor()
    expect(await fits(page)).toBe(true)
    expect(await accessibilityIssues(page)).toEqual([])
    await panel.getByRole('button', { name: /^Close/ }).tap()
    await panel.waitFor({ state: 'detached' })
    expect(await stop()).toBeGreaterThan(1)
    expect(problems).toEqual([])
  })

  test('the list, the calendar and the timeline are used', async () => {
    const { project_id, tasks } = await createGardenBoard(app, 'Layouts')
    const stop = await startAgent(project_id, tasks[2]!)
    await app.http('PATCH', `/api/v1/tasks/${tasks[0]}`, {
      body: { start_date: '2027-03-08', due_date: '2027-03-12' },
    })
    const { page, finger, go, problems } = await openPhone(`/projects/${project_id}?layout=list`)
    await titleOf(page, 'Prune the roses').waitFor()
    expect(await fits(page)).toBe(true)
    await titleOf(page, 'Prune the roses').tap()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Close/ })
      .tap()

    await go(`/projects/${project_id}?layout=calendar&day=2027-03-10`)
    await page.getByText('Prune the roses').first().waitFor()
    expect(await fits(page)).toBe(true)
    expect(await accessibilityIssues(page)).toEqual([])
    await page.getByText('Prune the roses').first().tap()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Close/ })
      .tap()

    await go(`/projects/${project_id}?layout=timeline&zoom=days&day=2027-03-10`)
    const scroller = page.locator('.time-scroller')
    await scroller.waitFor()
    expect(await fits(page)).toBe(true)
    const before = await scroller.evaluate(({ scrollLeft }) => scrollLeft)
    const middle: Point = [300, 600]
    await finger.down(middle)
    await finger.move(middle, [120, 600])
    await finger.up()
    await expectEventually(
      () => scroller.evaluate(({ scrollLeft }, at) => scrollLeft !== at, before),
      true,
    )
    expect(await accessibilityIssues(page)).toEqual([])
    expect(await stop()).toBeGreaterThan(1)
    expect(problems).toEqual([])
  })

  test('a decision is answered in the inbox, and My Tasks are ticked off', async () => {
    const { project_id, tasks } = await createGardenBoard(app, 'Answers')
    const stop = await startAgent(project_id, tasks[2]!)
    const { token } = await app.createAgent({ name: 'Otter' })
    await app.http('PATCH', `/api/v1/tasks/${tasks[0]}`, { body: { assignee_ids: [app.user_id] } })
    const request = await app.http('POST', `/api/v1/tasks/${tasks[0]}/decision-requests`, {
      body: { question: 'Red or white?', options: ['Red', 'White'], user_ids: [app.user_id] },
      secret: token,
    })
    expect([request.status, request.text]).toEqual([201, request.text])
    const { page, problems, go } = await openPhone('/inbox')
    const row = page.getByRole('listitem').filter({ hasText: 'Red or white?' }).first()
    await row.waitFor()
    expect(await fits(page)).toBe(true)
    expect(await accessibilityIssues(page)).toEqual([])
    await row.getByRole('button', { name: 'White' }).tap()
    await expectEventually(async () => {
      const { decision_request_id } = request.body.data
      const path = `/api/v1/decision-requests/${decision_request_id}`
      return (await app.http('GET', path)).body.data.selected_option
    }, 'White')

    await go('/my')
    await page.getByText('Prune the roses').waitFor()
    expect(await fits(page)).toBe(true)
    expect(await accessibilityIssues(page)).toEqual([])
    await page.getByRole('button', { name: 'Complete Prune the roses' }).first().tap()
    await expectEventually(async () => (await fetchTask(app, tasks[0]!)).done, true)
    expect(await stop()).toBeGreaterThan(1)
    expect(problems).toEqual([])
  })
})
