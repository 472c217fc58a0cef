import {
  type ClipboardEvent,
  type DragEvent,
  type FocusEvent,
  type KeyboardEvent,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { readDraft } from '../../../data/browser-storage.ts'
import { useDraft } from '../../../data/drafts.ts'
import { attachFiles } from '../../../entities/editor/attach-files.ts'
import { addPastedLines, addPastedText, type Place } from '../../../entities/task/add-pasted.ts'
import { escapeInTitle } from '../../../entities/task/escape.ts'
import { useOpenTask } from '../../../entities/task/open-task.ts'
import { ParsedChips } from '../../../entities/task/parsed-title.tsx'
import { PasteOffer } from '../../../entities/task/paste-offer.tsx'
import {
  countLines,
  type PastedLine,
  readPastedLines,
} from '../../../entities/task/pasted-lines.ts'
import { SimilarTitle } from '../../../entities/task/similar-title.tsx'
import { TitleField } from '../../../entities/task/title-field.tsx'
import type { TitlePart } from '../../../entities/task/understood.ts'
import { Form } from '../../../kit/form.tsx'
import { takeLinesTypedEarly } from '../../../kit/overlay-loading.tsx'
import { useRestoreFocus } from '../../../kit/restore-focus.ts'
import { t } from '../../../messages/t.ts'
import { FileList } from './file-list.tsx'
import type { QuickAddProps } from './quick-add-props.ts'
import { useAddTask } from './use-add-task.ts'
import './quick-add.css'

/** The field for new tasks, with what its text is understood as. */
export default function QuickAddField(props: QuickAddProps) {
  const { project_id, column } = props
  const { placeName = t('board.in_name', { name: column.title }) } = props
  const { input, title, setTitle, files, setFiles, pasted, endPaste, ...entry } = useEntry(props)
  return (
    <Form className="quick-add" onSubmit={() => entry.submit(false)}>
      <TitleField
        ref={input}
        className="field"
        label={t('board.new_task_place', { place: placeName })}
        placeholder={t('board.what_needs_to_be_done')}
        autoFocus
        value={title}
        project_id={project_id}
        onChange={setTitle}
        onKeyDown={entry.onKeyDown}
        onBlur={entry.onBlur}
        onPaste={entry.onPaste}
        onDrop={entry.onDrop}
      >
        <ParsedChips {...{ title, project_id }} keepsBoard onKeep={entry.keepAsText} />
      </TitleField>
      <FileList files={files} onChange={setFiles} />
      {pasted && (
        <PasteOffer
          lines={pasted.lines}
          onMany={() => endPaste((place) => addPastedLines(place, pasted.lines))}
          onOne={() => endPaste((place) => addPastedText(place, pasted.text))}
          onCancel={() => endPaste()}
        />
      )}
      <SimilarTitle project_id={project_id} title={title} />
    </Form>
  )
}

function useEntry(props: QuickAddProps) {
  const { project_id, column, newTaskDefaults, onAdded, onClose } = props
  const input = useRef<HTMLInputElement>(null)
  const { title, setTitle, restoreTitle } = useTitleDraft(props)
  const { add, lastCard } = useAddTask(props, restoreTitle)
  useTypedEarly({ title, setTitle, add })
  const { files, setFiles, pasted, setPasted, onPaste, onDrop } = usePastedThings()
  const openTask = useOpenTask()
  const close = useClose(onClose, lastCard)
  const submit = (isOpening: boolean) => {
    const line = title.trim() || files[0]?.name
    if (!line) return
    add(line, (task) => {
      if (files.length) void attachFiles(task, files)
      if (isOpening) openTask(task.ticket_number)
    })
    setTitle('')
    setFiles([])
    requestAnimationFrame(onAdded)
    if (isOpening) onClose()
  }
  const endPaste = (create?: (place: Place) => void) => {
    setPasted(undefined)
    input.current?.focus()
    create?.({ project_id, section_id: column.section_id, ...newTaskDefaults })
    requestAnimationFrame(onAdded)
  }
  const keepAsText = (part: TitlePart) => {
    setTitle(escapeInTitle(title, part))
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    submit(true)
  }
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent<HTMLInputElement>) => {
    const isInside = currentTarget.form?.contains(relatedTarget)
    if (!isInside && !title.trim() && !files.length && !pasted) onClose()
  }
  return {
    ...{ input, title, setTitle, files, setFiles, pasted, endPaste },
    ...{ submit, keepAsText, onKeyDown, onBlur, onPaste, onDrop },
  }
}

/** Files and texts of several lines that are pasted or dropped. */
function usePastedThings() {
  const [files, setFiles] = useState<readonly File[]>([])
  const [pasted, setPasted] = useState<{ text: string; lines: PastedLine[] }>()
  const onPaste = (event: ClipboardEvent) => {
    const { files: pastedFiles } = event.clipboardData
    const text = event.clipboardData.getData('text/plain')
    const lines = readPastedLines(text)
    if (!pastedFiles.length && countLines(lines) < 2) return
    event.preventDefault()
    if (pastedFiles.length) setFiles([...files, ...pastedFiles])
    else setPasted({ text, lines })
  }
  const onDrop = (event: DragEvent) => {
    if (!event.dataTransfer.files.length) return
    event.preventDefault()
    setFiles([...files, ...event.dataTransfer.files])
  }
  return { files, setFiles, pasted, setPasted, onPaste, onDrop }
}

/** The typed title, which survives a reload. */
function useTitleDraft({ column: { section_id }, onRefused }: QuickAddProps) {
  const draft = useDraft(`new-task:${section_id}`)
  const [title, setTitle] = useState(draft.stored?.text ?? '')
  const update = (next: string) => {
    draft.save(next)
    setTitle(next)
  }
  // A refused title goes back into the draft, before anything typed since, even if the field is
  // closed.
  const restoreTitle = (line: string) => {
    draft.reload()
    update([line, readDraft(draft.name)?.text].filter(Boolean).join(' '))
    draft.reload()
    onRefused()
  }
  return { title, setTitle: update, restoreTitle }
}

interface TypedEarly {
  title: string
  setTitle(next: string): void
  add(line: string): void
}

/** Takes over what was typed while the field was loading; lines that ended with Enter are tasks. */
function useTypedEarly({ title, setTitle, add }: TypedEarly) {
  const take = useEffectEvent(() => {
    const [first, ...others] = takeLinesTypedEarly()
    const lines = [title + first, ...others]
    const rest = lines.pop() ?? ''
    for (const line of lines) if (line.trim()) add(line.trim())
    if (rest !== title) setTitle(rest)
  })
  useLayoutEffect(() => take(), [])
}

/** Closes the field; the focus goes to the last new card, else to where it was before. */
function useClose(onClose: () => void, lastCard: () => number | undefined) {
  const restoreFocus = useRestoreFocus()
  return () => {
    const card = document.querySelector<HTMLElement>(`[data-task="${lastCard()}"] .title`)
    onClose()
    if (card) card.focus()
    else restoreFocus()
  }
}
