import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { crc32, deflateSync } from 'node:zlib'
import type { Locator, Page } from 'playwright-core'
import { startScriptedModel } from '../../ai/scripted-model.ts'
import { isBrowserSkipped, openWebApp, type WebApp } from '../web-app.ts'
import { chatPanel } from './chat-panel.ts'

/** How far the text being read may move at most. */
const MAX_SHIFT_PX = 2

const lines = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name} ${at + 1} says what there is to say.`)

/** A white PNG image of that size. */
function pngOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    checksum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, checksum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0], 8)
  const rows = Buffer.alloc((width + 1) * height, 255)
  for (let y = 0; y < height; y++) rows[y * (width + 1)] = 0
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    ...[chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))],
  ])
}

describe.skipIf(isBrowserSkipped)('the scroll position of a text', () => {
  let app: WebApp
  const service = startScriptedModel()
  beforeAll(async () => {
    app = await openWebApp(service.settings())
  })
  afterAll(async () => {
    await app?.close()
    service.stop()
  })

  const topOf = async (one: Locator) => (await one.boundingBox())!.y
  async function post(path: string, body: object) {
    const { status, text, body: response } = await app.http('POST', `/api/v1/${path}`, { body })
    expect([path, status < 300, text.slice(0, 300)]).toEqual([path, true, expect.anything()])
    return response.data
  }

  async function wheelTo(page: Page, one: Locator, y = 300) {
    for (let attempt = 0; attempt < 40; attempt++) {
      const top = await topOf(one)
      if (Math.abs(top - y) < 60) break
      await page.mouse.wheel(0, Math.max(-600, Math.min(600, top - y)))
      await page.waitForTimeout(60)
    }
    await page.waitForTimeout(200)
    expect(Math.abs((await topOf(one)) - y)).toBeLessThan(150)
  }

  async function expectUnmoved(target: Locator, change: () => Promise<unknown>) {
    const before = await topOf(target)
    await change()
    const shift = Math.abs((await topOf(target)) - before)
    expect([shift <= MAX_SHIFT_PX, shift]).toEqual([true, shift])
  }

  test('an earlier chat answer stays in place while another answer streams in', async () => {
    const { page, go, problems, context } = await app.openSession()
    await go(`/projects/${app.project_id}`)
    const { open, send, waitUntilIdle, messages } = chatPanel(page)
    await open()
    service.play([{ text: lines('Line', 60).join('\n\n') }])
    await send('Tell me everything')
    await waitUntilIdle()
    service.play([{ text: lines('More', 40).join('\n\n'), chunkDelayMs: 20 }])
    await send('And then?')
    await messages.getByText('More 1 says').waitFor()
    const box = (await messages.boundingBox())!
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    const target = messages.getByText('Line 30 says')
    await wheelTo(page, target, box.y + box.height / 2)
    await expectUnmoved(target, async () => {
      await messages.getByText('More 40 says').waitFor({ state: 'attached' })
      await waitUntilIdle()
    })
    await page.getByRole('button', { name: 'New messages' }).click()
    await messages.getByText('More 40 says').waitFor()
    expect(problems).toEqual([])
    await context.close()
  })

  test('an earlier page of comments stays in place when a new comment arrives', async () => {
    const { task_id, ticket_number } = await app.createTask({ title: 'Discuss it at length' })
    for (let at = 1; at <= 60; at++)
      await post(`tasks/${task_id}/comments`, {
        ...{ text: `Comment number ${at} of sixty`, content_type: 'markdown' },
      })
    const { page, go, problems, context } = await app.openSession()
    await go(`/t/${ticket_number}`)
    await page.getByRole('button', { name: 'Show earlier comments' }).click()
    const target = page.getByText('Comment number 5 of sixty')
    await target.waitFor()
    await page.mouse.move(640, 400)
    await wheelTo(page, target)
    // Records a removal of the comment, which loses the scroll position even if it is added again.
    await target.evaluate((element) => {
      const row = element.closest('li')!
      new MutationObserver(() => {
        if (!row.isConnected) document.body.dataset.lost = 'yes'
      }).observe(document.body, { childList: true, subtree: true })
    })
    await expectUnmoved(target, async () => {
      await post(`tasks/${task_id}/comments`, { text: 'The newest', content_type: 'markdown' })
      await page.getByText('The newest').waitFor({ state: 'attached' })
      await page.waitForTimeout(600)
    })
    expect(await page.evaluate(() => document.body.dataset.lost)).toBeUndefined()
    expect(problems).toEqual([])
    await context.close()
  })

  test('comments too long for one page are loaded page by page', async () => {
    const { task_id, ticket_number } = await app.createTask({ title: 'Paste long logs' })
    for (const name of ['First', 'Second', 'Third'])
      await post(`tasks/${task_id}/comments`, {
        ...{ text: `${name} log: ${'all is well '.repeat(50_000)}`, content_type: 'markdown' },
      })
    const { page, go, problems, context } = await app.openSession()
    await go(`/t/${ticket_number}`)
    const comments = page.locator('[data-comment]')
    const earlier = page.getByRole('button', { name: 'Show earlier comments' })
    await comments.filter({ hasText: 'Third log' }).waitFor()
    for (const [at, name] of ['Second', 'First'].entries()) {
      expect(await comments.count()).toBe(at + 1)
      await earlier.click()
      await comments.filter({ hasText: `${name} log` }).waitFor()
    }
    expect(await comments.count()).toBe(3)
    expect(problems).toEqual([])
    await context.close()
  })

  /** Opens a task whose description begins with an image. The image loads only after `load`. */
  async function openTaskWithImage(sizeSuffix: string, size: [number, number]) {
    const { task_id, ticket_number } = await app.createTask({ title: 'With a picture' })
    const [file] = (
      await post(`tasks/${task_id}/attachments`, {
        files: [
          {
            ...{ filename: 'late.png', content_type: 'image/png' },
            data: pngOf(...size).toString('base64'),
          },
        ],
      })
    ).attachments
    const address = `/api/v1/attachments/${file.attachment_id}/content`
    const description = [`![Late](${address}${sizeSuffix})`, ...lines('Paragraph', 30)].join('\n\n')
    const body = { description, content_type: 'markdown' }
    await app.http('PATCH', `/api/v1/tasks/${task_id}`, { body })
    const session = await app.openSession()
    const gate = Promise.withResolvers<void>()
    await session.context.route(`**${address}*`, async (route) => {
      await gate.promise
      await route.continue()
    })
    const { page } = session
    await session.go(`/t/${ticket_number}`)
    const image = page.locator('.description .prose img')
    await image.waitFor({ state: 'attached' })
    const load = async () => {
      gate.resolve()
      await page.waitForFunction(
        () => document.querySelector<HTMLImageElement>('.description .prose img')?.naturalWidth,
      )
      await page.waitForTimeout(300)
    }
    return { ...session, image, load }
  }

  test('text below an image of known size stays in place when the image loads late', async () => {
    const { page, image, load, problems, context } = await openTaskWithImage('#300x420', [300, 420])
    const target = page.getByText('Paragraph 1 says')
    await target.waitFor()
    await expectUnmoved(target, load)
    // The border is part of the box, so the height differs a little from that of the image.
    expect((await image.boundingBox())!.height).toBeCloseTo(420, -1)
    expect(problems).toEqual([])
    await context.close()
  })

  test('text scrolled to stays in place when an image of unknown size loads above it', async () => {
    const { page, load, problems, context } = await openTaskWithImage('', [300, 420])
    const target = page.getByText('Paragraph 25 says')
    await page.mouse.move(640, 400)
    await wheelTo(page, target)
    await expectUnmoved(target, load)
    expect(problems).toEqual([])
    await context.close()
  })
})
