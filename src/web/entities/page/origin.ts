import { withoutBase } from '../../kit/base-path.ts'

/** The URL from before the first page was opened. Escape leads back there. */
interface Origin {
  from: string
}

const originIn = (state: unknown): string | undefined => (state as Origin | null)?.from

/** The history state to pass with every link to a page. */
export const originState = (): Origin => ({
  from: withoutBase(location.pathname).startsWith('/p/')
    ? (originIn(history.state) ?? '')
    : withoutBase(location.pathname) + location.search,
})

/** The URL to go back to; the page's task if the page was opened directly. */
export const backPath = (ticket: string): string => originIn(history.state) || `/t/${ticket}`
