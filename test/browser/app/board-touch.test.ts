import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssues } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import {
  cardOf,
  columnOf,
  createBoard,
  tasksInIdeas,
  titleOf,
  titlesByColumn,
  titlesIn,
} from './boards.ts'
import { centerOf, fingerOf, type Point, swipe, waitForTouchDrag } from './touch.ts'

describe.skipIf(isBrowserSkipped)('a board on a phone', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  const openBoard = async (project_id: number, theme: 'light' | 'dark' = 'light') => {
    const session = await app.openSession({ width: 390, height: 844, touch: true, theme })
    await session.go(`/projects/${project_id}`)
    const cdp = await session.context.newCDPSession(session.page)
    await waitForTouchDrag(session.page, cdp)
    return { ...session, finger: fingerOf(cdp) }
  }

  test('a long press picks up a card, which is dragged within its column and to another', async () => {
    const { project_id } = await createBoard(app, 'Finger', tasksInIdeas('Ant', 'Bee', 'Cat'))
    const { page, finger, problems } = await openBoard(project_id)
    const ant = cardOf(page, 'Ant')
    await ant.waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    const [from, below] = [await centerOf(ant), await centerOf(cardOf(page, 'Cat'))]
    await finger.down(from)
    const dragImage = page.locator('.dragged-card')
    await dragImage.waitFor()
    await finger.move(from, [below[0], below[1] + 20])
    await finger.up()
    await dragImage.waitFor({ state: 'detached' })
    // Moving closes the menu that opens while a finger holds a card.
    expect(await page.getByRole('menu').count()).toBe(0)
    await expectEventually(() => titlesIn(page, 'Ideas'), ['Bee', 'Cat', 'Ant'])

    const start = await centerOf(ant)
    await finger.down(start)
    await dragImage.waitFor()
    const edge: Point = [380, start[1]]
    await finger.move(start, edge)
    const isAtEnd = () =>
      page
        .locator('.board')
        .evaluate((session) => session.scrollLeft + session.clientWidth >= session.scrollWidth - 1)
    await expectEventually(isAtEnd, true)
    await finger.move(edge, await centerOf(columnOf(page, 'Done').locator('.cards')))
    await finger.up()
    await expectEventually(() => titlesIn(page, 'Done'), ['Ant'])
    await expectEventually(async () => (await titlesByColumn(app, project_id)).Done, ['Ant'])
    expect((await titlesByColumn(app, project_id)).Ideas).toEqual(['Bee', 'Cat'])
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })

  test('a swipe scrolls a long column without moving cards, and a tap opens a card', async () => {
    const allTitles = Array.from({ length: 30 }, (_, at) => `Task ${at + 1}`)
    const { project_id } = await createBoard(app, 'Long', tasksInIdeas(...allTitles))
    const { page, finger, problems } = await openBoard(project_id, 'dark')
    const first = cardOf(page, 'Task 4')
    await first.waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    const from = await centerOf(first)
    const scroller = columnOf(page, 'Ideas').locator('.cards')
    await swipe(scroller, finger, from, [from[0], from[1] - 250])
    expect(await scroller.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(100)
    expect(await page.locator('.dragged-card').count()).toBe(0)
    expect((await titlesByColumn(app, project_id)).Ideas).toEqual(allTitles)
    const title = await page.evaluate(() => {
      const cards = [...document.querySelectorAll('.card')]
      const card = cards.find((session) => session.getBoundingClientRect().top > innerHeight / 3)
      return card?.querySelector('.title')?.textContent ?? ''
    })
    await titleOf(page, title).tap()
    await page.getByRole('dialog').getByText(title, { exact: true }).first().waitFor()
    expect(problems).toEqual([])
  })

  test('a long press opens the menu, and taps select further cards, which are moved together', async () => {
    const { project_id } = await createBoard(app, 'Choose', tasksInIdeas('Ant', 'Bee', 'Cat'))
    const { page, finger, problems } = await openBoard(project_id)
    await cardOf(page, 'Ant').waitFor()
    await finger.down(await centerOf(cardOf(page, 'Ant')))
    const select = page.getByRole('menuitem', { name: 'Select' })
    await select.waitFor()
    await finger.up()
    expect(await accessibilityIssues(page)).toEqual([])
    await select.tap()
    await select.waitFor({ state: 'detached' })
    await titleOf(page, 'Bee').tap()
    const bar = page.getByRole('toolbar', { name: 'Selected tasks' })
    await bar.getByText('2 selected').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await bar.getByRole('button', { name: 'Column' }).tap()
    await page.getByRole('option', { name: 'Doing' }).tap()
    await expectEventually(
      async () => (await titlesByColumn(app, project_id)).Doing,
      ['Ant', 'Bee'],
    )
    expect(problems).toEqual([])
  })
})
