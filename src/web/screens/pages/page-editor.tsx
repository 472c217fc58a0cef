import { Conflict } from '../../entities/editor/conflict.tsx'
import { useDraftText } from '../../entities/editor/draft-text.ts'
import { PlainEdit } from '../../entities/editor/plain-edit.tsx'
import { type Source, useVersionedEdit } from '../../entities/editor/versioned-edit.ts'
import { fetchSource, type Page, savePage } from '../../entities/page/data.ts'
import { isComposing } from '../../kit/composing.ts'
import { t } from '../../messages/t.ts'
import { CanvasEditor } from './canvas-editor.tsx'

interface Props {
  page: Page
  base: Source
  onClose(): void
}

/** The editor of a canvas. After a conflict it shows both texts. */
export function CanvasPageEditor({ page, base, onClose }: Props) {
  const { note, setNote, cancel, ...edit } = usePageEdit({ page, base, onClose })
  const { text, version, busy, conflict } = edit
  const isEmpty = !text.trim()
  if (conflict)
    return (
      <Conflict
        ownText={text}
        otherText={conflict.text}
        onKeepOwn={() => edit.save(text, conflict.version)}
        onUseOther={cancel}
        onMerge={(merged) => edit.rebase(merged, conflict.version)}
      />
    )
  const editorProps = {
    ...{ text, submitLabel: t('common.save'), disabled: busy || isEmpty },
    reason: isEmpty && t('pages.a_page_cannot_be_empty_archive_it'),
    onChange: edit.type,
    onSend: () => edit.save(text, version),
    onEscape: edit.leave,
    onCancel: cancel,
  }
  return (
    <section className="writing" aria-label={t('common.text')}>
      <CanvasEditor {...editorProps} title={page.title}>
        <NoteField note={note} onNote={setNote} onSend={editorProps.onSend} onEscape={edit.leave} />
      </CanvasEditor>
    </section>
  )
}

/** The editor of a text while the code of the shared one cannot be loaded. */
export function PlainPageEditor({ page, base, onClose }: Props) {
  const { page_id, task_id, project_id, version: latestVersion } = page
  const versioned = {
    ...{ key: `page:${page_id}`, latestVersion, read: () => fetchSource(page) },
    save: (text: string, baseVersion: number) => savePage(page, text, baseVersion, ''),
  }
  return (
    <PlainEdit
      of={versioned}
      className="writing"
      label={t('common.text')}
      hint=""
      {...{ base, task_id, project_id, onClose }}
    />
  )
}

/** The state of editing a page, with the note that is saved with the version. */
function usePageEdit({ page, base, onClose }: Props) {
  const { page_id, version: latestVersion } = page
  const { text: note, type: setNote, draft } = useDraftText(`page:${page_id}:note`)
  const versioned = {
    ...{ key: `page:${page_id}`, latestVersion, read: () => fetchSource(page) },
    async save(text: string, baseVersion: number) {
      const savedByOther = await savePage(page, text, baseVersion, note)
      if (!savedByOther) draft.discard()
      return savedByOther
    },
  }
  const edit = useVersionedEdit({ of: versioned, base, onClose })
  const cancel = () => {
    draft.discard()
    edit.close()
  }
  return { ...edit, note, setNote, cancel }
}

interface NoteFieldProps {
  note: string
  onNote(note: string): void
  onSend(): void
  onEscape(): void
}

const MAX_NOTE = 500

/** The note saved with the version. */
const NoteField = ({ note, onNote, onSend, onEscape }: NoteFieldProps) => (
  <input
    className="note"
    aria-label={t('pages.reason_for_this_change_optional')}
    placeholder={t('pages.reason_for_this_change_optional')}
    maxLength={MAX_NOTE}
    value={note}
    onChange={({ target }) => onNote(target.value)}
    onKeyDown={(event) => {
      if (isComposing(event)) return
      const isSaveKey = event.key === 'Enter' || (event.key === 's' && hasModifier(event))
      if (isSaveKey) {
        event.preventDefault()
        onSend()
      }
      if (event.key === 'Escape') onEscape()
      event.stopPropagation()
    }}
  />
)

const hasModifier = ({ ctrlKey, metaKey }: { ctrlKey: boolean; metaKey: boolean }) =>
  ctrlKey || metaKey
