import { useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { useOperation, useOperationMutation } from '../../data/cache.ts'
import { Avatar } from '../../entities/user/avatar.tsx'
import type { Me } from '../../entities/user/me.ts'
import { basePath } from '../../kit/base-path.ts'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { agoText } from '../../kit/dates.ts'
import { ApiError, errorText } from '../../kit/errors.ts'
import { Icon } from '../../kit/icon.tsx'
import { ListSkeleton } from '../../kit/list-skeleton.tsx'
import { Menu } from '../../kit/menu.tsx'
import { RecoveryAction } from '../../kit/recovery-action.tsx'
import { showErrorToast, showToast } from '../../kit/toasts.tsx'
import { rich, t } from '../../messages/t.ts'
import { boardTitle, canWriteReports, defaultBoard } from './report-boards.ts'
import { ReportEditor } from './report-editor.tsx'
import type { Report } from './types.ts'

/** A saved report, or its editor. */
export default function ReportScreen({ me, id }: { me: Me; id: string }) {
  const [query, setQuery] = useSearchParams()
  const isNew = id === 'new'
  const report_id = Number(id) || 0
  const { data, error, isPending } = useOperation('reports.get', { report_id }, { enabled: !isNew })
  const [, go] = useLocation()
  const project_id = data?.project_id ?? (Number(query.get('board')) || defaultBoard(me) || 0)
  const edit = (isEditing: boolean) =>
    setQuery((params) => {
      if (isEditing) params.set('edit', '')
      else params.delete('edit')
      return params
    })
  const list = `/reports?of=saved&board=${project_id}`
  const canWrite = canWriteReports(me, project_id)
  if (isNew && !canWrite)
    return (
      <ReportError title={t('reports.you_cannot_write_a_report_here')} text={MEMBERS_ONLY_TEXT} />
    )
  if (isNew) return <ReportEditor me={me} project_id={project_id} onClose={() => go(list)} />
  // An editor stays open while the server cannot be reached.
  if (data && canWrite && query.has('edit'))
    return (
      <ReportEditor me={me} project_id={project_id} report={data} onClose={() => edit(false)} />
    )
  if (error && (!data || isNotFound(error)))
    return (
      <ReportError
        title={t('reports.could_not_load_the_report')}
        text={errorText(error)}
        error={error}
      />
    )
  if (isPending || !data) return <ListSkeleton />
  return <ReportView {...{ me, list }} report={data} onEdit={() => edit(true)} />
}

const MEMBERS_ONLY_TEXT = t('reports.only_members_of_the_team_can_write')
const isNotFound = (error: Error) => error instanceof ApiError && [403, 404].includes(error.status)

const ReportError = ({ title, text, error }: { title: string; text: string; error?: Error }) => (
  <div className="reports not-found empty" role="alert">
    <h1>{title}</h1>
    <p className="soft">{text}</p>
    <RecoveryAction isUnknown={!error || isNotFound(error)} error={error} />
  </div>
)

interface ReportViewProps {
  me: Me
  report: Report
  /** The URL of the list of reports. */
  list: string
  onEdit(): void
}

function ReportView({ me, report, list, onEdit }: ReportViewProps) {
  const { report_id, project_id, title, description, body_html, updated_at } = report
  return (
    <article className="reports report fill">
      <header className="report-cover">
        <Link className="button quiet" href={list}>
          <Icon name="back" />{' '}
          {t('reports.reports_for_boardtitle', { boardTitle: boardTitle(me, project_id) })}
        </Link>
        <ReportActions {...{ report, list, onEdit }} may={canWriteReports(me, project_id)} />
        <h1 dir="auto">{title}</h1>
        {description && (
          <p className="intro" dir="auto">
            {description}
          </p>
        )}
        <Byline report={report} />
      </header>
      {body_html ? (
        <iframe
          className="page"
          title={title}
          sandbox=""
          // The timestamp changes the URL, so that a new version is fetched.
          src={`${basePath}/reports/${report_id}/view?at=${encodeURIComponent(updated_at)}`}
        />
      ) : (
        <p className="soft bare">{t('reports.this_report_is_empty')}</p>
      )}
    </article>
  )
}

function Byline({ report: { created_by, updated_at } }: { report: Report }) {
  const { short, full } = agoText(updated_at)
  return (
    <p className="flex-row soft">
      <Avatar actor={created_by} />
      <span>
        {rich('reports.name_updated_short', {
          name: created_by.name,
          short: (
            <time dateTime={updated_at} title={full}>
              {short}
            </time>
          ),
        })}
      </span>
    </p>
  )
}

interface ReportActionsProps extends Omit<ReportViewProps, 'me'> {
  may: boolean
}

function ReportActions({ report, list, may, onEdit }: ReportActionsProps) {
  const [isConfirming, setConfirming] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(location.origin + location.pathname).then(
      () => showToast(t('reports.copied_the_link')),
      () => showErrorToast(t('reports.the_link_could_not_be_copied')),
    )
  return (
    <span className="actions">
      <button type="button" className="button quiet" onClick={() => void copy()}>
        <Icon name="link" /> {t('common.copy_link')}
      </button>
      {may && (
        <>
          <button type="button" className="button plain" onClick={onEdit}>
            <Icon name="pencil" /> {t('common.edit')}
          </button>
          <Menu
            label={t('reports.report_actions')}
            trigger={
              <button type="button" className="button quiet only">
                <Icon name="dots" label={t('reports.more_about_the_report')} />
              </button>
            }
            groups={[
              [
                {
                  name: t('common.delete'),
                  icon: 'trash',
                  danger: true,
                  run: () => setConfirming(true),
                },
              ],
            ]}
          />
        </>
      )}
      {isConfirming && <DeleteDialog {...{ report, list }} onClose={() => setConfirming(false)} />}
    </span>
  )
}

interface DeleteDialogProps {
  report: Report
  list: string
  onClose(): void
}

/** Asks for confirmation, because deleting a report cannot be undone. */
function DeleteDialog({ report: { report_id, title }, list, onClose }: DeleteDialogProps) {
  const [, go] = useLocation()
  const { mutateAsync } = useOperationMutation('reports.delete', {
    onDone() {
      showToast(t('common.deleted_title', { title }))
      go(list, { replace: true })
    },
  })
  return (
    <ConfirmDialog
      title={t('reports.delete_this_report')}
      submitLabel={t('common.delete_name')}
      onConfirm={() => mutateAsync({ report_id })}
      onClose={onClose}
    >
      <p>
        {rich('reports.title_is_deleted_for_everybody_and_links', {
          title: <strong dir="auto">{title}</strong>,
        })}
      </p>
    </ConfirmDialog>
  )
}
