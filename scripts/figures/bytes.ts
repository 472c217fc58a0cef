import type { Browser } from 'playwright-core'
import type { Instance } from '../screens/instances.ts'
import type { Row } from './row.ts'

/** Measures the bytes that are transferred until the cards of a board are first painted. */
export async function bytes(browser: Browser, instance: Instance): Promise<Row[]> {
  const context = await browser.newContext()
  await context.addCookies(instance.cookies.map((one) => ({ ...one, url: instance.url })))
  const page = await context.newPage()
  const sizes: Promise<[string, number]>[] = []
  page.on('requestfinished', (request) => {
    const size = request.sizes().then(({ responseBodySize }) => responseBodySize)
    sizes.push(size.then((bytes) => [request.resourceType(), bytes]))
  })
  await page.goto(`${instance.url}/projects/${instance.project_id}`)
  await page.locator('article[data-task]').first().waitFor()
  await page.evaluate(() => document.fonts.ready)
  const responses = await Promise.all(sizes)
  await context.close()
  const of = (type: string) =>
    responses.reduce((sum, [kind, size]) => sum + (kind === type ? size : 0), 0) / 1000
  return [
    { figure: 'first paint of a board: JavaScript', value: of('script'), unit: 'kB', max: 150 },
    { figure: 'first paint of a board: CSS', value: of('stylesheet'), unit: 'kB' },
    { figure: 'first paint of a board: fonts', value: of('font'), unit: 'kB' },
  ]
}
