import { cache, useOperation } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { sendWrite } from '../../data/write-queue.ts'
import type { Task } from '../../entities/task/data.ts'
import { agoText } from '../../kit/dates.ts'
import { deleteLater, usePendingDeletes } from '../../kit/delayed-delete.ts'
import { Icon, type IconName } from '../../kit/icon.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { t } from '../../messages/t.ts'
import { DetailSection } from './detail-section.tsx'

type Row = Output<'evidence.list'>['items'][number]

const KINDS: Record<Row['kind'], [IconName, string]> = {
  link: ['link', t('task.link')],
  file: ['clip', t('task.file')],
  test_result: ['done', t('task.test_result')],
  note: ['comment', t('common.note')],
}

/** Evidence that the work was done: links, files, test results and notes. */
export function Evidence({ task: { task_id } }: { task: Task }) {
  const list = useOperation('evidence.list', { task_id, limit: 50 })
  const deleted = usePendingDeletes()
  const rows = (list.data?.items ?? []).filter((one) => !deleted.has(`evidence ${one.evidence_id}`))
  if (!rows.length) return <LoadError of={list} what={t('task.evidence')} />
  return (
    <DetailSection title={t('task.evidence_name')} count={String(rows.length)}>
      <ul className="others">
        {rows.map((row) => (
          <Line key={row.evidence_id} row={row} onRemove={() => deleteEvidence(task_id, row)} />
        ))}
      </ul>
    </DetailSection>
  )
}

function Line({ row, onRemove }: { row: Row; onRemove(): void }) {
  const { kind, summary, url, attachment, created_by, created_at } = row
  const [icon, name] = KINDS[kind]
  const { short, full } = agoText(created_at)
  const address = url ?? attachment?.url
  return (
    <li className="other evidence">
      <Icon name={icon} label={name} />
      <span className="row-title">
        {address ? (
          <a href={address} target="_blank" rel="noopener noreferrer">
            {summary}
          </a>
        ) : (
          summary
        )}
        {attachment && <span className="soft"> {attachment.filename}</span>}
      </span>
      <span className="soft by">
        {created_by.name},{' '}
        <time dateTime={created_at} title={full}>
          {short}
        </time>
      </span>
      <button type="button" className="button quiet only" onClick={onRemove}>
        <Icon name="trash" label={t('task.delete_the_evidence_summary', { summary })} />
      </button>
    </li>
  )
}

function deleteEvidence(task_id: number, { evidence_id }: Row) {
  const run = async () => {
    await sendWrite('evidence.delete', { task_id, evidence_id })
    void cache.invalidateQueries({ queryKey: ['evidence.list', { task_id }] })
  }
  deleteLater({ what: `evidence ${evidence_id}`, message: t('task.deleted_the_evidence'), run })
}
