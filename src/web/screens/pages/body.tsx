import { useCallback, useMemo, useRef } from 'react'
import { TEXT_CHANGED, withBoxTicked } from '../../entities/editor/description-text.ts'
import { Html } from '../../entities/editor/html.tsx'
import { fetchSource, type Page, savePage } from '../../entities/page/data.ts'
import { useMembers } from '../../entities/user/members.ts'
import { showError } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { Canvas } from './canvas.tsx'
import { plainText } from './outline.tsx'

/** The rendered text of a page. */
export function PageBody({ page, isReadOnly }: { page: Page; isReadOnly: boolean }) {
  const { page_id, canvas, content_type, version, title } = page
  const content = useMemo(() => contentWithoutTitle(page), [page])
  const members = useMembers(page.project_id)
  const people = useMemo(() => members.map(({ name }) => name), [members])
  const tickBox = useTickBox(page)
  if (canvas) return <Canvas key={page_id} {...{ page_id, title, version }} />
  // Checkboxes in HTML have no Markdown source that could be edited.
  const canTick = !isReadOnly && content_type === 'markdown'
  return (
    <section aria-label={t('common.text')} className="reading">
      <Html
        html={content}
        format={page.format}
        names={people}
        onTick={canTick ? tickBox : undefined}
      />
    </section>
  )
}

/** The prefix of the titles of descriptions and explorations. */
const TITLE_PREFIX = /^#(Exploration )?/
const FIRST_HEADING = /^\s*<h1[^>]*>(.*?)<\/h1>/s

/** Removes a leading heading that repeats the title. */
export function contentWithoutTitle({ content, title }: Pick<Page, 'content' | 'title'>): string {
  const [heading, headingHtml] = FIRST_HEADING.exec(content) ?? []
  const names = [title, title.replace(TITLE_PREFIX, '')]
  return heading && names.includes(plainText(headingHtml!))
    ? content.slice(heading.length)
    : content
}

/**
 * Ticks a checkbox in the rendered text. Ticks are queued, so each starts from the result of the
 * one before.
 */
function useTickBox(page: Page) {
  const queue = useRef(Promise.resolve())
  return useCallback(
    (index: number, checked: boolean, revert: () => void) => {
      const tick = async () => {
        const next = withBoxTicked(await fetchSource(page), index, checked, page.content)
        if (await savePage(page, next.text, next.version, '')) throw new Error(TEXT_CHANGED)
      }
      queue.current = queue.current.then(tick).catch((error: Error) => {
        revert()
        showError(error)
      })
    },
    [page],
  )
}
