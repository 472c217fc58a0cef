import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { sendWrite } from '../../data/write-queue.ts'
import { useDraftText } from '../../entities/editor/draft-text.ts'
import { Editor } from '../../entities/editor/editor.tsx'
import { archivePage, reloadPage, useTaskPages } from '../../entities/page/data.ts'
import { ancestorsOf } from '../../entities/page/nesting.ts'
import { NEW_PAGE_TYPES, type NewPageType } from '../../entities/page/new-path.ts'
import { backPath } from '../../entities/page/origin.ts'
import { DELETED, type Task } from '../../entities/task/data.ts'
import { useMembers } from '../../entities/user/members.ts'
import { isComposing } from '../../kit/composing.ts'
import { useShortcuts } from '../../kit/shortcuts.ts'
import { showError, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { CanvasEditor } from './canvas-editor.tsx'
import { PageHeader } from './head.tsx'
import { IN_PAGE } from './shortcuts.ts'

const TEXTS: Record<NewPageType, [what: string, title: string, hint: string]> = {
  page: [
    t('pages.new_page'),
    t('pages.title_optional_defaults_to_the_first'),
    t('pages.markdown_paste_or_drop_images'),
  ],
  exploration: [
    t('pages.new_exploration'),
    t('pages.what_do_you_want_to_find_out'),
    t('pages.the_question_the_options_and_what_you'),
  ],
  description: [t('pages.new_description'), '', t('pages.what_needs_to_be_done_and_when')],
  canvas: [t('pages.new_canvas'), t('common.title'), t('pages.an_html_document')],
}
const MAX_TITLE = 500

/** The initial document of a canvas, which supports the light and the dark theme. */
const BLANK_CANVAS = t('pages.doctype_html_style_root_color_scheme_light')

/** The editor of a new page, which is created on the first save. */
export function NewPageEditor({ task }: { task: Task }) {
  const [query] = useSearchParams()
  const pageType = NEW_PAGE_TYPES.find((one) => one === query.get('kind')) ?? 'page'
  const parentId = Number(query.get('under')) || undefined
  const { task_id, project_id, status } = task
  const { data: pages = [] } = useTaskPages(task_id)
  const { title, text, leave, cancel, save, busy } = useNewPage(task, pageType, parentId)
  const members = useMembers(project_id)
  useShortcuts(IN_PAGE, { edit: ignore, versions: ignore, save, leave })
  const [what, placeholder, hint] = TEXTS[pageType]
  const isDeleted = status === 'Deleted'
  const editorProps = {
    ...{ text: text.text, resetKey: text.resetKey, submitLabel: t('common.save') },
    disabled: busy || isDeleted || !text.text.trim(),
    reason: isDeleted && DELETED,
    onChange: (nextText: string) => text.type(nextText),
    ...{ onSend: save, onEscape: leave, onCancel: cancel },
  }
  const titleProps = { value: title.text, placeholder, onType: title.type, save, leave }
  return (
    <article className="task sheet fill" tabIndex={-1} aria-label={what}>
      <PageHeader task={task} path={parentId ? ancestorsOf(pages, parentId) : []} />
      <div className="sheet-body">
        <div className="columns">
          <div className="text">
            <h1 className="unseen">{what}</h1>
            {pageType === 'description' ? (
              <p className="sheet-title">#{task.title}</p>
            ) : (
              <TitleField {...titleProps} />
            )}
            <section className="writing" aria-label={t('common.text')}>
              {pageType === 'canvas' ? (
                <CanvasEditor {...editorProps} title={title.text || what} />
              ) : (
                <Editor
                  {...editorProps}
                  {...{ task_id, hint, people: members, label: t('common.text') }}
                  {...{ autoFocus: true, isPrimary: true, hasSaveKey: true }}
                />
              )}
            </section>
          </div>
        </div>
      </div>
    </article>
  )
}

interface TitleProps {
  value: string
  placeholder: string
  onType(text: string): void
  save(): void
  leave(): void
}

const TitleField = ({ value, placeholder, onType, save, leave }: TitleProps) => (
  <input
    className="sheet-title"
    dir="auto"
    aria-label={t('common.title')}
    maxLength={MAX_TITLE}
    {...{ value, placeholder }}
    onChange={({ target }) => onType(target.value)}
    onKeyDown={(event) => {
      const { key, ctrlKey, metaKey, currentTarget } = event
      if (isComposing(event)) return
      if (key === 'Escape') return leave()
      if (ctrlKey || metaKey ? /^(s|Enter)$/.test(key) : key === 'Enter') event.preventDefault()
      if ((ctrlKey || metaKey) && /^(s|Enter)$/.test(key)) save()
      else if (key === 'Enter') textFieldAfter(currentTarget)?.focus()
    }}
  />
)

/** The field of the text: the editor's host, or the textarea until the editor has loaded. */
const textFieldAfter = (title: Element) =>
  title.parentElement?.querySelector<HTMLElement>('.writing :is(.code:not([hidden]), textarea)')

const ignore = () => false as const

/** The title and the text of a new page, stored as drafts. */
function useNewPage(
  { task_id, ticket_number }: Task,
  pageType: NewPageType,
  parentId: number | undefined,
) {
  const key = `page:new:${task_id}:${pageType}:${parentId ?? ''}`
  const title = useDraftText(
    `${key}:title`,
    new URLSearchParams(location.search).get('title') ?? '',
  )
  const text = useDraftText(key, pageType === 'canvas' ? BLANK_CANVAS : '')
  const [busy, setBusy] = useState(false)
  const [, go] = useLocation()
  const leave = () =>
    go(parentId ? `/p/${parentId}` : backPath(ticket_number), { state: history.state })
  const discardDraft = () => {
    title.draft.discard()
    text.draft.discard()
  }
  const cancel = () => {
    discardDraft()
    leave()
  }
  const input = () => ({
    ...{ task_id, content: text.text, ...(parentId && { parent_page_id: parentId }) },
    ...(pageType === 'canvas' ? { canvas: true } : { kind: pageType }),
    ...(title.text.trim() && { title: title.text.trim() }),
  })
  const save = async () => {
    if (busy || !text.text.trim()) return
    setBusy(true)
    try {
      const created = await sendWrite('pages.create', input())
      discardDraft()
      await reloadPage(created)
      go(`/p/${created.page_id}`, { replace: true, state: history.state })
      showToast(t('pages.created_title', { title: created.title }), () => {
        void archivePage(created).then((isDone) => isDone && leave())
      })
    } catch (error) {
      showError(error)
      setBusy(false)
    }
  }
  return { title, text, leave, cancel, busy, save: () => void save() }
}
