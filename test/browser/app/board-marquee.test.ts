import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssues } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { cardOf, columnOf, createBoard, tasksInIdeas, titleOf } from './boards.ts'

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>

const boxOf = async (locator: Locator): Promise<Box> => (await locator.boundingBox())!
const selectedTitles = (page: Page) => () =>
  page.locator('#main [data-task] [aria-pressed=true]').allTextContents()
const selectedCount = (page: Page) =>
  page.getByRole('toolbar', { name: 'Selected tasks' }).locator('.selected-count')

/** Presses the mouse at one point and moves it to another one, without a release. */
async function pressAndMove(page: Page, from: [number, number], to: [number, number]) {
  await page.mouse.move(...from)
  await page.mouse.down()
  await page.mouse.move(...to, { steps: 5 })
}

const rightOf = ({ x, y, width, height }: Box): [number, number] => [x + width + 6, y + height / 2]
const middleOf = ({ x, y, width, height }: Box): [number, number] => [x + width / 2, y + height / 2]

describe.skipIf(isBrowserSkipped)('drawing a rectangle around cards', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  const openBoard = async (title: string, fields: object, query = '', options = {}) => {
    const { project_id } = await createBoard(app, title, fields)
    const session = await app.openSession(options)
    await session.go(`/projects/${project_id}${query}`)
    return session
  }

  test('a drag from empty space selects the cards it touches, and Shift adds others', async () => {
    const titles = ['Ant', 'Bee', 'Cat', 'Dog', 'Elk']
    const { page, problems } = await openBoard('Rectangle', tasksInIdeas(...titles))
    const [bee, cat] = [await boxOf(cardOf(page, 'Bee')), await boxOf(cardOf(page, 'Cat'))]
    await pressAndMove(page, rightOf(bee), middleOf(cat))
    await expectEventually(selectedTitles(page), ['Bee', 'Cat'])
    expect(await accessibilityIssues(page)).toEqual([])
    await page.mouse.up()
    expect(await page.locator('.marquee').count()).toBe(0)
    await expectEventually(() => selectedCount(page).textContent(), '2 selected')
    const elk = await boxOf(cardOf(page, 'Elk'))
    await page.keyboard.down('Shift')
    await pressAndMove(page, rightOf(elk), middleOf(elk))
    await page.mouse.up()
    await page.keyboard.up('Shift')
    await expectEventually(selectedTitles(page), ['Bee', 'Cat', 'Elk'])
    await pressAndMove(page, rightOf(elk), middleOf(elk))
    await page.mouse.up()
    await expectEventually(selectedTitles(page), ['Elk'])
    expect(page.url()).not.toContain('task=')
    expect(problems).toEqual([])
  })

  test('a drag that ends up at rest before its code has loaded selects its cards', async () => {
    const { project_id } = await createBoard(app, 'Slow', tasksInIdeas('Ant', 'Bee', 'Cat'))
    const { page, problems, go } = await app.openSession()
    const gate = Promise.withResolvers<void>()
    await page.route(/assets\/marquee.*\.js/, async (route) => {
      await gate.promise
      await route.continue()
    })
    await go(`/projects/${project_id}`)
    const [ant, bee] = [await boxOf(cardOf(page, 'Ant')), await boxOf(cardOf(page, 'Bee'))]
    await pressAndMove(page, rightOf(ant), middleOf(bee))
    gate.resolve()
    await expectEventually(selectedTitles(page), ['Ant', 'Bee'])
    await page.mouse.up()
    expect(problems).toEqual([])
  })

  test('Escape during the drag restores the selection, and the keys act on it', async () => {
    const { page, problems } = await openBoard('Escape', tasksInIdeas('Ant', 'Bee', 'Cat'))
    await titleOf(page, 'Cat').click({ modifiers: ['ControlOrMeta'] })
    const ant = await boxOf(cardOf(page, 'Ant'))
    await pressAndMove(page, rightOf(ant), middleOf(ant))
    await expectEventually(selectedTitles(page), ['Ant'])
    await page.keyboard.press('Escape')
    await expectEventually(selectedTitles(page), ['Cat'])
    await page.mouse.up()
    await expectEventually(selectedTitles(page), ['Cat'])
    await page.keyboard.press('p')
    await page.getByRole('combobox', { name: 'Priority' }).waitFor()
    expect(problems).toEqual([])
  })

  test('a drag at the edge scrolls the column, and cards out of sight stay selected', async () => {
    const titles = Array.from({ length: 40 }, (_, at) => `Bird ${at + 1}`)
    const { page, problems } = await openBoard('Long', tasksInIdeas(...titles))
    const column = await boxOf(columnOf(page, 'Ideas').locator('.cards'))
    const first = await boxOf(cardOf(page, 'Bird 1'))
    const bottom: [number, number] = [first.x + 40, column.y + column.height - 5]
    await pressAndMove(page, rightOf(first), bottom)
    await cardOf(page, 'Bird 40').waitFor()
    await expectEventually(() => selectedCount(page).textContent(), '40 selected')
    expect(await cardOf(page, 'Bird 1').count()).toBe(0)
    await page.mouse.move(first.x + 40, column.y + 3, { steps: 5 })
    await cardOf(page, 'Bird 1').waitFor()
    await expectEventually(() => selectedCount(page).textContent(), '1 selected')
    await page.mouse.up()
    expect(problems).toEqual([])
  })

  test('swimlanes, the timeline and the list without due dates select alike', async () => {
    const { page, problems, go } = await openBoard(
      'Layouts',
      tasksInIdeas('Ant', 'Bee', 'Cat'),
      '?lanes=assignee',
    )
    const path = new URL(page.url()).pathname
    await page.locator('.lanes').waitFor()
    await pressAndMove(
      page,
      rightOf(await boxOf(cardOf(page, 'Ant'))),
      middleOf(await boxOf(cardOf(page, 'Bee'))),
    )
    await page.mouse.up()
    await expectEventually(selectedTitles(page), ['Ant', 'Bee'])
    await go(`${path}?layout=timeline`)
    const nameOf = (title: string) => boxOf(titleOf(page, title))
    await pressAndMove(page, middleOf(await nameOf('Bee')), middleOf(await nameOf('Cat')))
    await page.mouse.up()
    await expectEventually(selectedTitles(page), ['Bee', 'Cat'])
    expect(page.url()).not.toContain('task=')
    await go(`${path}?layout=calendar`)
    const tray = page.getByRole('region', { name: 'No due date' })
    const { x, y, height } = await boxOf(tray)
    await pressAndMove(page, [x + 40, y + height - 20], middleOf(await nameOf('Bee')))
    await page.mouse.up()
    await expectEventually(selectedTitles(page), ['Bee', 'Cat'])
    expect(problems).toEqual([])
  })

  test('a finger draws no rectangle', async () => {
    const { page, problems } = await openBoard('Finger', tasksInIdeas('Ant'), '', { touch: true })
    const [x, y] = rightOf(await boxOf(cardOf(page, 'Ant')))
    await page.touchscreen.tap(x, y)
    expect(await page.locator('.marquee').count()).toBe(0)
    expect(problems).toEqual([])
  })
})
