import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { becomes, makeBoard, makeGarden, titles } from './boards.ts'

/** Whether the edges of a menu are shaded, by the pixels of its padding, where no text is. */
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

describe.skipIf(noBrowser)('the web app', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk()
  }, 60_000)
  afterAll(() => desk?.leave())

  test('handles a two-key shortcut every time it is repeated', async () => {
    const { project_id } = await makeGarden(desk, 'Keys')
    const { page, go } = await desk.sit()
    await go(`/projects/${project_id}`)
    await page.getByRole('article').first().waitFor()
    for (const [digit, selector] of [
      ['2', '.lines'],
      ['1', '.board'],
      ['2', '.lines'],
      ['1', '.board'],
    ] as const) {
      await page.keyboard.press('v')
      await page.keyboard.press(digit)
      await page.locator(selector).first().waitFor({ timeout: 3000 })
    }
  }, 60_000)

  test('narrows the filter options by text, and filters cards by text if no option matches', async () => {
    const { project_id } = await makeGarden(desk, 'Filter')
    const { page, go } = await desk.sit()
    await go(`/projects/${project_id}`)
    await page.getByRole('article').first().waitFor()
    await page.keyboard.press('f')
    const filter = page.getByRole('dialog', { name: 'Filter' })
    await filter.getByRole('textbox').fill('urg')
    await becomes(() => filter.locator('.values button').count(), 1)
    expect((await titles(page)()).length).toBe(4)
    await page.keyboard.press('Enter')
    await becomes(titles(page), ['Prune the roses'])
    await filter.getByRole('button', { name: 'Urgent' }).click()
    await filter.getByRole('textbox').fill('fence')
    await becomes(titles(page), ['Paint the fence'])
  }, 60_000)

  test('accepts the names of filter values in the URL, in any letter case', async () => {
    const { project_id } = await makeGarden(desk, 'Address')
    const { page, go } = await desk.sit()
    for (const [query, title] of [
      ['priority=high', 'Fix the tap'],
      ['Priority=URGENT', 'Prune the roses'],
      ['size=l', 'Paint the fence'],
      ['label=House&size=xs', 'Fix the tap'],
    ] as const) {
      await go(`/projects/${project_id}?${query}`)
      await becomes(titles(page), [title])
    }
  }, 90_000)

  test('scrolls to the card of a task that is opened by its link', async () => {
    const many = Array.from({ length: 60 }, (_, at) => ({ title: `Task ${at}`, section_index: 2 }))
    const { project_id } = await makeBoard(desk, 'Long', { tasks: many })
    const { body } = await desk.http('GET', `/api/v1/projects/${project_id}/board`)
    const last = body.data.cards.findLast(({ title }: { title: string }) => title === 'Task 59')
    const { page, go } = await desk.sit({ width: 900 })
    await go(`/projects/${project_id}?task=${last.ticket_number}`)
    const card = page.locator(`[data-task="${last.task_id}"]`)
    await card.waitFor()
    const isInSight = () =>
      card.evaluate((one) => {
        const { top, bottom } = one.getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight
      })
    await becomes(isInSight, true)
  }, 60_000)

  test('opens the editor of a new page from the menu of a task', async () => {
    const { ticket_number } = await desk.create({ title: 'Write it down' })
    const { page, go } = await desk.sit()
    await go(`/t/${ticket_number}`)
    await page.getByRole('button', { name: `More about ${ticket_number}` }).click()
    await page.getByRole('menuitem', { name: 'Write a page' }).click()
    await page.waitForURL(`**/p/new?on=${ticket_number}*`)
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
  }, 60_000)

  test('shows in the sidebar of every screen which task an agent works on', async () => {
    const { ticket_number } = await desk.create({ title: 'Taken' })
    const agent = await desk.hire('Bee')
    await agent.rest('POST', '/api/mcp/tasks/lease/claim', { ticket_number })
    const { page, go } = await desk.sit()
    for (const path of ['/settings', '/inbox', `/projects/${desk.project_id}`]) {
      await go(path)
      const side = page.getByRole('navigation', { name: 'Main' })
      await side.getByRole('button', { name: new RegExp(ticket_number) }).waitFor()
    }
  }, 60_000)

  test('lets a menu use the height of the window, and swimlane cards only the height they need', async () => {
    const labels = [{ name: 'garden', color: '#2f7d32' }]
    const { project_id } = await makeBoard(desk, 'Heights', {
      labels,
      tasks: [
        { title: 'Short', section_index: 0, labels: ['garden'] },
        { title: 'A title of several lines '.repeat(5), section_index: 1, labels: ['garden'] },
      ],
    })
    const { page, go } = await desk.sit({ height: 480 })
    await go(`/projects/${project_id}?lanes=label`)
    const cards = page.locator('.lanes .card')
    await cards.first().waitFor()
    const shorter = await cards.evaluateAll((all) => {
      const heightOf = (one: Element) => one.getBoundingClientRect().height
      return all.filter((one) => heightOf(one) < heightOf(one.parentElement!) - 4).length
    })
    // The short card is not stretched to the height of its row.
    expect(shorter).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    const menu = page.getByRole('menu')
    await menu.waitFor()
    const [height, whole] = await menu.evaluate((one) => [one.clientHeight, one.scrollHeight])
    expect(whole).toBeGreaterThan(height!)
    expect(height).toBeGreaterThan(384)
  }, 60_000)

  test('shades the edges of a menu towards which it can scroll', async () => {
    const { project_id } = await makeGarden(desk, 'Shadows')
    for (const theme of ['light', 'dark'] as const) {
      const { page, context, go } = await desk.sit({ height: 380, theme })
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await go(`/projects/${project_id}`)
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      const menu = page.getByRole('menu')
      await menu.waitFor()
      const scroll = async (share: number) => {
        await menu.evaluate((one, part) => {
          one.scrollTop = part * (one.scrollHeight - one.clientHeight)
        }, share)
        await page.waitForTimeout(100)
      }
      await scroll(0)
      expect([theme, await shadowsOf(page, menu)]).toEqual([theme, { top: false, bottom: true }])
      await scroll(0.5)
      expect([theme, await shadowsOf(page, menu)]).toEqual([theme, { top: true, bottom: true }])
      await scroll(1)
      expect([theme, await shadowsOf(page, menu)]).toEqual([theme, { top: true, bottom: false }])
      await context.close()
    }
  }, 60_000)
})

test('only menus, pickers and My Tasks use the check mark, for what is selected or completed', () => {
  const root = join(import.meta.dir, '../../../src/web')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((one) =>
    /\.tsx?$/.test(one),
  )
  const marked = files.filter((one) =>
    /name="check"|icon: 'check'|\['check',/.test(readFileSync(join(root, one), 'utf8')),
  )
  // The circle of My Tasks is a switch, which is on for a completed task.
  expect(marked.sort()).toEqual(['mine/row.tsx', 'parts/menu-popup.tsx', 'parts/pick-popup.tsx'])
})
