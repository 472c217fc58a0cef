import { useState } from 'react'
import { useLocation } from 'wouter'
import { leaveField } from '../../entities/editor/leave-field.ts'
import { Unsaved } from '../../entities/editor/unsaved.tsx'
import type { Source } from '../../entities/editor/versioned-edit.ts'
import { fetchSource, type Page, unarchivePage, useTaskPages } from '../../entities/page/data.ts'
import { ancestorsOf } from '../../entities/page/nesting.ts'
import { backPath } from '../../entities/page/origin.ts'
import { Presence } from '../../entities/presence/presence.tsx'
import type { Task } from '../../entities/task/data.ts'
import { useMe } from '../../entities/user/me.ts'
import { Icon, type IconName } from '../../kit/icon.tsx'
import { hintOf, useShortcuts } from '../../kit/shortcuts.ts'
import { showError } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { PageBody } from './body.tsx'
import { PageHeader, usePageTask } from './head.tsx'
import { CanvasPageEditor, PlainPageEditor } from './page-editor.tsx'
import { PageInfo } from './page-info.tsx'
import { PageMenu } from './page-menu.tsx'
import { PageSidebar } from './page-sidebar.tsx'
import { IN_PAGE } from './shortcuts.ts'
import { TextEditor } from './text-editor.tsx'
import { Title } from './title.tsx'
import { UpdateNotice, useUpdateNotice } from './update-notice.tsx'
import { useSharedPage } from './use-shared-page.ts'

/** A page, with an editor on request. */
export function PageView({ page }: { page: Page }) {
  const { page_id, task_id, ticket_number, project_id } = page
  const { data: pages = [] } = useTaskPages(task_id)
  const { task } = usePageTask(task_id)
  const isReadOnly = page.archived_at !== null || task?.status === 'Deleted'
  const writing = usePageWriting(page, isReadOnly)
  const { isWriting, edit, draft } = writing
  const [update, dismiss] = useUpdateNotice(page, useMe())
  const openVersions = useOpenVersions(page_id)
  usePageKeys({
    page,
    isWriting,
    edit: isReadOnly ? undefined : edit,
    openVersions,
  })
  return (
    <article className="task sheet fill" tabIndex={-1} aria-label={page.title}>
      <PageHeader
        task={{ project_id, ticket_number, title: task?.title }}
        path={ancestorsOf(pages, page.parent_page_id)}
      >
        <Presence {...{ project_id, task_id, page_id }} />
        {!isWriting && !isReadOnly && <EditButton onEdit={edit} />}
        <VersionsButton onOpen={() => openVersions()} />
        <PageMenu page={page} pages={pages} isReadOnly={isReadOnly} />
      </PageHeader>
      <div className="sheet-body">
        <div className="columns">
          <div className="text">
            {page.archived_at && <ArchivedNotice page={page} task={task} />}
            <Title key={page_id} page={page} isReadOnly={isReadOnly} />
            <PageInfo page={page} />
            <UpdateNotice
              update={writing.session ? undefined : update}
              isWriting={isWriting}
              onClose={dismiss}
              onShow={openVersions}
            />
            {writing.isDraftOffered && draft.stored && (
              <Unsaved at={draft.stored.at} onEdit={edit} onDrop={draft.discard} />
            )}
            <PageText {...{ page, isReadOnly, writing }} />
          </div>
          <PageSidebar {...{ page, pages, isReadOnly }} isReading={!isWriting} />
        </div>
      </div>
    </article>
  )
}

/** The text of the page while it is edited. A canvas has one author at a time. */
function usePageWriting(page: Page, isReadOnly: boolean) {
  const [base, setBase] = useState<Source>()
  const editSource = () => void fetchSource(page).then(setBase, showError)
  const shared = useSharedPage(page, editSource)
  const { draft } = shared
  const session = isReadOnly ? undefined : shared.session
  const isWriting = base !== undefined || session !== undefined
  const edit = () => (page.canvas ? editSource() : shared.open())
  const close = () => {
    leaveField('.writing')
    shared.close()
    setBase(undefined)
    draft.reload()
  }
  // What this tab could not send is sent without a question.
  const isDraftOffered = !isWriting && !isReadOnly && (page.canvas || draft.stored?.isOther)
  return { base, session, draft, isWriting, isDraftOffered, edit, close }
}

interface PageTextProps {
  page: Page
  isReadOnly: boolean
  writing: ReturnType<typeof usePageWriting>
}

/** The text of a page, or its editor. */
function PageText({ page, isReadOnly, writing: { base, session, close } }: PageTextProps) {
  if (base && page.canvas) return <CanvasPageEditor page={page} base={base} onClose={close} />
  if (base) return <PlainPageEditor page={page} base={base} onClose={close} />
  if (session)
    return <TextEditor key={page.page_id} page={page} session={session} onClose={close} />
  return <PageBody page={page} isReadOnly={isReadOnly} />
}

interface ActionButtonProps {
  name: string
  icon: IconName
  keys: keyof typeof IN_PAGE
  run(): void
}

/** A button with its shortcut. */
const ActionButton = ({ name, icon, keys, run }: ActionButtonProps) => (
  <button type="button" className="button quiet" onClick={run}>
    <Icon name={icon} /> <span className="word">{name}</span> <kbd>{hintOf(IN_PAGE[keys])}</kbd>
  </button>
)

/** Opens the versions, or one of them. */
function useOpenVersions(page_id: number) {
  const [, go] = useLocation()
  return (version: number | '' = '') =>
    go(`/p/${page_id}?version=${version}`, { state: history.state })
}

interface KeysProps {
  page: Page
  isWriting: boolean
  edit: (() => void) | undefined
  openVersions(): void
}

function usePageKeys({ page, isWriting, edit, openVersions }: KeysProps) {
  const [, go] = useLocation()
  useShortcuts(IN_PAGE, {
    edit: () => (edit && !isWriting ? edit() : false),
    versions: () => (isWriting ? false : openVersions()),
    // The field handles saving itself; elsewhere this only prevents the browser's save dialog.
    save: () => {},
    leave() {
      if (isWriting) return false
      return go(backPath(page.ticket_number))
    },
  })
}

const ArchivedNotice = ({ page, task }: { page: Page; task: Task | undefined }) => (
  <p className="notice">
    <span>{t('pages.this_page_is_archived')}</span>
    {task?.status !== 'Deleted' && (
      <button
        type="button"
        className="button quiet"
        onClick={() => {
          leaveField('.notice')
          void unarchivePage(page)
        }}
      >
        {t('common.restore')}
      </button>
    )}
  </p>
)

const EditButton = ({ onEdit }: { onEdit(): void }) => (
  <ActionButton name={t('common.edit')} icon="pencil" keys="edit" run={onEdit} />
)

const VersionsButton = ({ onOpen }: { onOpen(): void }) => (
  <ActionButton name={t('common.versions')} icon="history" keys="versions" run={onOpen} />
)
