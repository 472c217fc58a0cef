import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { accessibilityIssues, accessibilityIssuesInBothThemes } from '../page-checks.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { createBoard, focusedName, tasksInIdeas } from './boards.ts'
import { addColleague } from './colleague.ts'

const tour = (page: Page, title: string) => page.getByRole('dialog', { name: title })

const STEPS = [
  'Add tasks',
  'Open a task',
  'Filter the board',
  'Switch the layout',
  'Find and run anything',
  'Connect an agent',
]

/** Whether the highlight surrounds this element. */
const isHighlighted = (page: Page, selector: string) => () =>
  page.evaluate((selector) => {
    const ring = document.querySelector('.tour-ring')!.getBoundingClientRect()
    const { left, top, right, bottom } = document.querySelector(selector)!.getBoundingClientRect()
    return ring.left <= left && ring.top <= top && ring.right >= right && ring.bottom >= bottom
  }, selector)

async function runFromPalette(page: Page) {
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('take the tour')
  await page.getByRole('option', { name: /Take the tour/ }).waitFor()
  await page.keyboard.press('Enter')
  await tour(page, STEPS[0]!).waitFor()
}

describe.skipIf(isBrowserSkipped)('the tour', () => {
  let app: WebApp
  let project_id: number
  beforeAll(async () => {
    app = await openWebApp()
    project_id = (await createBoard(app, 'Garden', tasksInIdeas('Prune the roses'))).project_id
  })
  afterAll(() => app?.close())

  test('a new person is shown the tour on the first board, and not again after it', async () => {
    const { page, problems, go } = await addColleague(app, 'Bo', { tour: true })
    await go(`/projects/${project_id}`)
    await tour(page, STEPS[0]!).waitFor()
    await expectEventually(focusedName(page), 'Next')
    expect(await accessibilityIssuesInBothThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('article').first().waitFor()
    await page.waitForTimeout(2500)
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(problems).toEqual([])
  })

  test('the arrow keys go through the steps, and Enter ends the last one', async () => {
    const { page, problems, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    await runFromPalette(page)
    await expectEventually(isHighlighted(page, '#main .column .actions > :last-child'), true)
    await page.keyboard.press('ArrowRight')
    await tour(page, STEPS[1]!).waitFor()
    await expectEventually(isHighlighted(page, '[data-task]'), true)
    await page.keyboard.press('ArrowLeft')
    await tour(page, STEPS[0]!).waitFor()
    for (const title of STEPS) {
      await tour(page, title).waitFor()
      expect(await accessibilityIssues(page)).toEqual([])
      await page.keyboard.press('Enter')
    }
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(page.url()).not.toContain('task=')
    expect(problems).toEqual([])
  })

  test('on another screen the tour opens a board, and the mouse goes through it', async () => {
    const { page, problems, go } = await app.openSession()
    await go('/inbox')
    await page.keyboard.press('Shift+?')
    await page.getByRole('button', { name: 'Take the tour' }).click()
    await tour(page, STEPS[0]!).waitFor()
    await page.waitForURL(/\/projects\/\d+/)
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await tour(page, STEPS[1]!).waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Skip' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })

  test('on a phone each step fits the screen, and a finger goes through them', async () => {
    const { page, problems, go } = await app.openSession({ touch: true, width: 390, height: 800 })
    await go(`/projects/${project_id}`)
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type('take the tour')
    await page.getByRole('option', { name: /Take the tour/ }).tap()
    for (const title of STEPS) {
      const { x, y, width, height } = (await tour(page, title).boundingBox())!
      expect(x >= 0 && y >= 0 && x + width <= 390 && y + height <= 800).toBe(true)
      expect(await accessibilityIssues(page)).toEqual([])
      await page.getByRole('button', { name: /^(Next|Done)$/ }).tap()
    }
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })
})
