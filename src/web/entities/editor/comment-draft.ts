import { useRef, useState } from 'react'
import { unsentText } from '../../data/browser-storage.ts'
import { useDraft } from '../../data/drafts.ts'
import { restoredTexts } from '../../data/write-queue.ts'
import { withoutPlaceholders } from './uploads.ts'

/**
 * Texts that were sent and have no response yet, by draft key. They survive the field's unmount.
 */
const sending = new Map<string, readonly string[]>()

/** All unsent text: queued and pending texts, then what is typed meanwhile. */
const joinedText = (key: string, name: string, typed: string) =>
  [...restoredTexts(name), ...(sending.get(key) ?? []), withoutPlaceholders(typed)]
    .filter((text) => text.trim())
    .join('\n\n')

/**
 * The text of a field that is cleared as soon as it is sent. A sent text stays in the draft until
 * the server has accepted it, next to what is typed meanwhile. If it is refused, it returns to the
 * field.
 */
export function useCommentDraft(key: string) {
  const draft = useDraft(key)
  const pendingText = (typed: string) => joinedText(key, draft.name, typed)
  const [text, setText] = useState(() => unsentText(draft.stored?.text ?? '', pendingText('')))
  const [resetKey, setResetKey] = useState(0)
  const latest = useRef(text)
  const type = (value: string) => {
    latest.current = value
    setText(value)
    draft.save(pendingText(value))
  }
  const reset = (value: string) => {
    type(value)
    setResetKey((count) => count + 1)
  }
  const removeSending = (sentText: string) => {
    const rest = [...(sending.get(key) ?? [])]
    rest.splice(rest.indexOf(sentText), 1)
    sending.set(key, rest)
  }
  return {
    ...{ text, resetKey, type, name: draft.name },
    startSending(sentText: string) {
      sending.set(key, [...(sending.get(key) ?? []), sentText])
      reset('')
    },
    finishSending(sentText: string) {
      removeSending(sentText)
      draft.save(pendingText(latest.current))
    },
    failSending(sentText: string) {
      removeSending(sentText)
      reset(latest.current.trim() ? `${sentText}\n\n${latest.current}` : sentText)
    },
  }
}
