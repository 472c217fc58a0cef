import { useAct } from '../data/cache.ts'
import { ask, type Output, wordsOf } from '../data/client.ts'
import { send } from '../data/waiting.ts'
import { complain, record, refuseUndo } from '../frame/toasts.tsx'
import type { Member } from './data.ts'
import { Editor } from './editor.tsx'
import { leaveField } from './leave.ts'
import { mentionsIn } from './mentions.ts'
import { asTyped, patchTalk, type Said } from './said.ts'
import { useTyped } from './typed.ts'

interface Props {
  said: Said
  /** Its text as markdown. */
  source: string
  /** Its text as it is stored. */
  written: Written
  members: readonly Member[]
  onClose(): void
}

/** One's own comment, written anew. */
export function Rewrite({ said, source, written, members, onClose }: Props) {
  const { comment_id, task_id } = said
  const { text, draft, type } = useTyped(`${task_id}:rewrite:${comment_id}`, source)
  const leave = () => {
    leaveField('.editor')
    onClose()
  }
  const close = () => {
    draft.drop()
    leave()
  }
  const { act, busy } = useUpdate(said, written, close)
  const save = () => {
    const words = text.trim()
    if (words === source) return close()
    const mentions = mentionsIn(words, members)
    act({
      ...{ comment_id, text: words, content_type: 'markdown' },
      ...(mentions.length && { mentions }),
    })
  }
  return (
    <Editor
      label="Comment"
      hint="Comment"
      {...{ text, task_id }}
      people={members}
      autoFocus
      verb="Save"
      disabled={busy || !text.trim()}
      onChange={type}
      onSend={save}
      onCancel={close}
      onEscape={leave}
    />
  )
}

export type Written = Pick<Output<'comments.get'>, 'text' | 'content_type'>

/** Gives a comment the text back that it had, where it still reads as it was rewritten. */
async function rewriteBack({ comment_id, task_id }: Said, before: Written, edited: string | null) {
  const now = await ask('comments.get', { comment_id })
  if (now.edited_at !== edited) return refuseUndo('comment')
  const { text, content_type } = before
  await send('comments.update', { comment_id, text, content_type })
  patchTalk(task_id, (rows) => rows)()
  return true
}

function useUpdate(said: Said, written: Written, done: () => void) {
  const { task_id, comment_id, ticket_number, text: before } = said
  const show = (text: string) =>
    patchTalk(task_id, (rows) =>
      rows.map((one) => (one.comment_id === comment_id ? { ...one, text } : one)),
    )
  return useAct('comments.update', {
    ahead({ text }) {
      show(asTyped(text))
      return () => show(before)()
    },
    done({ edited_at }) {
      patchTalk(task_id, (rows) => rows)()
      record({
        what: `comment on ${ticket_number}`,
        undo: () => rewriteBack(said, written, edited_at),
      })
      done()
    },
    failed: (error) => complain(wordsOf(error)),
  })
}
