import { Suspense } from 'react'
import { useRoute } from 'wouter'
import type { Me } from '../../entities/user/me.ts'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { NavTabs } from '../../kit/nav-tabs.tsx'
import { t } from '../../messages/t.ts'
import { Flow } from './flow.tsx'
import { KINDS, type Kind, type ReportState, useReportState } from './report-state.ts'
import './charts.css'
import './report.css'
import './reports.css'
import { SavedReports } from './saved.tsx'
import { Time } from './time.tsx'

const ReportScreen = lazyComponent(() => import('./report-screen.tsx'))

/** The reports screen: time, flow and saved reports. */
export default function Reports({ me }: { me: Me }) {
  const state = useReportState()
  const [, params] = useRoute('/reports/:id')
  if (params?.id)
    return (
      <Suspense>
        <ReportScreen key={params.id} me={me} id={params.id} />
      </Suspense>
    )
  const { kind } = state
  return (
    <section className="reports fill">
      <header className="head">
        <h1>{t('reports.reports_name')}</h1>
        <NavTabs
          label={t('reports.kinds_of_reports')}
          tabs={Object.entries(KINDS).map(([of, name]) => ({
            ...{ href: pathOf(of as Kind, state), name, isCurrent: of === kind },
          }))}
        />
      </header>
      <div className="report-body">
        {kind === 'time' && <Time me={me} state={state} />}
        {kind === 'flow' && <Flow me={me} state={state} />}
        {kind === 'saved' && <SavedReports me={me} state={state} />}
      </div>
    </section>
  )
}

/** Switching the kind of report keeps the board. */
function pathOf(of: Kind, { query }: ReportState) {
  const board = query.get('board')
  return `/reports?of=${of}${board ? `&board=${board}` : ''}`
}
