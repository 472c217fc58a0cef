import type { Browser } from 'playwright-core'
import type { World } from '../screens/world.ts'
import type { Row } from './row.ts'

/** What comes over the wire until the cards of a board are painted for the first time. */
export async function bytes(browser: Browser, world: World): Promise<Row[]> {
  const context = await browser.newContext()
  await context.addCookies(world.cookies.map((one) => ({ ...one, url: world.url })))
  const page = await context.newPage()
  const sizes: Promise<[string, number]>[] = []
  page.on('requestfinished', (request) => {
    const size = request.sizes().then(({ responseBodySize }) => responseBodySize)
    sizes.push(size.then((bytes) => [request.resourceType(), bytes]))
  })
  await page.goto(`${world.url}/projects/${world.project_id}`)
  await page.locator('article[data-task]').first().waitFor()
  await page.evaluate(() => document.fonts.ready)
  const seen = await Promise.all(sizes)
  await context.close()
  const of = (type: string) =>
    seen.reduce((sum, [kind, size]) => sum + (kind === type ? size : 0), 0) / 1000
  return [
    { figure: 'first paint of a board: JavaScript', value: of('script'), unit: 'kB', most: 140 },
    { figure: 'first paint of a board: CSS', value: of('stylesheet'), unit: 'kB' },
    { figure: 'first paint of a board: fonts', value: of('font'), unit: 'kB' },
  ]
}
