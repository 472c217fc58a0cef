import type { SharedText } from '../../entities/editor/shared-text/session.ts'
import { SharedEditor } from '../../entities/editor/shared-text/shared-editor.tsx'
import type { Page } from '../../entities/page/data.ts'
import { t } from '../../messages/t.ts'

interface Props {
  page: Page
  session: SharedText
  onClose(): void
}

/** The editor of a page. */
export const TextEditor = ({ page, session, onClose }: Props) => (
  <SharedEditor
    {...{ session, onClose, task_id: page.task_id, project_id: page.project_id }}
    className="writing"
    label={t('common.text')}
    hint={t('pages.markdown_mentions_people_and_agents_links')}
  >
    {page.content_type === 'html' && (
      <p className="notice">{t('pages.this_page_is_html_saving_converts_it')}</p>
    )}
  </SharedEditor>
)
