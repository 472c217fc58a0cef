import { useEffect, useRef } from 'react'
import { useCommentDraft } from '../../entities/editor/comment-draft.ts'
import { isComposing } from '../../kit/composing.ts'
import { Form, SubmitButton } from '../../kit/form.tsx'
import { t } from '../../messages/t.ts'
import { sendReply } from './actions.ts'
import type { Triage } from './triage.ts'
import { isRequest, type Note } from './types.ts'

export const replyVerb = (note: Note) =>
  isRequest(note) ? t('common.reply') : t('inbox.reply_to_comment')
const doneVerb = (note: Note) =>
  isRequest(note) ? t('inbox.replied') : t('inbox.replied_to_the_comment')

/** A reply, which is posted on the task. The notification is archived. */
export function ReplyForm({ note, triage }: { note: Note; triage: Triage }) {
  const { notification_id, task } = note
  const field = useCommentDraft(`${task.task_id}:back:${notification_id}`)
  const verb = replyVerb(note)
  const text = field.text.trim()
  const close = () => {
    triage.setReplyingTo(undefined)
    triage.focus()
  }
  const send = async () => {
    if (!text) return
    triage.setReplyingTo(undefined)
    triage.leaveRows([note])
    const isPosted = await sendReply(note, text, doneVerb(note), field)
    // Reopens the field with the refused text.
    if (!isPosted) triage.setReplyingTo(notification_id)
  }
  return (
    <Form className="back" onSubmit={() => void send()}>
      <ReplyField {...{ note, verb, close }} text={field.text} onType={field.type} />
      <div className="end">
        <button type="button" className="button quiet" onClick={close}>
          {t('common.cancel')}
        </button>
        <SubmitButton variant="plain" disabled={!text}>
          {t('inbox.verb_and_archive', { verb })}
        </SubmitButton>
      </div>
    </Form>
  )
}

interface ReplyFieldProps {
  note: Note
  verb: string
  text: string
  onType(nextText: string): void
  close(): void
}

function ReplyField({ note: { actor, task }, verb, text, onType, close }: ReplyFieldProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => area.current?.focus(), [])
  return (
    <textarea
      ref={area}
      className="field"
      dir="auto"
      rows={2}
      aria-label={t('inbox.verb_on_ticket_number', { verb, ticket_number: task.ticket_number })}
      placeholder={t('inbox.verb_notifies_name_and_archives_the', { verb, name: actor.name })}
      maxLength={100_000}
      value={text}
      onChange={({ target }) => onType(target.value)}
      onKeyDown={(event) => event.key === 'Escape' && !isComposing(event) && close()}
    />
  )
}
