import { useState } from 'react'
import { Link } from 'wouter'
import { useOperation } from '../../../data/cache.ts'
import { countTexts } from '../../../entities/import/counts.ts'
import { productTitle } from '../../../entities/import/products.ts'
import { type Import, UndoImport } from '../../../entities/import/undo-import.tsx'
import { agoText } from '../../../kit/dates.ts'
import { LoadError } from '../../../kit/load-error.tsx'
import { showToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import { ListLine, SettingsSection } from '../parts.tsx'

/** What was imported from other products. */
export function Imports({ team_id }: { team_id: number }) {
  const list = useOperation('imports.list', { team_id })
  const imports = list.data?.items
  return (
    <SettingsSection title={t('import.imports')} about={t('import.how_to_update_an_import')}>
      <LoadError of={list} what={t('import.the_imports')} />
      {imports?.length === 0 && <p className="none">{t('import.nothing_was_imported')}</p>}
      {imports && imports.length > 0 && (
        <ul className="list-lines">
          {imports.map((one) => (
            <ImportLine key={one.import_id} one={one} />
          ))}
        </ul>
      )}
      <Link href={`/import?team=${team_id}`} className="button plain">
        {t('import.import_tasks')}
      </Link>
    </SettingsSection>
  )
}

const STATES: Record<Import['state'], string> = {
  running: t('import.not_complete'),
  finished: '',
  undone: t('import.undone'),
}

function ImportLine({ one }: { one: Import }) {
  const [isAsking, setAsking] = useState(false)
  const { title, source, state, created_by, updated_at, projects } = one
  const { short, full } = agoText(updated_at)
  const counts = countTexts({
    ...{ task: one.tasks, comment: one.comments, attachment: one.attachments },
    time_entry: one.time_entries,
  })
  const boards = projects.map(({ project_id, title }) => (
    <Link key={project_id} href={`/projects/${project_id}`}>
      {title}
    </Link>
  ))
  return (
    <ListLine
      name={
        <>
          <span dir="auto">{title}</span> {STATES[state] && <small>{STATES[state]}</small>}
        </>
      }
      meta={[
        productTitle(source),
        ...counts,
        created_by.name,
        <time key="when" dateTime={updated_at} title={full}>
          {short}
        </time>,
        ...boards,
      ]}
    >
      {state !== 'undone' && (
        <button type="button" className="button plain" onClick={() => setAsking(true)}>
          {t('import.undo')}
          <span className="unseen"> {title}</span>
        </button>
      )}
      {isAsking && (
        <UndoImport
          undone={one}
          onClose={() => setAsking(false)}
          onUndone={(count) => showToast(t('import.undone_deleted_tasks', { count }))}
        />
      )}
    </ListLine>
  )
}
