import { useState } from 'react'
import { Link } from 'wouter'
import type { SendSummary, SentRecord } from '../../../import/send.ts'
import { UndoImport } from '../../entities/import/undo-import.tsx'
import { t } from '../../messages/t.ts'
import { Paged } from './paged.tsx'
import { Outcomes } from './sending.tsx'
import { chooseAgain, type ImportState, startImport } from './session.ts'

type Props = Extract<ImportState, { step: 'result' }>

/** The last step: what became of the records, and how to undo it. */
export function Result({ summary, reading }: Props) {
  const [deleted, setDeleted] = useState<number>()
  const { title } = reading.plan.origin
  const { stopped, outcomes } = summary
  const isNew = outcomes.created + outcomes.updated + outcomes.kept > 0
  const message = stopped
    ? t('import.stopped_title', { title })
    : isNew
      ? t('import.imported_title', { title })
      : t('import.nothing_new_in_title', { title })
  return (
    <section className="import-result" aria-label={t('import.result')}>
      <p role="status" className="headline">
        {deleted === undefined ? message : t('import.undone_deleted_tasks', { count: deleted })}
      </p>
      {deleted === undefined && (
        <>
          {stopped && <p className="soft">{t('import.continue_or_import_the_same_files_later')}</p>}
          <BoardLinks summary={summary} />
          <Outcomes counts={outcomes} />
          <Conflicts summary={summary} />
          <FailedFiles summary={summary} />
          {!stopped && <p className="soft">{t('import.import_a_newer_export_to_update')}</p>}
        </>
      )}
      <Buttons summary={summary} isUndone={deleted !== undefined} onUndone={setDeleted} />
    </section>
  )
}

const BoardLinks = ({ summary }: { summary: SendSummary }) => (
  <ul className="board-links" aria-label={t('common.boards')}>
    {summary.import?.projects.map(({ project_id, key, title }) => (
      <li key={project_id}>
        <Link href={`/projects/${project_id}`} className="button plain">
          <span className="minor">{key}</span>
          <span className="truncate">{title}</span>
        </Link>
      </li>
    ))}
  </ul>
)

const Conflicts = ({ summary: { kept, problems, unresolved } }: { summary: SendSummary }) => (
  <>
    <Records
      title={t('import.kept_records')}
      about={t('import.kept_was_changed_in_both')}
      records={kept}
    />
    <Records
      title={t('import.problems')}
      about={t('import.the_rest_of_these_was_imported')}
      records={problems}
    />
    {unresolved > 0 && <p className="warning">{t('import.unresolved', { count: unresolved })}</p>}
  </>
)

interface RecordsProps {
  title: string
  about: string
  records: readonly (SentRecord & { problem?: string })[]
}

function Records({ title, about, records }: RecordsProps) {
  if (!records.length) return null
  return (
    <section className="import-section" aria-label={title}>
      <h2>{title}</h2>
      <p className="soft">{about}</p>
      <Paged items={records}>
        {({ kind, id, title, ticket_number, problem }) => (
          <li key={`${kind} ${id} ${problem}`}>
            {ticket_number ? <Link href={`/t/${ticket_number}`}>{ticket_number}</Link> : kind}{' '}
            {title ?? id}
            {problem && `: ${problem}`}
          </li>
        )}
      </Paged>
    </section>
  )
}

/** The field with which a refusal begins. */
const FIELD = /^attachment\S*: /

function FailedFiles({ summary: { failedFiles } }: { summary: SendSummary }) {
  if (!failedFiles.length) return null
  return (
    <section className="import-section" aria-label={t('import.failed_files')}>
      <h2>{t('import.failed_files')}</h2>
      <p className="soft">{t('import.download_failed_files_yourself')}</p>
      <Paged items={failedFiles}>
        {({ filename, task, url, reason }) => (
          <li key={`${task} ${filename} ${url}`}>
            {url ? <a href={url}>{filename}</a> : filename}: {reason.replace(FIELD, '')}
          </li>
        )}
      </Paged>
    </section>
  )
}

interface ButtonsProps {
  summary: SendSummary
  isUndone: boolean
  onUndone(deletedTasks: number): void
}

function Buttons({ summary, isUndone, onUndone }: ButtonsProps) {
  const [isAsking, setAsking] = useState(false)
  const imported = summary.import
  const undone = imported && { ...imported, import_id: Number(imported.import_id) }
  return (
    <footer>
      {undone && !isUndone && (
        <button type="button" className="button danger" onClick={() => setAsking(true)}>
          {t('import.undo_import')}
        </button>
      )}
      {summary.stopped && !isUndone && (
        <button type="button" className="button main" onClick={() => void startImport()}>
          {t('import.continue_import')}
        </button>
      )}
      <button type="button" className="button plain" onClick={() => chooseAgain()}>
        {t('import.import_other_files')}
      </button>
      {isAsking && undone && (
        <UndoImport undone={undone} onClose={() => setAsking(false)} onUndone={onUndone} />
      )}
    </footer>
  )
}
