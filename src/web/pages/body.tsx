import { useCallback, useMemo, useRef } from 'react'
import { useMembers } from '../task/data.ts'
import { Html } from '../task/html.tsx'
import { ticked, UNSURE } from '../task/text.ts'
import { Canvas } from './canvas.tsx'
import { type Page, refused, savePage, sourceOf } from './data.ts'
import { plainOf } from './outline.tsx'

/** The text of a page as it is read. */
export function Body({ page, isFixed }: { page: Page; isFixed: boolean }) {
  const { page_id, canvas, content_type, version, title } = page
  const content = useMemo(() => readingOf(page), [page])
  const members = useMembers(page.project_id)
  const people = useMemo(() => members.map(({ name }) => name), [members])
  const tick = useTick(page)
  if (canvas) return <Canvas key={page_id} {...{ page_id, title, version }} />
  // The boxes of HTML stand in no text that is known here.
  const canTick = !isFixed && content_type === 'markdown'
  return (
    <section aria-label="Text" className="reading">
      <Html
        html={content}
        format={page.format}
        names={people}
        onTick={canTick ? tick : undefined}
      />
    </section>
  )
}

/** What the title of a description or an exploration begins with. */
const MARK = /^#(Exploration )?/
const FIRST = /^\s*<h1[^>]*>(.*?)<\/h1>/s

/** A text that begins with its title is not read twice. */
export function readingOf({ content, title }: Pick<Page, 'content' | 'title'>): string {
  const [whole, inside] = FIRST.exec(content) ?? []
  const names = [title, title.replace(MARK, '')]
  return whole && names.includes(plainOf(inside!)) ? content.slice(whole.length) : content
}

/** Ticks a box of the text where it is read; each over what the one before has made of it. */
function useTick(page: Page) {
  const last = useRef(Promise.resolve())
  return useCallback(
    (at: number, checked: boolean, back: () => void) => {
      const tick = async () => {
        const next = ticked(await sourceOf(page), at, checked, page.content)
        if (await savePage(page, next.text, next.version, '')) throw new Error(UNSURE)
      }
      last.current = last.current.then(tick).catch((error: Error) => {
        back()
        refused(error)
      })
    },
    [page],
  )
}
