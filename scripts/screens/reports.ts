import type { Page } from 'playwright-core'
import type { Screen } from './screen.ts'

/** Scrolls to a figure. */
const scrollTo = (figure: string) => (page: Page) =>
  page
    .getByRole('heading', { name: figure, exact: true })
    .evaluate((one) => one.scrollIntoView({ block: 'start' }))

export const REPORTS: readonly Screen[] = [
  { name: 'reports-time', path: '/reports?of=time&range=30' },
  { name: 'reports-days', path: '/reports?of=time&range=30&by=day', isWideOnly: true },
  { name: 'reports-time-empty', instance: 'empty', path: '/reports' },
  { name: 'reports-flow', path: '/reports?of=flow&board=1' },
  { name: 'reports-cycle', path: '/reports?of=flow&board=1', act: scrollTo('Cycle time') },
  {
    name: 'reports-cumulative',
    path: '/reports?of=flow&board=1',
    act: scrollTo('Cumulative flow'),
  },
  {
    name: 'reports-table',
    path: '/reports?of=flow&board=1&table=cumulative',
    act: scrollTo('Cumulative flow'),
    isWideOnly: true,
  },
  { name: 'reports-saved', path: '/reports?of=saved&board=1' },
  { name: 'reports-saved-empty', instance: 'empty', path: '/reports?of=saved' },
  { name: 'report', path: '/reports/2' },
  { name: 'report-edit', path: '/reports/2?edit=' },
]
