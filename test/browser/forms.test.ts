import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../../scripts/browser.ts'
import { type House, openHouse } from '../binary/house.ts'
import { faults } from './faults.ts'

const skipped = (process.env.CORK_TEST_SKIP ?? '').split(',').includes('browser')

describe.skipIf(skipped)('the sign-in and invitation pages', () => {
  let house: House
  let browser: Browser

  beforeAll(async () => {
    house = await openHouse()
    browser = await openBrowser()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await house?.close()
  })

  async function opened(colorScheme: 'light' | 'dark', width: number) {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
    const page = await context.newPage()
    const errors: string[] = []
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    page.on('pageerror', (error) => errors.push(String(error)))
    return { page, errors }
  }

  for (const [scheme, width] of [
    ['light', 1100],
    ['dark', 390],
  ] as const)
    test(`are accessible and log no errors in the ${scheme} theme at ${width} pixels`, async () => {
      const { page, errors } = await opened(scheme, width)
      await page.goto(`${house.url}/settings`)
      expect(await faults(page)).toEqual([])
      await page.getByLabel('Email').fill('ada@example.com')
      await page.getByLabel('Password').fill('correct horse battery')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Profile' }).waitFor()
      const invited = await house.http('POST', `/api/v1/teams/${house.team_id}/invitations`, {
        body: { email: `${scheme}@example.com`, role: 'member' },
      })
      await page.goto(invited.body.data.link)
      expect(await faults(page)).toEqual([])
      expect(errors).toEqual([])
      await page.context().close()
    }, 60_000)
})
