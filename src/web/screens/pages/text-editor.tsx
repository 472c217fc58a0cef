import { useMemo, useRef, useState } from 'react'
import { useClickOutside } from '../../entities/editor/click-outside.ts'
import { Editor } from '../../entities/editor/editor.tsx'
import { SaveState } from '../../entities/editor/shared-text/save-state.tsx'
import type { SharedText } from '../../entities/editor/shared-text/session.ts'
import type { Page } from '../../entities/page/data.ts'
import { useMembers } from '../../entities/user/members.ts'
import { t } from '../../messages/t.ts'

interface Props {
  page: Page
  session: SharedText
  onClose(): void
}

/** The editor of a page, which saves while people type. */
export function TextEditor({ page, session, onClose }: Props) {
  const section = useRef<HTMLElement>(null)
  const [text, setText] = useState(session.text)
  const extensions = useMemo(() => [session.extension], [session])
  useClickOutside(section, onClose)
  return (
    <section ref={section} className="writing" aria-label={t('common.text')}>
      {page.content_type === 'html' && (
        <p className="notice">{t('pages.this_page_is_html_saving_converts_it')}</p>
      )}
      <Editor
        label={t('common.text')}
        hint={t('pages.markdown_mentions_people_and_agents_links')}
        {...{ text, extensions }}
        task_id={page.task_id}
        project_id={page.project_id}
        people={useMembers(page.project_id)}
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
