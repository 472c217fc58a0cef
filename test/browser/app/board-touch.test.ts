import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { faults } from '../faults.ts'
import { becomes, cardOf, columnOf, heldIn, ideas, makeBoard, titleOf, titlesIn } from './boards.ts'
import { fingerOf, middle, type Point } from './fingers.ts'

/** Whether the scroller has stopped moving. */
const rests = async (scroller: Element) => {
  const before = scroller.scrollTop
  await new Promise((go) => setTimeout(go, 300))
  return scroller.scrollTop === before
}

describe.skipIf(noBrowser)('a board on a phone', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk()
  }, 60_000)
  afterAll(() => desk?.leave())

  const sit = async (project_id: number, theme: 'light' | 'dark' = 'light') => {
    const one = await desk.sit({ width: 390, height: 844, touch: true, theme })
    await one.go(`/projects/${project_id}`)
    return { ...one, finger: fingerOf(await one.context.newCDPSession(one.page)) }
  }

  test('a long press picks up a card, which is dragged within its column and to another', async () => {
    const { project_id } = await makeBoard(desk, 'Finger', ideas('Ant', 'Bee', 'Cat'))
    const { page, finger, complaints } = await sit(project_id)
    const ant = cardOf(page, 'Ant')
    await ant.waitFor()
    expect(await faults(page)).toEqual([])
    const [from, below] = [await middle(ant), await middle(cardOf(page, 'Cat'))]
    await finger.down(from)
    const image = page.locator('.in-hand')
    await image.waitFor()
    await finger.slide(from, [below[0], below[1] + 20])
    await finger.up()
    await image.waitFor({ state: 'detached' })
    await becomes(() => titlesIn(page, 'Ideas'), ['Bee', 'Cat', 'Ant'])

    const again = await middle(ant)
    await finger.down(again)
    await image.waitFor()
    const edge: Point = [380, again[1]]
    await finger.slide(again, edge)
    const isAtEnd = () =>
      page
        .locator('.board')
        .evaluate((one) => one.scrollLeft + one.clientWidth >= one.scrollWidth - 1)
    await becomes(isAtEnd, true)
    await finger.slide(edge, await middle(columnOf(page, 'Done').locator('.cards')))
    await finger.up()
    await becomes(() => titlesIn(page, 'Done'), ['Ant'])
    await becomes(async () => (await heldIn(desk, project_id)).Done, ['Ant'])
    expect((await heldIn(desk, project_id)).Ideas).toEqual(['Bee', 'Cat'])
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  test('a swipe scrolls a long column without moving cards, and a tap opens a card', async () => {
    const many = Array.from({ length: 30 }, (_, at) => `Task ${at + 1}`)
    const { project_id } = await makeBoard(desk, 'Long', ideas(...many))
    const { page, finger, complaints } = await sit(project_id, 'dark')
    const first = cardOf(page, 'Task 4')
    await first.waitFor()
    expect(await faults(page)).toEqual([])
    const from = await middle(first)
    await finger.down(from)
    await finger.slide(from, [from[0], from[1] - 250])
    await finger.up()
    const scroller = columnOf(page, 'Ideas').locator('.cards')
    await becomes(() => scroller.evaluate(({ scrollTop }) => scrollTop > 100), true)
    expect(await page.locator('.in-hand').count()).toBe(0)
    expect((await heldIn(desk, project_id)).Ideas).toEqual(many)
    await becomes(() => scroller.evaluate(rests), true)
    const title = await page.evaluate(() => {
      const cards = [...document.querySelectorAll('.card')]
      const card = cards.find((one) => one.getBoundingClientRect().top > innerHeight / 3)
      return card?.querySelector('.title')?.textContent ?? ''
    })
    await titleOf(page, title).tap()
    await page.getByRole('dialog').getByText(title, { exact: true }).first().waitFor()
    expect(complaints).toEqual([])
  })

  test('long presses select cards, which are then moved together', async () => {
    const { project_id } = await makeBoard(desk, 'Choose', ideas('Ant', 'Bee', 'Cat'))
    const { page, finger, complaints } = await sit(project_id)
    for (const title of ['Ant', 'Bee']) {
      const card = cardOf(page, title)
      await card.waitFor()
      await finger.down(await middle(card))
      await page.locator('.in-hand').waitFor()
      await finger.up()
    }
    const bar = page.getByRole('toolbar', { name: 'Selected tasks' })
    await bar.getByText('2 selected').waitFor()
    expect(await faults(page)).toEqual([])
    await bar.getByRole('button', { name: 'Column' }).tap()
    await page.getByRole('option', { name: 'Doing' }).tap()
    await becomes(async () => (await heldIn(desk, project_id)).Doing, ['Ant', 'Bee'])
    expect(complaints).toEqual([])
  })
})
