import type { Page } from 'playwright-core'
import type { Screen } from './screen.ts'

/** Further down the sheet, where the figure is. */
const to = (figure: string) => (page: Page) =>
  page
    .getByRole('heading', { name: figure, exact: true })
    .evaluate((one) => one.scrollIntoView({ block: 'start' }))

export const REPORTS: readonly Screen[] = [
  { name: 'reports-time', path: '/reports?of=time&range=30' },
  { name: 'reports-days', path: '/reports?of=time&range=30&by=day', isWide: true },
  { name: 'reports-time-empty', world: 'fresh', path: '/reports' },
  { name: 'reports-flow', path: '/reports?of=flow&board=1' },
  { name: 'reports-cycle', path: '/reports?of=flow&board=1', act: to('Cycle time') },
  { name: 'reports-cumulative', path: '/reports?of=flow&board=1', act: to('Cumulative flow') },
  {
    name: 'reports-table',
    path: '/reports?of=flow&board=1&table=cumulative',
    act: to('Cumulative flow'),
    isWide: true,
  },
  { name: 'reports-saved', path: '/reports?of=saved&board=1' },
  { name: 'reports-saved-empty', world: 'fresh', path: '/reports?of=saved' },
  { name: 'report', path: '/reports/2' },
  { name: 'report-edit', path: '/reports/2?edit=' },
]
