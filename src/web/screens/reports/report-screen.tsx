import { useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { useOperation, useOperationMutation } from '../../data/cache.ts'
import { Avatar } from '../../entities/user/avatar.tsx'
import type { Me } from '../../entities/user/me.ts'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { agoWords } from '../../kit/dates.ts'
import { ApiError, errorText } from '../../kit/errors.ts'
import { Icon } from '../../kit/icon.tsx'
import { ListSkeleton } from '../../kit/list-skeleton.tsx'
import { Menu } from '../../kit/menu.tsx'
import { RecoveryAction } from '../../kit/recovery-action.tsx'
import { showErrorToast, showToast } from '../../kit/toasts.tsx'
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
    return <ReportError title="You cannot write a report here" text={MEMBERS_ONLY_TEXT} />
  if (isNew) return <ReportEditor me={me} project_id={project_id} onClose={() => go(list)} />
  // An editor stays open while the server cannot be reached.
  if (data && canWrite && query.has('edit'))
    return (
      <ReportEditor me={me} project_id={project_id} report={data} onClose={() => edit(false)} />
    )
  if (error && (!data || isNotFound(error)))
    return <ReportError title="Could not load the report" text={errorText(error)} error={error} />
  if (isPending || !data) return <ListSkeleton />
  return <ReportView {...{ me, list }} report={data} onEdit={() => edit(true)} />
}

const MEMBERS_ONLY_TEXT = 'Only members of the team can write reports, on boards that they can see.'
const isNotFound = (error: Error) => error instanceof ApiError && [403, 404].includes(error.status)

const ReportError = ({ title, text, error }: { title: string; text: string; error?: Error }) => (
  <div className="reports lost empty" role="alert">
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
      <header className="frontispiece">
        <Link className="button quiet" href={list}>
          <Icon name="back" /> Reports for {boardTitle(me, project_id)}
        </Link>
        <ReportActions {...{ report, list, onEdit }} may={canWriteReports(me, project_id)} />
        <h1 dir="auto">{title}</h1>
        {description && (
          <p className="lead" dir="auto">
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
          src={`/reports/${report_id}/view?at=${encodeURIComponent(updated_at)}`}
        />
      ) : (
        <p className="soft bare">This report is empty.</p>
      )}
    </article>
  )
}

function Byline({ report: { created_by, updated_at } }: { report: Report }) {
  const { short, full } = agoWords(updated_at)
  return (
    <p className="flex-row soft">
      <Avatar actor={created_by} />
      <span>
        {created_by.name} · updated{' '}
        <time dateTime={updated_at} title={full}>
          {short}
        </time>
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
      () => showToast('Copied the link'),
      () => showErrorToast('The link could not be copied'),
    )
  return (
    <span className="deeds">
      <button type="button" className="button quiet" onClick={() => void copy()}>
        <Icon name="link" /> Copy link
      </button>
      {may && (
        <>
          <button type="button" className="button plain" onClick={onEdit}>
            <Icon name="pencil" /> Edit
          </button>
          <Menu
            label="Report actions"
            trigger={
              <button type="button" className="button quiet only">
                <Icon name="dots" label="More about the report" />
              </button>
            }
            groups={[
              [{ name: 'Delete…', icon: 'trash', danger: true, run: () => setConfirming(true) }],
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
  const { finish } = useOperationMutation('reports.delete', {
    onDone() {
      showToast(`Deleted ${title}`)
      go(list, { replace: true })
    },
  })
  return (
    <ConfirmDialog
      title="Delete this report?"
      verb="Delete"
      onConfirm={() => finish({ report_id })}
      onClose={onClose}
    >
      <p>
        <strong dir="auto">{title}</strong> is deleted for everybody, and links to it stop working.
        This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
