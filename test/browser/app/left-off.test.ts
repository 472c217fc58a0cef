import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'

import { type Desk, noBrowser, openDesk } from '../desk.ts'
import { becomes } from './boards.ts'
import { colleague } from './colleague.ts'

describe.skipIf(noBrowser)('drafts, tab titles and the connection status', () => {
  let desk: Desk
  let scout: Awaited<ReturnType<Desk['hire']>>
  beforeAll(async () => {
    desk = await openDesk()
    scout = await desk.hire('Scout')
  }, 60_000)
  afterAll(() => desk?.leave())

  const put = async (path: string, body: object) =>
    (await desk.http('POST', `/api/v1/${path}`, { body })).body.data
  const writing = (page: Page) => page.locator('.writing .code:not([hidden])').waitFor()

  test('the reason for a page change and the prompt of a run are kept over a reload', async () => {
    const { ticket_number } = await desk.create({ title: 'Paint the fence' })
    const { page_id } = await put(`tasks/${ticket_number}/pages`, { content: 'Green' })
    await put(`tasks/${ticket_number}/runs`, { agent_id: scout.agent_id })
    const { page, complaints, go } = await desk.sit()
    await go(`/p/${page_id}`)
    await page.locator('.reading').getByText('Green').waitFor()
    await page.keyboard.press('e')
    await writing(page)
    await page.keyboard.press('Control+End')
    await page.keyboard.type(', twice')
    const why = page.getByLabel('Reason for this change (optional)')
    await why.fill('It rained')
    await page.reload()
    await page.getByRole('button', { name: 'Continue writing' }).click()
    await writing(page)
    expect(await why.inputValue()).toBe('It rained')
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.locator('.reading').getByText('Green, twice').waitFor()
    const { body } = await desk.http('GET', `/api/v1/pages/${page_id}/versions`)
    expect(body.data[0].note).toBe('It rained')
    await page.keyboard.press('e')
    expect(await why.inputValue()).toBe('')

    await go(`/t/${ticket_number}`)
    const asked = page.getByRole('textbox', { name: /^Prompt \(optional\)/ })
    await page.getByRole('button', { name: 'Start a run…' }).click()
    await asked.fill('Sand it first')
    await page.keyboard.press('Escape')
    await page.reload()
    await page.getByRole('button', { name: 'Start a run…' }).click()
    expect(await asked.inputValue()).toBe('Sand it first')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('tab titles name the run, page or agent, with the number of unread notifications', async () => {
    const { ticket_number } = await desk.create({ title: 'Build a shed' })
    const { page_id } = await put(`tasks/${ticket_number}/pages`, { title: 'Plan', content: 'Oak' })
    const { run_id } = await put(`tasks/${ticket_number}/runs`, { agent_id: scout.agent_id })
    const { page, complaints, go } = await desk.sit()
    const tab = () => page.title()
    await go(`/runs/${run_id}`)
    await becomes(tab, `Scout: ${ticket_number} Build a shed · Corkboard`)
    await scout.tool('svc_comments', 'add', {
      ...{ ticket_number, text: '<p>@Ada look</p>' },
      mentions: [{ user_id: desk.user_id, display_name: 'Ada' }],
    })
    await becomes(tab, `(1) Scout: ${ticket_number} Build a shed · Corkboard`)
    await go(`/p/${page_id}`)
    await becomes(tab, '(1) Plan · Corkboard')
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await becomes(tab, '(1) Agents · Corkboard')
    await page.getByRole('heading', { name: 'Scout' }).getByRole('link').click()
    await becomes(tab, '(1) Scout · Corkboard')
    await go('/p/new')
    await page.getByRole('heading', { name: 'Task not found' }).waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('a guest is not offered to start a run', async () => {
    const { ticket_number } = await desk.create({ title: 'Mow the lawn' })
    await put(`tasks/${ticket_number}/runs`, { agent_id: scout.agent_id })
    const { page, complaints, go } = await colleague(desk, 'Kim', {
      ...{ role: 'guest', project_id: desk.project_id },
    })
    await go(`/t/${ticket_number}`)
    await page.getByRole('heading', { name: 'Runs' }).waitFor()
    expect(await page.getByRole('button', { name: 'Start a run…' }).count()).toBe(0)
    await page.getByRole('button', { name: `More about ${ticket_number}` }).click()
    await page.getByRole('menuitem', { name: 'Write a page' }).waitFor()
    expect(await page.getByRole('menuitem', { name: /Start a run/ }).count()).toBe(0)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('a lost connection is shown as a small dot', async () => {
    const { page, go } = await desk.sit()
    await go('/agents')
    await page.getByTitle(/^Live/).waitFor()
    await desk.crash()
    const dot = page.getByTitle('Not connected')
    await dot.waitFor()
    expect(await dot.boundingBox()).toMatchObject({ width: 8, height: 8 })
    await desk.comeBack()
    await page.context().close()
  })
})
