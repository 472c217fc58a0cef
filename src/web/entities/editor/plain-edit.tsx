import { useRef } from 'react'
import { t } from '../../messages/t.ts'
import { useMembers } from '../user/members.ts'
import { useClickOutside } from './click-outside.ts'
import { Conflict } from './conflict.tsx'
import { Editor } from './editor.tsx'
import { type Source, useVersionedEdit, type Versioned } from './versioned-edit.ts'

interface Props {
  of: Versioned
  base: Source
  task_id: number
  project_id: number
  label: string
  hint: string
  className: string
  onClose(): void
}

/**
 * Edits a text without the code of the shared editor, which could not be loaded: the field stays a
 * textarea, and the text is saved as a whole.
 */
export function PlainEdit({ of, base, onClose, project_id, className, ...options }: Props) {
  const section = useRef<HTMLElement>(null)
  const people = useMembers(project_id)
  const edit = useVersionedEdit({ of, base, onClose })
  const { text, version, resetKey, busy, conflict } = edit
  // Clicking elsewhere must not lose what was typed, so it stays in the draft.
  useClickOutside(section, edit.leave)
  if (conflict)
    return (
      <Conflict
        ownText={text}
        otherText={conflict.text}
        onKeepOwn={() => edit.save(text, conflict.version)}
        onUseOther={edit.close}
        onMerge={(merged) => edit.rebase(merged, conflict.version)}
      />
    )
  return (
    <section ref={section} className={className} aria-label={options.label}>
      <p className="soft" role="status">
        {t('editor.could_not_be_loaded')}
      </p>
      <Editor
        {...{ ...options, text, resetKey, project_id, people }}
        autoFocus
        hasSaveKey
        submitLabel={t('common.save')}
        disabled={busy}
        onChange={edit.type}
        onSend={() => edit.save(text, version)}
        onCancel={edit.close}
        onEscape={edit.leave}
      />
    </section>
  )
}
