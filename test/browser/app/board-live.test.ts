import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cork } from '../../binary/cork.ts'
import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { faults } from '../faults.ts'
import {
  becomes,
  cardOf,
  columnOf,
  focusIn,
  heldIn,
  ideas,
  makeBoard,
  titleOf,
  titlesIn,
} from './boards.ts'

describe.skipIf(noBrowser)('a board while others work on it', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk()
  }, 60_000)
  afterAll(() => desk?.leave())

  test('shows an agent claim a task, comment on it, move it to done and release it', async () => {
    const { project_id, tasks, idOf } = await makeBoard(desk, 'Agents', ideas('Ant', 'Bee'))
    const beacon = await desk.hire('Beacon')
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${project_id}`)
    const ant = cardOf(page, 'Ant')
    await ant.waitFor()
    expect(await page.getByText('working on this').count()).toBe(0)
    const ticket_number = tasks[0]!

    const [{ lease }] = await beacon.tool('svc_tasks', 'next', { project_id, claim: true })
    await ant.getByText('Beacon is working on this').waitFor()
    await ant.getByRole('img', { name: 'Beacon, agent, working' }).waitFor()
    await page.getByRole('status').getByText('1 working').waitFor()
    expect(await faults(page)).toEqual([])
    await beacon.tool('svc_comments', 'add', { ticket_number, text: '<p>Begun</p>' })
    await ant.getByRole('img', { name: 'Comments' }).waitFor()
    const carry = (to: string) =>
      beacon.tool('svc_tasks', 'update', { ticket_number, section_id: idOf(to) })
    await carry('Doing')
    await columnOf(page, 'Doing').getByText('Beacon is working on this').waitFor()
    expect(await titlesIn(page, 'Ideas')).toEqual(['Bee'])
    await carry('Done')
    await columnOf(page, 'Done').getByText('Ant').waitFor()
    const { lease_id, fencing_token } = lease
    await beacon.rest('POST', '/api/mcp/tasks/lease/release', { lease_id, fencing_token })
    await page.getByText('Beacon is working on this').waitFor({ state: 'detached' })
    await becomes(() => page.getByText('1 working').count(), 0)
    expect(complaints).toEqual([])
  })

  test('does not animate the mark of a working agent with reduced motion', async () => {
    const { project_id } = await makeBoard(desk, 'Rest', ideas('Ant'))
    const beacon = await desk.hire('Lantern')
    await beacon.tool('svc_tasks', 'next', { project_id, claim: true })
    const { page, complaints, go } = await desk.sit({ theme: 'dark' })
    await go(`/projects/${project_id}`)
    const mark = cardOf(page, 'Ant').locator('.pulse')
    const moves = () => mark.evaluate((element) => element.getAnimations().length)
    await becomes(moves, 1)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await becomes(moves, 0)
    expect(await faults(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('updates after changes in another tab, by the command line and moves to another board', async () => {
    const { project_id, tasks } = await makeBoard(desk, 'Tabs', ideas('Ant', 'Bee', 'Cat'))
    const other = await makeBoard(desk, 'Elsewhere')
    const { page, context, complaints, go } = await desk.sit()
    await go(`/projects/${project_id}`)
    await titleOf(page, 'Ant').waitFor()
    const tab = await context.newPage()
    await tab.goto(`${desk.url}/projects/${project_id}`)
    await titleOf(tab, 'Ant').waitFor()
    await tab.keyboard.press('j')
    await tab.keyboard.press('Shift+ArrowRight')
    await becomes(() => titlesIn(page, 'Next'), ['Ant'])

    const env = { CORK_URL: desk.url, CORK_TOKEN: desk.key }
    const { code, err } = await cork(['tasks', 'create', String(project_id), 'Dig'], { env })
    expect([code, err]).toEqual([0, ''])
    await becomes(() => titlesIn(page, 'Ideas'), ['Bee', 'Cat', 'Dig'])

    await titleOf(page, 'Bee').focus()
    await desk.http('POST', `/api/v1/tasks/${tasks[1]}/move`, {
      body: { target_project_id: other.project_id },
    })
    await becomes(() => titlesIn(page, 'Ideas'), ['Cat', 'Dig'])
    await becomes(focusIn(page), 'Cat')
    expect(complaints).toEqual([])
  })

  test('keeps the text being typed and the card being dragged when others change tasks', async () => {
    const { project_id, tasks } = await makeBoard(desk, 'Hands', ideas('Ant', 'Bee', 'Cat'))
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${project_id}`)
    await titleOf(page, 'Ant').waitFor()
    await page.keyboard.press('c')
    const field = page.getByRole('textbox', { name: 'New task in Ideas' })
    await field.pressSequentially('Half a tho')
    const renamed = (ticket: string, title: string) =>
      desk.http('PATCH', `/api/v1/tasks/${ticket}`, { body: { title } })
    await renamed(tasks[1]!, 'Wasp')
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
    await renamed(tasks[0]!, 'Emmet')
    await desk.create({ project_id, title: 'New' })
    await becomes(() => titlesIn(page, 'Ideas'), ['Emmet', 'Wasp', 'Cat', 'New'])
    await page.mouse.move(to.x + 110, to.y + 210)
    await page.mouse.up()
    await becomes(() => titlesIn(page, 'Doing'), ['Emmet'])
    await becomes(async () => (await heldIn(desk, project_id)).Doing, ['Emmet'])
    expect(complaints).toEqual([])
  })

  test('keeps a moved card in place when an older board response arrives', async () => {
    const { project_id, tasks } = await makeBoard(desk, 'Fast', ideas('Ant', 'Bee'))
    const { page, complaints, go } = await desk.sit()
    await go(`/projects/${project_id}`)
    await titleOf(page, 'Ant').waitFor()
    let held: (() => void) | undefined
    await page.route('**/place', async (route) => {
      await new Promise<void>((go) => {
        held = go
      })
      await route.continue()
    })
    await page.keyboard.press('j')
    await page.keyboard.press('Shift+ArrowRight')
    await becomes(() => titlesIn(page, 'Next'), ['Ant'])
    await becomes(async () => held !== undefined, true)
    await desk.http('PATCH', `/api/v1/tasks/${tasks[0]}`, { body: { priority: 1 } })
    await desk.http('PATCH', `/api/v1/tasks/${tasks[1]}`, { body: { title: 'Wasp' } })
    await titleOf(page, 'Wasp').waitFor()
    expect(await titlesIn(page, 'Next')).toEqual(['Ant'])
    // A response that was read before the move arrives after it.
    let late: (() => void) | undefined
    let isFree = false
    await page.route(/\/board\?since=/, async (route) => {
      const response = await route.fetch()
      await new Promise<void>((go) => {
        late = go
        if (isFree) go()
      })
      await route.fulfill({ response })
    })
    await desk.http('PATCH', `/api/v1/tasks/${tasks[1]}`, { body: { title: 'Hornet' } })
    await becomes(async () => late !== undefined, true)
    const placed = page.waitForResponse(/\/place$/)
    held!()
    await placed
    const tell = late!
    late = undefined
    tell()
    await titleOf(page, 'Hornet').waitFor()
    expect(await titlesIn(page, 'Next')).toEqual(['Ant'])
    await becomes(async () => late !== undefined, true)
    expect(await titlesIn(page, 'Next')).toEqual(['Ant'])
    isFree = true
    late!()
    await cardOf(page, 'Ant').getByRole('img', { name: 'Urgent' }).waitFor()
    expect(await titlesIn(page, 'Next')).toEqual(['Ant'])
    expect(complaints).toEqual([])
  })
})
