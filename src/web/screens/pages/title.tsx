import { useInlineEdit } from '../../entities/editor/inline-edit.ts'
import { Unsaved } from '../../entities/editor/unsaved.tsx'
import { type Page, renamePage } from '../../entities/page/data.ts'
import { t } from '../../messages/t.ts'

const MAX_LENGTH = 500

/** The title, edited in place. */
export function Title({ page, isReadOnly }: { page: Page; isReadOnly: boolean }) {
  const { page_id, title } = page
  const { text, set, field, unsaved } = useInlineEdit({
    ...{ key: `page:${page_id}:title`, before: title },
    normalize: (nextText) => nextText.trim().replace(/\s+/g, ' ') || title,
    onSave(title, { onSaved, onFailed, message }) {
      if (isReadOnly) return onFailed()
      void renamePage(page, title, message).then((isDone) => (isDone ? onSaved() : onFailed()))
    },
  })
  return (
    <>
      <div className="title" dir="auto" data-text={`${text} `}>
        <h1 className="unseen">{title}</h1>
        <textarea
          rows={1}
          dir="auto"
          aria-label={t('common.title')}
          maxLength={MAX_LENGTH}
          readOnly={isReadOnly}
          {...field}
          onChange={({ target }) => set(target.value.replace(/\n/g, ' '))}
        />
      </div>
      {unsaved && (
        <Unsaved at={unsaved.at} onEdit={unsaved.resume} onDrop={unsaved.discardUnsaved} />
      )}
    </>
  )
}
