import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expectEventually } from '../../support/wait.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { cardTitles, createBoard, createGardenBoard } from './boards.ts'
import { pressSequence } from './keys.ts'

/** Whether the edges of a menu are shaded. Reads the pixels of its padding, which has no text. */
async function shadowsOf(page: Page, menu: Locator) {
  const { x, y, height } = (await menu.boundingBox())!
  const png = await page.screenshot({ clip: { x: x + 3, y, width: 1, height } })
  return page.evaluate(
    async (bytes) => {
      const blob = new Blob([new Uint8Array(bytes)], { type: 'image/png' })
      const image = await createImageBitmap(blob)
      const context = new OffscreenCanvas(1, image.height).getContext('2d')!
      context.drawImage(image, 0, 0)
      const shadeAt = (from: number) => {
        const { data } = context.getImageData(0, from, 1, 1)
        return data[0]! + data[1]! + data[2]!
      }
      // The fifth pixel is below the rounded corner, and the thirtieth is beyond the shadow.
      const differs = (edge: number, inner: number) => Math.abs(shadeAt(edge) - shadeAt(inner)) > 12
      return { top: differs(4, 29), bottom: differs(image.height - 5, image.height - 30) }
    },
    [...png],
  )
}

describe.skipIf(isBrowserSkipped)('the web app', () => {
  let app: WebApp
  beforeAll(async () => {
    app = await openWebApp()
  })
  afterAll(() => app?.close())

  test('handles a two-key shortcut every time it is repeated', async () => {
    const { project_id } = await createGardenBoard(app, 'Keys')
    const { page, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    await page.getByRole('article').first().waitFor()
    for (const [digit, selector] of [
      ['2', '.lines'],
      ['1', '.board'],
      ['2', '.lines'],
      ['1', '.board'],
    ] as const) {
      await pressSequence(page, 'v', digit)
      await page.locator(selector).first().waitFor()
    }
  })

  test('narrows the filter suggestions by text, and filters cards by text if no value matches', async () => {
    const { project_id } = await createGardenBoard(app, 'Filter')
    const { page, go } = await app.openSession()
    await go(`/projects/${project_id}`)
    await page.getByRole('article').first().waitFor()
    await page.keyboard.press('f')
    const field = page.getByRole('combobox', { name: 'Filter by' })
    await field.fill('urg')
    await expectEventually(
      () => page.getByRole('option').locator('.name').allTextContents(),
      ['Priority is any of Urgent', 'Title contains “urg”'],
    )
    await page.keyboard.press('Enter')
    await expectEventually(cardTitles(page), ['Prune the roses'])
    await page.keyboard.press('Backspace')
    await field.fill('fence')
    await page.keyboard.press('Enter')
    await expectEventually(cardTitles(page), ['Paint the fence'])
  })

  test('accepts the names of filter values in the URL, in any letter case', async () => {
    const { project_id } = await createGardenBoard(app, 'Address')
    const { page, go } = await app.openSession()
    for (const [query, title] of [
      ['priority=high', 'Fix the tap'],
      ['Priority=URGENT', 'Prune the roses'],
      ['size=l', 'Paint the fence'],
      ['label=House&size=xs', 'Fix the tap'],
    ] as const) {
      await go(`/projects/${project_id}?${query}`)
      await expectEventually(cardTitles(page), [title])
    }
  })

  test('scrolls to the card of a task that is opened by its link', async () => {
    const tasks = Array.from({ length: 60 }, (_, at) => ({ title: `Task ${at}`, section_index: 2 }))
    const { project_id } = await createBoard(app, 'Long', { tasks })
    const { body } = await app.http('GET', `/api/v1/projects/${project_id}/board`)
    const last = body.data.cards.findLast(({ title }: { title: string }) => title === 'Task 59')
    const { page, go } = await app.openSession({ width: 900 })
    await go(`/projects/${project_id}?task=${last.ticket_number}`)
    const card = page.locator(`[data-task="${last.task_id}"]`)
    await card.waitFor()
    const isVisible = () =>
      card.evaluate((one) => {
        const { top, bottom } = one.getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight
      })
    await expectEventually(isVisible, true)
  })

  test('opens the editor of a new page from the menu of a task', async () => {
    const { ticket_number } = await app.createTask({ title: 'Write it down' })
    const { page, go } = await app.openSession()
    await go(`/t/${ticket_number}`)
    await page.getByRole('button', { name: `More about ${ticket_number}` }).click()
    await page.getByRole('menuitem', { name: 'Write a page' }).click()
    await page.waitForURL(`**/p/new?on=${ticket_number}*`)
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
  })

  test('shows in the sidebar of every screen which task an agent works on', async () => {
    const { ticket_number } = await app.createTask({ title: 'Taken' })
    const agent = await app.connectAgent('Bee')
    await agent.rest('POST', '/api/mcp/tasks/lease/claim', { ticket_number })
    const { page, go } = await app.openSession()
    for (const path of ['/settings', '/inbox', `/projects/${app.project_id}`]) {
      await go(path)
      const sidebar = page.getByRole('navigation', { name: 'Main' })
      await sidebar.getByRole('button', { name: new RegExp(ticket_number) }).waitFor()
    }
  })

  test('lets a menu use the height of the window, and swimlane cards only the height they need', async () => {
    const labels = [{ name: 'garden', color: '#2f7d32' }]
    const { project_id } = await createBoard(app, 'Heights', {
      labels,
      tasks: [
        { title: 'Short', section_index: 0, labels: ['garden'] },
        { title: 'A title of several lines '.repeat(5), section_index: 1, labels: ['garden'] },
      ],
    })
    const { page, go } = await app.openSession({ height: 480 })
    await go(`/projects/${project_id}?lanes=label`)
    const cards = page.locator('.lanes .card')
    await cards.first().waitFor()
    const shorter = await cards.evaluateAll((all) => {
      const heightOf = (one: Element) => one.getBoundingClientRect().height
      return all.filter((one) => heightOf(one) < heightOf(one.closest('.slot')!) - 40).length
    })
    // The short card is not stretched to the height of its row.
    expect(shorter).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    const menu = page.getByRole('menu')
    await menu.waitFor()
    const [height, scrollHeight] = await menu.evaluate((one) => [
      one.clientHeight,
      one.scrollHeight,
    ])
    expect(scrollHeight).toBeGreaterThan(height!)
    expect(height).toBeGreaterThan(384)
  })

  test('shades the edges of a menu towards which it can scroll', async () => {
    const { project_id } = await createGardenBoard(app, 'Shadows')
    for (const theme of ['light', 'dark'] as const) {
      const { page, context, go } = await app.openSession({ height: 380, theme })
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await go(`/projects/${project_id}`)
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      const menu = page.getByRole('menu')
      await menu.waitFor()
      const scroll = async (share: number) => {
        await menu.evaluate((one, fraction) => {
          one.scrollTop = fraction * (one.scrollHeight - one.clientHeight)
        }, share)
      }
      const expectShadows = (top: boolean, bottom: boolean) =>
        expectEventually(async () => ({ theme, ...(await shadowsOf(page, menu)) }), {
          ...{ theme, top, bottom },
        })
      await scroll(0)
      await expectShadows(false, true)
      await scroll(0.5)
      await expectShadows(true, true)
      await scroll(1)
      await expectShadows(true, false)
      await context.close()
    }
  })
})

test('only menus, pickers and My Tasks use the check mark, for what is selected or completed', () => {
  const root = join(import.meta.dir, '../../../src/web')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((one) =>
    /\.tsx?$/.test(one),
  )
  const filesWithCheckMark = files.filter((one) =>
    /name="check"|icon: 'check'|\['check',/.test(readFileSync(join(root, one), 'utf8')),
  )
  // In My Tasks the check mark is a switch that is on for a completed task.
  expect(filesWithCheckMark.sort()).toEqual([
    'kit/menu-popup.tsx',
    'kit/pick-popup.tsx',
    'screens/mine/row.tsx',
  ])
})
