import { useMemo, useRef, useState } from 'react'
import { useClickOutside } from '../../entities/editor/click-outside.ts'
import { Editor } from '../../entities/editor/editor.tsx'
import { SaveState } from '../../entities/editor/shared-text/save-state.tsx'
import type { SharedText } from '../../entities/editor/shared-text/session.ts'
import type { Task } from '../../entities/task/data.ts'
import { useMembers } from '../../entities/user/members.ts'
import { t } from '../../messages/t.ts'

interface Props {
  task: Task
  session: SharedText
  onClose(): void
}

/** The description's editor, which saves while people type. */
export function DescriptionEditor({ task, session, onClose }: Props) {
  const section = useRef<HTMLElement>(null)
  const [text, setText] = useState(session.text)
  const extensions = useMemo(() => [session.extension], [session])
  useClickOutside(section, onClose)
  return (
    <section ref={section} className="description writing" aria-label={t('common.description')}>
      <Editor
        label={t('common.description')}
        hint={t('task.what_needs_to_be_done_and_when')}
        {...{ text, extensions }}
        task_id={task.task_id}
        project_id={task.project_id}
        people={useMembers(task.project_id)}
        autoFocus
        hasSaveKey
        status={<SaveState session={session} />}
        onChange={setText}
        onSend={onClose}
        onEscape={onClose}
      />
    </section>
  )
}
