import { cell } from '../data/cell.ts'

export type Theme = 'light' | 'dark'

const asked = matchMedia('(prefers-color-scheme: dark)')
const asks = (): Theme => (asked.matches ? 'dark' : 'light')
/** In a cookie, so that the server writes it into the page and nothing flashes up. */
const chosen = () => /(?:^|; )theme=(light|dark)/.exec(document.cookie)?.[1] as Theme | undefined
const theme = cell<Theme>(chosen() ?? asks())
const own = cell<Theme | undefined>(chosen())
const YEAR_S = 365 * 24 * 60 * 60

function draw() {
  const now = chosen()
  if (now) document.documentElement.dataset.theme = now
  else delete document.documentElement.dataset.theme
  own.put(now)
  theme.put(now ?? asks())
}
asked.addEventListener('change', draw)
// It may have been turned in another tab.
document.addEventListener('visibilitychange', draw)

/** Nothing: that of the system. */
function choose(next: Theme | undefined) {
  // biome-ignore lint/suspicious/noDocumentCookie: the other way to write one is not known everywhere
  document.cookie = `theme=${next ?? ''}; Path=/; Max-Age=${next ? YEAR_S : 0}; SameSite=Lax`
  draw()
}

/** Whoever turns to what the system asks for goes on with the system. */
function turn() {
  const next = theme.get() === 'dark' ? 'light' : 'dark'
  choose(next === asks() ? undefined : next)
}

/** What the system asks for, unless somebody chose otherwise here. */
export const useTheme = () => ({ theme: theme.use(), own: own.use(), turn, choose })
