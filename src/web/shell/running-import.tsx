import { Link, useLocation } from 'wouter'
import { runningImport } from '../entities/import/running.ts'
import { t } from '../messages/t.ts'

/** Shows on other screens how far the import of this tab is. */
export function RunningImport() {
  const running = runningImport.use()
  const [path] = useLocation()
  if (!running || path === '/import') return null
  const { state, title, percent } = running
  return (
    <div className="offline newer">
      <span className="words tabular">{t('shell.import_state', { state, title, percent })}</span>
      <Link href="/import" className="button quiet underlined">
        {t('shell.show_import')}
      </Link>
    </div>
  )
}
