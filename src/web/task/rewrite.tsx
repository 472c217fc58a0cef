import { useState } from 'react'
import { useAct } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import { complain } from '../frame/toasts.tsx'
import type { Member } from './data.ts'
import { useDraft } from './drafts.ts'
import { Editor, SEND } from './editor.tsx'
import { mentionsIn } from './mentions.ts'
import { asTyped, patchTalk, type Said } from './said.ts'

interface Props {
  said: Said
  source: string
  members: readonly Member[]
  onClose(): void
}

/** One's own comment, written anew. */
export function Rewrite({ said, source, members, onClose }: Props) {
  const { comment_id, task_id } = said
  const draft = useDraft(`${task_id}:rewrite:${comment_id}`)
  const [text, setText] = useState(draft.found?.text ?? source)
  const close = () => {
    draft.drop()
    onClose()
  }
  const { act, busy } = useAct('comments.update', {
    ahead: (input) =>
      patchTalk(task_id, (rows) =>
        rows.map((one) =>
          one.comment_id === comment_id ? { ...one, text: asTyped(input.text) } : one,
        ),
      ),
    done() {
      patchTalk(task_id, (rows) => rows)()
      close()
    },
    failed: (error) => complain(wordsOf(error)),
  })
  const save = () => {
    const words = text.trim()
    if (!words) return
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
      text={text}
      task_id={task_id}
      people={members}
      autoFocus
      onChange={(words) => {
        setText(words)
        draft.keep(words)
      }}
      onSend={save}
      onEscape={onClose}
    >
      <button type="button" className="button quiet" onClick={close}>
        Cancel
      </button>
      <button type="button" className="button plain" disabled={busy || !text.trim()} onClick={save}>
        Save <kbd>{SEND}</kbd>
      </button>
    </Editor>
  )
}
