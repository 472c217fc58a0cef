import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { faultsInBothThemes } from '../faults.ts'
import { becomes, drag, focusIn, ideas, makeBoard, makeGarden, taskOf, undo } from './boards.ts'
import { cardIn, endOf, givenIn, lanesOn } from './lanes.ts'

describe.skipIf(noBrowser)('a board with swimlanes', () => {
  let desk: Desk
  let ada: number
  let beacon: Awaited<ReturnType<Desk['hire']>>
  const bot = 'Beacon'
  beforeAll(async () => {
    desk = await openDesk()
    ada = desk.user_id
    beacon = await desk.hire(bot)
  }, 60_000)
  afterAll(() => desk?.leave())

  /** Ant is assigned to Ada, Bee to Beacon, and Cat to nobody. */
  async function shared(title: string) {
    const made = await makeBoard(desk, title, ideas('Ant', 'Bee', 'Cat'))
    const give = (at: number, whom: object) =>
      desk.http('POST', `/api/v1/tasks/${made.tasks[at]}/assign`, { body: whom })
    await give(0, { user_id: ada })
    await give(1, { agent_id: beacon.agent_id })
    const held = () => givenIn(desk, made.project_id)
    return { ...made, held }
  }

  const show = async (page: Page, item: string) => {
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }

  test('groups cards by assignee, and dragging a card changes its assignee and its column', async () => {
    const { project_id, held } = await shared('Hands')
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${project_id}`)
    await cardOfAll(page, 'Ant').waitFor()
    await show(page, 'Swimlanes by assignee')
    const lanes = lanesOn(page)
    const before = {
      Ada: { Ideas: ['Ant'] },
      [bot]: { Ideas: ['Bee'] },
      Nobody: { Ideas: ['Cat'] },
    }
    await becomes(lanes, before)
    expect(new URL(page.url()).search).toBe('?lanes=assignee')
    expect(await faultsInBothThemes(page)).toEqual([])
    await drag(page, cardIn(page, ada, 'Ant'), endOf(page, bot, 'Doing'), 'bottom')
    await becomes(lanes, {
      Ada: {},
      [bot]: { Ideas: ['Bee'], Doing: ['Ant'] },
      Nobody: { Ideas: ['Cat'] },
    })
    await becomes(held, { Ant: `Doing ${bot}`, Bee: `Ideas ${bot}`, Cat: 'Ideas' })
    await undo(page, `Moved HAN-1 to Doing, ${bot}`)
    await becomes(lanes, before)
    await becomes(held, { Ant: 'Ideas Ada', Bee: `Ideas ${bot}`, Cat: 'Ideas' })
    // A card dragged to the lane Nobody is unassigned, and changes by an agent appear at once.
    await drag(page, cardIn(page, beacon.agent_id, 'Bee'), cardIn(page, 'none', 'Cat'), 'top')
    await becomes(lanes, { Ada: { Ideas: ['Ant'] }, [bot]: {}, Nobody: { Ideas: ['Bee', 'Cat'] } })
    await becomes(held, { Ant: 'Ideas Ada', Bee: 'Ideas', Cat: 'Ideas' })
    await beacon.rest('POST', '/api/mcp/tasks/lease/claim', { ticket_number: 'HAN-3' })
    await beacon.tool('svc_tasks', 'assign', {
      ticket_number: 'HAN-3',
      user_id: ada,
      intent: 'assign',
    })
    await becomes(lanes, { Ada: { Ideas: ['Ant', 'Cat'] }, [bot]: {}, Nobody: { Ideas: ['Bee'] } })
    expect(complaints).toEqual([])
  })

  test('moves a card across lanes with the keys, and one undo reverts all of the moves', async () => {
    const { project_id, held } = await shared('Keys')
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${project_id}`)
    await cardOfAll(page, 'Ant').waitFor()
    for (const key of ['v', '3']) await page.keyboard.press(key)
    const lanes = lanesOn(page)
    await becomes(async () => Object.keys(await lanes()), ['Ada', bot, 'Nobody'])
    await page.keyboard.press('j')
    await becomes(focusIn(page), 'Ant')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await becomes(focusIn(page), 'Cat')
    await page.keyboard.press('Shift+ArrowUp')
    await becomes(async () => (await lanes())[bot], { Ideas: ['Bee', 'Cat'] })
    await page
      .getByText(`KEY-3 moved to ${bot}`, { exact: true })
      .first()
      .waitFor({ state: 'attached' })
    await becomes(focusIn(page), 'Cat')
    await page.keyboard.press('Shift+ArrowUp')
    await becomes(async () => (await lanes())[bot], { Ideas: ['Cat', 'Bee'] })
    await page.keyboard.press('Shift+ArrowUp')
    await page.keyboard.press('Shift+ArrowRight')
    await becomes(async () => (await lanes()).Ada, { Ideas: ['Ant'], Next: ['Cat'] })
    await becomes(focusIn(page), 'Cat')
    await becomes(held, { Ant: 'Ideas Ada', Bee: `Ideas ${bot}`, Cat: 'Next Ada' })
    await page.keyboard.press('ControlOrMeta+z')
    await becomes(async () => (await lanes()).Nobody, { Ideas: ['Cat'] })
    await becomes(held, { Ant: 'Ideas Ada', Bee: `Ideas ${bot}`, Cat: 'Ideas' })
    expect(complaints).toEqual([])
  })

  test('shows a task in the lane of each label, collapses lanes, and adds tasks to a lane', async () => {
    const { project_id, labels } = await makeGarden(desk, 'Labels')
    const [garden, house] = labels as { label_id: number }[]
    const both = { add_labels: ['house'], ticket_numbers: ['LAB-1'] }
    await desk.http('PATCH', '/api/v1/tasks', { body: both })
    const { page, complaints, go } = await desk.sit({ width: 1800 })
    await go(`/projects/${project_id}?lanes=label`)
    const lanes = lanesOn(page)
    const all = {
      garden: { Ideas: ['Prune the roses', 'Paint the fence'] },
      house: { Ideas: ['Prune the roses'], Next: ['Fix the tap'], Done: ['Order tiles'] },
    }
    await becomes(lanes, all)
    // Dragged out of the lane garden, the task loses that label and keeps the label house.
    await drag(
      page,
      cardIn(page, garden!.label_id, 'Prune the roses'),
      endOf(page, 'house', 'Doing'),
      'top',
    )
    await becomes(async () => (await taskOf(desk, 'LAB-1')).labels.map(nameOf), ['house'])
    await becomes(async () => (await lanes()).house?.Doing, ['Prune the roses'])

    await endOf(page, 'house', 'Next').click()
    await page.getByRole('textbox', { name: 'New task in Next, house' }).fill('Sweep the roof')
    await page.keyboard.press('Enter')
    await becomes(async () => (await lanes()).house?.Next, ['Fix the tap', 'Sweep the roof'])
    await becomes(async () => (await givenIn(desk, project_id))['Sweep the roof'], 'Next house')
    await page.keyboard.press('Escape')

    const head = page.getByRole('button', { name: /^garden/ })
    await head.click()
    await becomes(async () => (await lanes()).garden, {})
    expect(await head.getAttribute('aria-expanded')).toBe('false')
    await page.reload()
    await becomes(async () => (await lanes()).house?.Doing, ['Prune the roses'])
    expect((await lanes()).garden).toEqual({})
    // A collapsed lane still accepts a dropped card.
    const slot = page.locator(`.lane-head .slot[data-lane="${garden!.label_id}"]`).nth(2)
    await drag(page, cardIn(page, house!.label_id, 'Prune the roses'), slot, 'bottom')
    await becomes(async () => (await taskOf(desk, 'LAB-1')).labels.map(nameOf), ['garden'])
    expect(await faultsInBothThemes(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('makes selected cards subtasks when they are dragged to the lane of a parent, with undo', async () => {
    const { project_id, tasks, idOf } = await makeBoard(
      desk,
      'Parts',
      ideas('House', 'Roof', 'Wall', 'Door'),
    )
    const house = await taskOf(desk, tasks[0]!)
    await desk.http('PATCH', `/api/v1/tasks/${tasks[1]}`, {
      body: { parent_task_id: house.task_id },
    })
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${project_id}?lanes=parent&q=o`)
    const lanes = lanesOn(page)
    // The filter hides Wall, and lanes without cards.
    await becomes(lanes, { House: { Ideas: ['Roof'] }, 'No parent': { Ideas: ['House', 'Door'] } })
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await becomes(async () => (await lanes())['No parent'], { Ideas: ['House', 'Wall', 'Door'] })
    for (const title of ['Wall', 'Door'])
      await cardOfAll(page, title)
        .getByRole('button')
        .click({ modifiers: ['ControlOrMeta'] })
    await page.getByText('2 selected').waitFor()
    await drag(page, cardOfAll(page, 'Door'), endOf(page, 'House', 'Next'), 'bottom')
    await becomes(lanes, {
      House: { Ideas: ['Roof'], Next: ['Wall', 'Door'] },
      'No parent': { Ideas: ['House'] },
    })
    for (const at of [2, 3])
      await becomes(async () => {
        const { parent_task_id, section_id } = await taskOf(desk, tasks[at]!)
        return [parent_task_id, section_id]
      }, [house.task_id, idOf('Next')])
    await undo(page, 'Moved 2 tasks to Next, PAR-1')
    await becomes(async () => (await lanes())['No parent'], { Ideas: ['House', 'Wall', 'Door'] })
    await becomes(async () => (await taskOf(desk, tasks[3]!)).parent_task_id, null)
    expect(complaints).toEqual([])
  })

  test('refuses to make a task its own parent, shows an error, and leaves the card in place', async () => {
    const { project_id, tasks } = await makeBoard(desk, 'Loop', ideas('House', 'Roof'))
    const { task_id } = await taskOf(desk, tasks[0]!)
    await desk.http('PATCH', `/api/v1/tasks/${tasks[1]}`, { body: { parent_task_id: task_id } })
    const { page, complaints, go } = await desk.sit({ may: /40[09]|422/ })
    await go(`/projects/${project_id}?lanes=parent`)
    const lanes = lanesOn(page)
    const before = { House: { Ideas: ['Roof'] }, 'No parent': { Ideas: ['House'] } }
    await becomes(lanes, before)
    await drag(page, cardOfAll(page, 'House'), endOf(page, 'House', 'Doing'), 'bottom')
    await page.getByRole('alert').waitFor()
    await becomes(lanes, before)
    expect((await taskOf(desk, tasks[0]!)).parent_task_id).toBeNull()
    expect(complaints).toEqual([])
  })
})

const nameOf = ({ name }: { name: string }) => name
const cardOfAll = (page: Page, title: string) =>
  page
    .getByRole('article')
    .filter({ has: page.getByRole('button', { name: title, exact: true }) })
    .first()
