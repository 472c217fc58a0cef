import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Draft } from '../../data/browser-storage.ts'
import { useDraft } from '../../data/drafts.ts'
import { isComposing } from '../../kit/composing.ts'
import { t } from '../../messages/t.ts'
import { leaveField } from './leave-field.ts'

/** Callbacks for the outcome of a save. */
export interface InlineSave {
  onSaved(): void
  onFailed(): void
  /** The message beside the undo when somebody else's change was overwritten. */
  message?: string | undefined
}

interface InlineEditOptions {
  /** The key of the draft that holds the text until it is saved. */
  key: string
  /** The saved text. */
  before: string
  /** Normalizes a text before it is saved. */
  normalize(text: string): string
  onSave(text: string, saving: InlineSave): void
}

/** Names the text of somebody else that this save replaces. */
const overwriteMessage = (otherText: string) =>
  otherText
    ? t('editor.your_text_replaced_theirs_which_somebody', { theirs: otherText })
    : t('editor.your_text_was_saved_but_somebody_else')

/** The longest time a reload is expected to take. */
const RELOAD_MS = 60_000

/**
 * Whether the draft was typed in this tab just before a reload, over the text that is still saved.
 */
const isInterruptedByReload = ({ at, over, isOther }: Draft, before: string) =>
  over === before && !isOther && Date.now() - at < RELOAD_MS

/** The typed text, stored as a draft; undefined while it is the saved text. */
function useTypedText(key: string, before: string) {
  const draft = useDraft(key)
  const { stored: found } = draft
  const [draftText, setDraftText] = useState(
    found && isInterruptedByReload(found, before) ? found.text : undefined,
  )
  const [unsaved, setUnsaved] = useState(
    draftText === undefined && found?.text !== before ? found : undefined,
  )
  /** The saved text when typing began. */
  const baseText = useRef(before)
  const set = (value: string) => {
    if (draftText === undefined) baseText.current = before
    setDraftText(value === before ? undefined : value)
    draft.save(value === before ? '' : value, undefined, baseText.current)
  }
  const discard = () => {
    setDraftText(undefined)
    draft.discard()
  }
  const discardUnsaved = () => {
    draft.discard()
    setUnsaved(undefined)
  }
  const resume = () => {
    if (unsaved) set(unsaved.text)
    setUnsaved(undefined)
  }
  return {
    ...{ draftText, baseText, set, discard },
    /** A draft that is old or was typed over another text: it is offered, not saved by itself. */
    unsaved: unsaved && { at: unsaved.at, resume, discardUnsaved },
  }
}

/**
 * One line of text that is edited in place. It is saved on Enter, on blur and on unmount; Escape
 * restores the saved text. Text that was refused stays in the field. The field holds no copy of the
 * saved text, so a value that was saved or undone cannot be saved again.
 */
export function useInlineEdit({ key, before, normalize, onSave }: InlineEditOptions) {
  const { draftText, baseText, set, discard, unsaved } = useTypedText(key, before)
  const lastAttempt = useRef<string>(undefined)
  const latest = useRef(draftText)
  latest.current = draftText
  const save = useEffectEvent(() => {
    if (draftText === undefined || draftText === lastAttempt.current) return
    const next = normalize(draftText)
    if (next === before) return set(before)
    const ownTexts = [baseText.current, lastAttempt.current && normalize(lastAttempt.current)]
    lastAttempt.current = draftText
    onSave(next, {
      onSaved() {
        lastAttempt.current = undefined
        baseText.current = next
        if (latest.current === draftText) discard()
      },
      onFailed() {},
      message: ownTexts.includes(before) ? undefined : overwriteMessage(before),
    })
  })
  useEffect(() => {
    // Saves a draft that a reload interrupted.
    save()
    return () => save()
  }, [])
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (isComposing(event)) return
    if (event.key === 'Enter') {
      event.preventDefault()
      lastAttempt.current = undefined
      leaveField()
    }
    if (event.key !== 'Escape') return
    event.stopPropagation()
    if (draftText === undefined) leaveField()
    else set(before)
  }
  const text = draftText ?? before
  return { text, set, field: { value: text, onBlur: () => save(), onKeyDown }, unsaved }
}
