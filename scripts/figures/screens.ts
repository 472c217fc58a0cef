import type { Browser } from 'playwright-core'
import { accessibilityIssues } from '../../test/browser/page-checks.ts'
import { SCREENS } from '../screens/catalog.ts'
import type { Instances } from '../screens/instances.ts'
import { openScreen, type Variant } from '../screens/open-screen.ts'
import type { Row } from './row.ts'

const VARIANTS: readonly Variant[] = [
  { theme: 'light' },
  { theme: 'dark' },
  { theme: 'light', isNarrow: true },
]

export interface ScreenResults {
  rows: Row[]
  /** Each problem with its screen. */
  problems: string[]
}

/** Checks every screen for accessibility violations, console errors and foreign requests. */
export async function checkScreens(browser: Browser, instances: Instances): Promise<ScreenResults> {
  const found = {
    accessibility: [] as string[],
    problems: [] as string[],
    foreignRequests: [] as string[],
  }
  let checkedCount = 0
  for (const screen of SCREENS)
    for (const variant of VARIANTS) {
      if (variant.isNarrow && screen.isWideOnly) continue
      const where = `${screen.name}, ${variant.theme}${variant.isNarrow ? ', narrow' : ''}`
      const withPlace = (problem: string) => `${where}: ${problem}`
      try {
        const { page, context, problems } = await openScreen(browser, instances, screen, variant)
        checkedCount++
        found.accessibility.push(...(await accessibilityIssues(page)).map(withPlace))
        found.problems.push(...problems.filter((one) => !isForeignRequest(one)).map(withPlace))
        found.foreignRequests.push(...problems.filter(isForeignRequest).map(withPlace))
        await context.close()
      } catch (error) {
        found.problems.push(withPlace(error instanceof Error ? error.message : String(error)))
      }
    }
  const row = (figure: string, problems: readonly string[]): Row => ({
    ...{ figure: `${checkedCount} screens: ${figure}`, value: problems.length, unit: '', max: 0 },
  })
  return {
    rows: [
      row('violations that axe finds', found.accessibility),
      row('errors and warnings in the console', found.problems),
      row('requests to other hosts', found.foreignRequests),
    ],
    problems: [...found.accessibility, ...found.problems, ...found.foreignRequests],
  }
}

const isForeignRequest = (problem: string) => problem.startsWith('requested ')
