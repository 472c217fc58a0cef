import { lazy, Suspense } from 'react'
import { isComposing } from '../parts/composing.ts'
import { useMembers } from '../task/data.ts'
import { Editor } from '../task/editor.tsx'
import { type Source, useOver } from '../task/over.ts'
import { useTyped } from '../task/typed.ts'
import { type Page, savePage, sourceOf } from './data.ts'
import { Drawing } from './drawing.tsx'

const Conflict = lazy(() => import('../task/conflict.tsx'))

interface Props {
  page: Page
  base: Source
  onClose(): void
}

/** The text while it is written; where somebody else wrote too, both texts. */
export function Writing({ page, base, onClose }: Props) {
  const { page_id, version: now, task_id, project_id } = page
  const { text: note, type: setNote, draft } = useTyped(`page:${page_id}:note`)
  const of = {
    ...{ key: `page:${page_id}`, now, read: () => sourceOf(page) },
    async save(text: string, over: number) {
      const theirs = await savePage(page, text, over, note)
      if (!theirs) draft.drop()
      return theirs
    },
  }
  const { text, version, edition, busy, clash, ...does } = useOver({ of, base, onClose })
  const members = useMembers(project_id)
  const isEmptied = !text.trim()
  const cancel = () => {
    draft.drop()
    does.close()
  }
  if (clash)
    return (
      <Suspense>
        <Conflict
          mine={text}
          theirs={clash.text}
          onMine={() => does.put(text, clash.version)}
          onTheirs={cancel}
          onMerge={(merged) => does.take(merged, clash.version)}
        />
      </Suspense>
    )
  const shared = {
    ...{ text, edition, verb: 'Save', disabled: busy || isEmptied },
    why: isEmptied && 'A page cannot be emptied; archive it instead',
    onChange: does.type,
    onSend: () => does.put(text, version),
    onEscape: does.leave,
    onCancel: cancel,
  }
  const why = <Note note={note} onNote={setNote} onSend={shared.onSend} onEscape={does.leave} />
  return (
    <section className="writing" aria-label="Text">
      {page.content_type === 'html' && !page.canvas && <WasHtml />}
      {page.canvas ? (
        <Drawing {...shared} title={page.title}>
          {why}
        </Drawing>
      ) : (
        <Editor
          {...shared}
          {...{ task_id, people: members, label: 'Text', autoFocus: true, main: true, saves: true }}
          hint="Markdown; @ names somebody, # a task. Pictures are pasted or dropped."
        >
          {why}
        </Editor>
      )}
    </section>
  )
}

const WasHtml = () => (
  <p className="notice">
    This page is HTML. Saved, it is markdown; its HTML stays in the versions.
  </p>
)

interface NoteProps {
  note: string
  onNote(note: string): void
  onSend(): void
  onEscape(): void
}

const MOST_NOTE = 500

/** Why there is another version, for whoever looks through them. */
const Note = ({ note, onNote, onSend, onEscape }: NoteProps) => (
  <input
    className="note"
    aria-label="Why, kept with the version"
    placeholder="Why? Kept with the version"
    maxLength={MOST_NOTE}
    value={note}
    onChange={({ target }) => onNote(target.value)}
    onKeyDown={(event) => {
      if (isComposing(event)) return
      const isSaved = event.key === 'Enter' || (event.key === 's' && hasHold(event))
      if (isSaved) {
        event.preventDefault()
        onSend()
      }
      if (event.key === 'Escape') onEscape()
      event.stopPropagation()
    }}
  />
)

const hasHold = ({ ctrlKey, metaKey }: { ctrlKey: boolean; metaKey: boolean }) => ctrlKey || metaKey
