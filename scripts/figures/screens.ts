import type { Browser } from 'playwright-core'
import { faults } from '../../test/browser/faults.ts'
import { SCREENS } from '../screens/catalog.ts'
import type { Instances } from '../screens/instances.ts'
import { openScreen, type Variant } from '../screens/open-screen.ts'
import type { Row } from './row.ts'

const VARIANTS: readonly Variant[] = [
  { theme: 'light' },
  { theme: 'dark' },
  { theme: 'light', isNarrow: true },
]

export interface ScreenFaults {
  rows: Row[]
  /** Each problem with its screen. */
  complaints: string[]
}

/** Checks every screen for accessibility violations, console errors and foreign requests. */
export async function checkScreens(browser: Browser, worlds: Instances): Promise<ScreenFaults> {
  const found = { faults: [] as string[], complaints: [] as string[], others: [] as string[] }
  let checkedCount = 0
  for (const place of SCREENS)
    for (const variant of VARIANTS) {
      if (variant.isNarrow && place.isWide) continue
      const where = `${place.name}, ${variant.theme}${variant.isNarrow ? ', narrow' : ''}`
      const located = (words: string) => `${where}: ${words}`
      try {
        const { page, context, complaints } = await openScreen(browser, worlds, place, variant)
        checkedCount++
        found.faults.push(...(await faults(page)).map(located))
        found.complaints.push(...complaints.filter((one) => !isForeignRequest(one)).map(located))
        found.others.push(...complaints.filter(isForeignRequest).map(located))
        await context.close()
      } catch (error) {
        found.complaints.push(located(error instanceof Error ? error.message : String(error)))
      }
    }
  const row = (figure: string, problems: readonly string[]): Row => ({
    ...{ figure: `${checkedCount} screens: ${figure}`, value: problems.length, unit: '', most: 0 },
  })
  return {
    rows: [
      row('violations that axe finds', found.faults),
      row('errors and warnings in the console', found.complaints),
      row('requests to other hosts', found.others),
    ],
    complaints: [...found.faults, ...found.complaints, ...found.others],
  }
}

const isForeignRequest = (complaint: string) => complaint.startsWith('asked ')
