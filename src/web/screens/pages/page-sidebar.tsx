import type { Page, PageRow } from '../../entities/page/data.ts'
import { NewPage } from '../../entities/page/new-page.tsx'
import { Tree } from '../../entities/page/tree.tsx'
import { t } from '../../messages/t.ts'
import { Backlinks } from './backlinks.tsx'
import { contentWithoutTitle } from './body.tsx'
import { Outline } from './outline.tsx'

interface Props {
  page: Page
  pages: readonly PageRow[]
  isReadOnly: boolean
  isReading: boolean
}

/** The sidebar of a page: the task's pages, a button for a new one, and the outline. */
export function PageSidebar({ page, pages, isReadOnly, isReading }: Props) {
  const { ticket_number, page_id } = page
  return (
    <aside className="around" aria-label={t('pages.page_sidebar')}>
      <header className="flex-row">
        <h2>{t('pages.pages')}</h2>
        {!isReadOnly && <NewPage ticket={ticket_number} parentId={page_id} isShort />}
      </header>
      <Tree
        label={t('pages.pages_of_ticket_number', { ticket_number })}
        pages={pages}
        currentId={page_id}
        isShort
      />
      <Backlinks page_id={page_id} />
      {isReading && !page.canvas && <Outline html={contentWithoutTitle(page)} />}
    </aside>
  )
}
