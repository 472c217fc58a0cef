import { useMemo } from 'react'

interface Heading {
  /** Its place among the headings of the text. */
  at: number
  level: number
  words: string
}

const HEADING = /<h([1-6])[^>]*>(.*?)<\/h\1>/gs
/** With fewer, one sees where one is. */
const FEWEST = 3
const DEEPEST = 3

/** What stands in a heading, as it is read. */
export const plainOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#x27|#39);/g, (_, name: string) => SIGNS[name]!)
    .trim()
const SIGNS: Record<string, string> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'", '#39': "'" },
}

function headingsIn(html: string): Heading[] {
  const all = [...html.matchAll(HEADING)].map(([, level, inside], at) => ({
    ...{ at, level: Number(level), words: plainOf(inside!) },
  }))
  return all.filter(({ level, words }) => level <= DEEPEST && words)
}

function scrollTo(at: number) {
  const heading = document.querySelectorAll<HTMLElement>(
    '.reading .prose :is(h1, h2, h3, h4, h5, h6)',
  )[at]
  if (!heading) return
  heading.tabIndex = -1
  heading.scrollIntoView({ block: 'start' })
  heading.focus({ preventScroll: true })
}

/** The headings of a long text, and the way to each of them. */
export function Outline({ html }: { html: string }) {
  const headings = useMemo(() => headingsIn(html), [html])
  if (headings.length < FEWEST) return null
  const top = Math.min(...headings.map(({ level }) => level))
  return (
    <section className="outline" aria-label="On this page">
      <h2>On this page</h2>
      <ul>
        {headings.map(({ at, level, words }) => (
          <li key={at} className={level > top ? 'deeper' : ''}>
            <button type="button" dir="auto" onClick={() => scrollTo(at)}>
              {words}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
