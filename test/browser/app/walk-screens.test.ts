import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../../../scripts/browser.ts'
import { SCREENS } from '../../../scripts/screens/catalog.ts'
import { type Instances, startInstances } from '../../../scripts/screens/instances.ts'
import { openScreen, type Variant } from '../../../scripts/screens/open-screen.ts'
import type { Screen } from '../../../scripts/screens/screen.ts'
import { isFull, seed } from '../../support/scale.ts'
import { walkIssues } from '../walk-checks.ts'
import { isBrowserSkipped } from '../web-app.ts'

const VARIANTS: readonly Variant[] = [
  { theme: 'light', width: 1440 },
  { theme: 'dark', isNarrow: true },
  { theme: 'light', width: 1024 },
  { theme: 'dark', width: 1440 },
  { theme: 'light', isNarrow: true },
  { theme: 'dark', width: 1024 },
]
const STEP = 4

/** Every screen in each theme and width; without full runs every fourth screen in one of them. */
const visits = SCREENS.flatMap((screen, at): [Screen, Variant][] => {
  const variants = VARIANTS.filter(({ isNarrow }) => !(isNarrow && screen.isWideOnly))
  if (isFull) return variants.map((variant) => [screen, variant])
  const number = Math.floor(at / STEP)
  return (at + seed) % STEP ? [] : [[screen, variants[number % variants.length]!]]
})

const nameOf = ([{ name }, { theme, isNarrow, width }]: [Screen, Variant]) =>
  `${name}, ${theme}, ${isNarrow ? 'narrow' : `${width} px`}`

describe.skipIf(isBrowserSkipped)('every screen is complete, readable and reachable', () => {
  let instances: Instances
  let browser: Browser
  beforeAll(async () => {
    instances = await startInstances()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await instances?.stop()
  })

  for (const visit of visits)
    test(nameOf(visit), async () => {
      const [screen, variant] = visit
      const { page, context, problems } = await openScreen(browser, instances, screen, variant)
      expect(await walkIssues(page, variant.isNarrow ?? false)).toEqual([])
      expect(problems).toEqual([])
      await context.close()
    })
})
