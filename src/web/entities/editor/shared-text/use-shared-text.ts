import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { readDraft, writeDraft } from '../../../data/browser-storage.ts'
import { useDraft } from '../../../data/drafts.ts'
import { showError } from '../../../kit/toasts.tsx'
import { MissingEditor, openSharedText } from './open.ts'
import type { SharedText, TextAddress, TypedText } from './session.ts'

interface Props {
  address: TextAddress
  /** The key of the draft that keeps what the server does not have yet. */
  draftKey: string
  /** Called with the text as it is when the editor closes, and what was typed if anything was. */
  onLeave(text: string, typed: TypedText | undefined): void
  /** Called instead of opening if the code of the editor cannot be loaded. */
  onMissing(): void
}

/** Sessions that still send their last changes, by draft. Until then the draft is theirs. */
const closing = new Map<string, Promise<void>>()

/** Opens a text for editing, and sends what an earlier page could not send. */
export function useSharedText({ address, draftKey, onLeave, onMissing }: Props) {
  const draft = useDraft(draftKey)
  const { name, stored, reload } = draft
  const [session, setSession] = useState<SharedText>()
  const openSession = useEffectEvent(async () => {
    await closing.get(name)
    // What another tab is typing now is no draft to continue here.
    const left = stored && readDraft(name)
    const opened = await openSharedText(address, left)
    opened.onUnconfirmed = (next) => writeDraft(name, next && { ...next, at: Date.now() })
    return opened
  })
  const resend = useEffectEvent(async () => {
    const opened = await openSession()
    await opened.close()
    reload()
  })
  const canResend = stored?.over !== undefined && !stored.isOther && !session
  useEffect(() => {
    if (canResend) resend().catch(() => {})
  }, [canResend])
  const leave = useEffectEvent((left: SharedText) => {
    onLeave(left.text, left.typed)
    const closed = left.close().finally(() => {
      if (closing.get(name) === closed) closing.delete(name)
      reload()
    })
    closing.set(name, closed)
  })
  useEffect(() => (session ? () => leave(session) : undefined), [session])
  const fail = useEffectEvent((error: Error) =>
    error instanceof MissingEditor ? onMissing() : showError(error),
  )
  const open = useCallback(() => void openSession().then(setSession, fail), [])
  return { draft, session, open, close: useCallback(() => setSession(undefined), []) }
}
