import { type ReactNode, useMemo, useRef, useState } from 'react'
import { useMembers } from '../../user/members.ts'
import { useClickOutside } from '../click-outside.ts'
import { Editor } from '../editor.tsx'
import { SaveState } from './save-state.tsx'
import type { SharedText } from './session.ts'

interface Props {
  session: SharedText
  task_id: number
  project_id: number
  label: string
  hint: string
  className: string
  /** A notice above the text. */
  children?: ReactNode
  onClose(): void
}

/** The editor of a text that several people can edit. It saves while they type. */
export function SharedEditor({ session, project_id, className, children, ...rest }: Props) {
  const { onClose, ...options } = rest
  const section = useRef<HTMLElement>(null)
  const [text, setText] = useState(session.text)
  const extensions = useMemo(() => [session.extension], [session])
  useClickOutside(section, onClose)
  return (
    <section ref={section} className={className} aria-label={options.label}>
      {children}
      <Editor
        {...{ ...options, text, extensions, project_id }}
        people={useMembers(project_id)}
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
