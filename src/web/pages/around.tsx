import { readingOf } from './body.tsx'
import type { Page, PageRow } from './data.ts'
import { NewPage } from './new-page.tsx'
import { Outline } from './outline.tsx'
import { Tree } from './tree.tsx'

interface Props {
  page: Page
  pages: readonly PageRow[]
  isFixed: boolean
  isReading: boolean
}

/** The pages of the same task, a new one in this, and what this one is made of. */
export function Around({ page, pages, isFixed, isReading }: Props) {
  const { ticket_number, page_id } = page
  return (
    <aside className="around" aria-label="Around this page">
      <header>
        <h2>Pages</h2>
        {!isFixed && <NewPage ticket={ticket_number} under={page_id} isShort />}
      </header>
      <Tree label={`Pages of ${ticket_number}`} pages={pages} here={page_id} isShort />
      {isReading && !page.canvas && <Outline html={readingOf(page)} />}
    </aside>
  )
}
