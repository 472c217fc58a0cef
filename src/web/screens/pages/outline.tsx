import { useEffect, useMemo, useState } from 'react'
import { t } from '../../messages/t.ts'

interface Heading {
  /** The index of the heading in the text. */
  index: number
  level: number
  text: string
}

const HEADING = /<h([1-6])[^>]*>(.*?)<\/h\1>/gs
/** Shorter texts need no outline. */
const MIN_HEADINGS = 3
const MAX_LEVEL = 3

/** The plain text of a heading's HTML. */
export const plainText = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#x27|#39);/g, (_, name: string) => ENTITIES[name]!)
    .trim()
const ENTITIES: Record<string, string> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'", '#39': "'" },
}

function headingsIn(html: string): Heading[] {
  const headings = [...html.matchAll(HEADING)].map(([, level, inside], index) => ({
    ...{ index, level: Number(level), text: plainText(inside!) },
  }))
  return headings.filter(({ level, text }) => level <= MAX_LEVEL && text)
}

const shownHeadings = () =>
  document.querySelectorAll<HTMLElement>('.reading .prose :is(h1, h2, h3, h4, h5, h6)')

/** A heading counts as current when it is this far below the top of the text. */
const CURRENT_PX = 96

/** The index of the last heading that the reader has reached. */
function useCurrentHeading(): number {
  const [current, setCurrent] = useState(0)
  useEffect(() => {
    const scroller = document.querySelector('.sheet-body')
    if (!scroller) return
    const update = () => {
      const limit = scroller.getBoundingClientRect().top + CURRENT_PX
      const reached = [...shownHeadings()].findLastIndex(
        (heading) => heading.getBoundingClientRect().top <= limit,
      )
      setCurrent(Math.max(0, reached))
    }
    scroller.addEventListener('scroll', update, { passive: true })
    return () => scroller.removeEventListener('scroll', update)
  }, [])
  return current
}

function scrollTo(index: number) {
  const heading = shownHeadings()[index]
  if (!heading) return
  heading.tabIndex = -1
  heading.scrollIntoView({ block: 'start' })
  heading.focus({ preventScroll: true })
}

/** The outline of a long text, with links to its headings. */
export function Outline({ html }: { html: string }) {
  const headings = useMemo(() => headingsIn(html), [html])
  const reached = useCurrentHeading()
  const current = headings.findLast(({ index }) => index <= reached)?.index
  if (headings.length < MIN_HEADINGS) return null
  const top = Math.min(...headings.map(({ level }) => level))
  return (
    <section className="outline" aria-label={t('pages.on_this_page')}>
      <h2>{t('pages.on_this_page')}</h2>
      <ul>
        {headings.map(({ index, level, text }) => (
          <li key={index} className={level > top ? 'nested' : ''}>
            <button
              type="button"
              dir="auto"
              aria-current={index === current ? 'location' : undefined}
              onClick={() => scrollTo(index)}
            >
              {text}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
