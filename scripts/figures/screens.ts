import type { Browser } from 'playwright-core'
import { faults } from '../../test/browser/faults.ts'
import { PLACES } from '../screens/places.ts'
import { sitAt, type Way } from '../screens/seat.ts'
import type { Worlds } from '../screens/world.ts'
import type { Row } from './row.ts'

const WAYS: readonly Way[] = [
  { theme: 'light' },
  { theme: 'dark' },
  { theme: 'light', isNarrow: true },
]

export interface Found {
  rows: Row[]
  /** Where, and what. */
  words: string[]
}

/** Every screen and what stands above it: what is wrong with it, seen or unseen. */
export async function searched(browser: Browser, worlds: Worlds): Promise<Found> {
  const found = { faults: [] as string[], complaints: [] as string[], others: [] as string[] }
  let seen = 0
  for (const place of PLACES)
    for (const way of WAYS) {
      if (way.isNarrow && place.isWide) continue
      const where = `${place.name}, ${way.theme}${way.isNarrow ? ', narrow' : ''}`
      const told = (words: string) => `${where}: ${words}`
      try {
        const { page, context, complaints } = await sitAt(browser, worlds, place, way)
        seen++
        found.faults.push(...(await faults(page)).map(told))
        found.complaints.push(...complaints.filter((one) => !isAsked(one)).map(told))
        found.others.push(...complaints.filter(isAsked).map(told))
        await context.close()
      } catch (error) {
        found.complaints.push(told(error instanceof Error ? error.message : String(error)))
      }
    }
  const row = (figure: string, some: readonly string[]): Row => ({
    ...{ figure: `${seen} screens: ${figure}`, value: some.length, unit: '', most: 0 },
  })
  return {
    rows: [
      row('violations that axe finds', found.faults),
      row('errors and warnings in the console', found.complaints),
      row('requests to other hosts', found.others),
    ],
    words: [...found.faults, ...found.complaints, ...found.others],
  }
}

const isAsked = (complaint: string) => complaint.startsWith('asked ')
