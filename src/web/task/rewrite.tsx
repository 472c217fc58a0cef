import { useAct } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import { complain } from '../frame/toasts.tsx'
import type { Member } from './data.ts'
import { Editor } from './editor.tsx'
import { leaveField } from './leave.ts'
import { mentionsIn } from './mentions.ts'
import { asTyped, patchTalk, type Said } from './said.ts'
import { useTyped } from './typed.ts'

interface Props {
  said: Said
  source: string
  members: readonly Member[]
  onClose(): void
}

/** One's own comment, written anew. */
export function Rewrite({ said, source, members, onClose }: Props) {
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
  const { act, busy } = useUpdate(said, close)
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

function useUpdate({ task_id, comment_id, text: before }: Said, done: () => void) {
  const show = (text: string) =>
    patchTalk(task_id, (rows) =>
      rows.map((one) => (one.comment_id === comment_id ? { ...one, text } : one)),
    )
  return useAct('comments.update', {
    ahead({ text }) {
      show(asTyped(text))
      return () => show(before)()
    },
    done() {
      patchTalk(task_id, (rows) => rows)()
      done()
    },
    failed: (error) => complain(wordsOf(error)),
  })
}
