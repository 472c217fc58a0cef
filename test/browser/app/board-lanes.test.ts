import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually, waitUntil } from '../../support/wait.ts'
import { accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import {
  createBoard,
  createGardenBoard,
  drag,
  fetchTask,
  focusedName,
  tasksInIdeas,
  undoFromToast,
} from './boards.ts'
import { cardInLane, cellEnd, fieldsByTitle, titlesByLane } from './lanes.ts'

describe.skipIf(isBrowserSkipped)('a board with swimlanes', () => {
  let app: WebApp
  let ada: number
  let agent: Awaited<ReturnType<WebApp['connectAgent']>>
  const bot = 'Beacon'
  beforeAll(async () => {
    app = await openWebApp()
    ada = app.user_id
    agent = await app.connectAgent(bot)
  })
  afterAll(() => app?.close())

  /** Creates a board on which Ant is assigned to Ada, Bee to Beacon, and Cat to nobody. */
  async function createAssignedBoard(title: string) {
    const board = await createBoard(app, title, tasksInIdeas('Ant', 'Bee', 'Cat'))
    const assign = (at: number, assignee: object) =>
      app.http('POST', `/api/v1/tasks/${board.tasks[at]}/assign`, { body: assignee })
    await assign(0, { user_id: ada })
    await assign(1, { agent_id: agent.agent_id })
    const fetchFields = () => fieldsByTitle(app, board.project_id)
    return { ...board, fetchFields }
  }

  const chooseDisplayOption = async (page: Page, item: string) => {
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }

  test('groups cards by assignee, and dragging a card changes its assignee and its column', async () => {
    const { project_id, fetchFields } = await createAssignedBoard('Hands')
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    await firstCard(page, 'Ant').waitFor()
    await chooseDisplayOption(page, 'Swimlanes by assignee')
    const lanes = titlesByLane(page)
    const before = {
      Ada: { Ideas: ['Ant'] },
      [bot]: { Ideas: ['Bee'] },
      Nobody: { Ideas: ['Cat'] },
    }
    await expectEventually(lanes, before)
    expect(new URL(page.url()).search).toBe('?lanes=assignee')
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await drag(page, cardInLane(page, ada, 'Ant'), cellEnd(page, bot, 'Doing'), 'bottom')
    await expectEventually(lanes, {
      Ada: {},
      [bot]: { Ideas: ['Bee'], Doing: ['Ant'] },
      Nobody: { Ideas: ['Cat'] },
    })
    await expectEventually(fetchFields, { Ant: `Doing ${bot}`, Bee: `Ideas ${bot}`, Cat: 'Ideas' })
    await undoFromToast(page, `Moved HAN-1 to Doing, ${bot}`)
    await expectEventually(lanes, before)
    await expectEventually(fetchFields, { Ant: 'Ideas Ada', Bee: `Ideas ${bot}`, Cat: 'Ideas' })
    // A card dragged to the lane Nobody is unassigned, and changes by an agent appear at once.
    await drag(
      page,
      cardInLane(page, agent.agent_id, 'Bee'),
      cardInLane(page, 'none', 'Cat'),
      'top',
    )
    await expectEventually(lanes, {
      Ada: { Ideas: ['Ant'] },
      [bot]: {},
      Nobody: { Ideas: ['Bee', 'Cat'] },
    })
    await expectEventually(fetchFields, { Ant: 'Ideas Ada', Bee: 'Ideas', Cat: 'Ideas' })
    await agent.rest('POST', '/api/mcp/tasks/lease/claim', { ticket_number: 'HAN-3' })
    await agent.callTool('svc_tasks', 'assign', {
      ticket_number: 'HAN-3',
      user_id: ada,
      intent: 'assign',
    })
    await expectEventually(lanes, {
      Ada: { Ideas: ['Ant', 'Cat'] },
      [bot]: {},
      Nobody: { Ideas: ['Bee'] },
    })
    expect(problems).toEqual([])
  })

  test('moves a card across lanes with the keys, and one undo reverts all of the moves', async () => {
    const { project_id, fetchFields } = await createAssignedBoard('Keys')
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    await firstCard(page, 'Ant').waitFor()
    for (const key of ['v', '3']) await page.keyboard.press(key)
    const lanes = titlesByLane(page)
    await expectEventually(async () => Object.keys(await lanes()), ['Ada', bot, 'Nobody'])
    await page.keyboard.press('j')
    await expectEventually(focusedName(page), 'Ant')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await expectEventually(focusedName(page), 'Cat')
    await page.keyboard.press('Shift+ArrowUp')
    await expectEventually(async () => (await lanes())[bot], { Ideas: ['Bee', 'Cat'] })
    await page
      .getByText(`KEY-3 moved to ${bot}`, { exact: true })
      .first()
      .waitFor({ state: 'attached' })
    await expectEventually(focusedName(page), 'Cat')
    await page.keyboard.press('Shift+ArrowUp')
    await expectEventually(async () => (await lanes())[bot], { Ideas: ['Cat', 'Bee'] })
    await page.keyboard.press('Shift+ArrowUp')
    await page.keyboard.press('Shift+ArrowRight')
    await expectEventually(async () => (await lanes()).Ada, { Ideas: ['Ant'], Next: ['Cat'] })
    await expectEventually(focusedName(page), 'Cat')
    await expectEventually(fetchFields, { Ant: 'Ideas Ada', Bee: `Ideas ${bot}`, Cat: 'Next Ada' })
    await page.keyboard.press('ControlOrMeta+z')
    await expectEventually(async () => (await lanes()).Nobody, { Ideas: ['Cat'] })
    await expectEventually(fetchFields, { Ant: 'Ideas Ada', Bee: `Ideas ${bot}`, Cat: 'Ideas' })
    expect(problems).toEqual([])
  })

  test('shows a task in the lane of each label, collapses lanes, and adds tasks to a lane', async () => {
    const { project_id, labels } = await createGardenBoard(app, 'Labels')
    const [gardenLabel, houseLabel] = labels as { label_id: number }[]
    const update = { add_labels: ['house'], ticket_numbers: ['LAB-1'] }
    await app.http('PATCH', '/api/v1/tasks', { body: update })
    const { page, problems, go } = await app.openSession({ width: 1800 })
    await go(`/projects/${project_id}?lanes=label`)
    const lanes = titlesByLane(page)
    const all = {
      garden: { Ideas: ['Prune the roses', 'Paint the fence'] },
      house: { Ideas: ['Prune the roses'], Next: ['Fix the tap'], Done: ['Order tiles'] },
    }
    await expectEventually(lanes, all)
    // Dragged out of the lane garden, the task loses that label and keeps the label house.
    await drag(
      page,
      cardInLane(page, gardenLabel!.label_id, 'Prune the roses'),
      cellEnd(page, 'house', 'Doing'),
      'top',
    )
    await expectEventually(
      async () => (await fetchTask(app, 'LAB-1')).labels.map(nameOf),
      ['house'],
    )
    await expectEventually(async () => (await lanes()).house?.Doing, ['Prune the roses'])

    await cellEnd(page, 'house', 'Next').click()
    await page.getByRole('textbox', { name: 'New task in Next, house' }).fill('Sweep the roof')
    await page.keyboard.press('Enter')
    await expectEventually(
      async () => (await lanes()).house?.Next,
      ['Fix the tap', 'Sweep the roof'],
    )
    await expectEventually(
      async () => (await fieldsByTitle(app, project_id))['Sweep the roof'],
      'Next house',
    )
    await page.keyboard.press('Escape')

    const laneHeader = page.getByRole('button', { name: /^garden/ })
    await laneHeader.click()
    await expectEventually(async () => (await lanes()).garden, {})
    expect(await laneHeader.getAttribute('aria-expanded')).toBe('false')
    await page.reload()
    await expectEventually(async () => (await lanes()).house?.Doing, ['Prune the roses'])
    expect((await lanes()).garden).toEqual({})
    // A collapsed lane still accepts a dropped card.
    const slot = page.locator(`.lane-head .slot[data-lane="${gardenLabel!.label_id}"]`).nth(2)
    await drag(page, cardInLane(page, houseLabel!.label_id, 'Prune the roses'), slot, 'bottom')
    await expectEventually(
      async () => (await fetchTask(app, 'LAB-1')).labels.map(nameOf),
      ['garden'],
    )
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test('a lane is as high as its tallest cell, shows more on request, and is one line if it is empty', async () => {
    const titles = Array.from({ length: 12 }, (_, at) => `Task ${at + 1}`)
    const { project_id } = await createBoard(app, 'Tall', tasksInIdeas(...titles, 'Ant'))
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}?lanes=assignee`)
    const lanes = titlesByLane(page)
    await expectEventually(async () => (await lanes()).Nobody, { Ideas: titles.slice(0, 8) })
    const emptyLane = page.locator('li.lane-head').filter({ hasText: 'Beacon' })
    expect((await emptyLane.boundingBox())!.height).toBe(40)
    // A task can be added to an empty lane, which then opens.
    await cellEnd(page, bot, 'Doing').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: `New task in Doing, ${bot}` }).fill('Bee')
    await page.keyboard.press('Enter')
    await expectEventually(async () => (await lanes())[bot], { Doing: ['Bee'] })
    await page.keyboard.press('Escape')
    // The cards of a cell are directly below each other, whatever other cells contain.
    const boxOf = async (title: string) => (await cardInLane(page, 'none', title).boundingBox())!
    const [first, second] = [await boxOf('Task 1'), await boxOf('Task 2')]
    expect(Math.round(second.y - first.y - first.height)).toBe(8)

    await page.getByRole('button', { name: 'Show 5 more' }).click()
    await page.locator('.board.lanes').hover()
    await waitUntil(async () => {
      await page.mouse.wheel(0, 200)
      return cardInLane(page, 'none', 'Ant').isVisible()
    })
    await page.getByRole('button', { name: 'Show 5 more' }).waitFor({ state: 'detached' })
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test('the keys reach a card that a tall lane does not show, which expands it', async () => {
    const titles = Array.from({ length: 10 }, (_, at) => `Task ${at + 1}`)
    const { project_id } = await createBoard(app, 'Reach', tasksInIdeas(...titles))
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}?lanes=assignee`)
    await page.getByRole('button', { name: 'Show 2 more' }).waitFor()
    for (const title of titles) {
      await page.keyboard.press('j')
      await expectEventually(focusedName(page), title)
    }
    expect(problems).toEqual([])
  })

  test('makes selected cards subtasks when they are dragged to the lane of a parent, with undo', async () => {
    const { project_id, tasks, idOf } = await createBoard(
      app,
      'Parts',
      tasksInIdeas('House', 'Roof', 'Wall', 'Door'),
    )
    const houseTask = await fetchTask(app, tasks[0]!)
    await app.http('PATCH', `/api/v1/tasks/${tasks[1]}`, {
      body: { parent_task_id: houseTask.task_id },
    })
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}?lanes=parent&q=o`)
    const lanes = titlesByLane(page)
    // The filter hides the card Wall and all lanes without cards.
    await expectEventually(lanes, {
      House: { Ideas: ['Roof'] },
      'No parent': { Ideas: ['House', 'Door'] },
    })
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await expectEventually(async () => (await lanes())['No parent'], {
      Ideas: ['House', 'Wall', 'Door'],
    })
    for (const title of ['Wall', 'Door'])
      await firstCard(page, title)
        .getByRole('button')
        .click({ modifiers: ['ControlOrMeta'] })
    await page.getByText('2 selected').waitFor()
    await drag(page, firstCard(page, 'Door'), cellEnd(page, 'House', 'Next'), 'bottom')
    await expectEventually(lanes, {
      House: { Ideas: ['Roof'], Next: ['Wall', 'Door'] },
      'No parent': { Ideas: ['House'] },
    })
    for (const at of [2, 3])
      await expectEventually(async () => {
        const { parent_task_id, section_id } = await fetchTask(app, tasks[at]!)
        return [parent_task_id, section_id]
      }, [houseTask.task_id, idOf('Next')])
    await undoFromToast(page, 'Moved 2 tasks to Next, PAR-1')
    await expectEventually(async () => (await lanes())['No parent'], {
      Ideas: ['House', 'Wall', 'Door'],
    })
    await expectEventually(async () => (await fetchTask(app, tasks[3]!)).parent_task_id, null)
    expect(problems).toEqual([])
  })

  test('refuses to make a task its own parent, shows an error, and leaves the card in place', async () => {
    const { project_id, tasks } = await createBoard(app, 'Loop', tasksInIdeas('House', 'Roof'))
    const { task_id } = await fetchTask(app, tasks[0]!)
    await app.http('PATCH', `/api/v1/tasks/${tasks[1]}`, { body: { parent_task_id: task_id } })
    const { page, problems, go } = await app.openSession({ ignoredMessages: /40[09]|422/ })
    await go(`/projects/${project_id}?lanes=parent`)
    const lanes = titlesByLane(page)
    const before = { House: { Ideas: ['Roof'] }, 'No parent': { Ideas: ['House'] } }
    await expectEventually(lanes, before)
    await drag(page, firstCard(page, 'House'), cellEnd(page, 'House', 'Doing'), 'bottom')
    await page.getByRole('alert').waitFor()
    await expectEventually(lanes, before)
    expect((await fetchTask(app, tasks[0]!)).parent_task_id).toBeNull()
    expect(problems).toEqual([])
  })
})

const nameOf = ({ name }: { name: string }) => name
const firstCard = (page: Page, title: string) =>
  page
    .getByRole('article')
    .filter({ has: page.getByRole('button', { name: title, exact: true }) })
    .first()
